"""What holds for results of any shape and texts of any characters, searched for by hypothesis:
what the environment writes is right, whatever is changed is wrong, nothing raises, and time is
linear."""

import csv
import datetime
import io
import json
import random
import re
import time
import timeit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sqlenv.sql.answers import comparison_key, format_cell, render_answer
from sqlenv.verifier import Verdict, verify

quick = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],  # a machine may be busy
)
day = st.dates(datetime.date(1900, 1, 1), datetime.date(2100, 1, 1)).map(str)
word = st.text(st.characters(codec="utf-8"), max_size=12)
tame = st.from_regex(r"[A-Za-z][A-Za-z0-9]{0,8}( [A-Za-z0-9]{1,8})?", fullmatch=True).filter(
    lambda s: " and " not in s
)
kinds = {
    "integer": st.integers(-(10**12), 10**12),
    "float": st.floats(-1e9, 1e9).map(lambda x: round(x, 6)),
    "date": day,
    "text": word,
    "tame": tame,
    "mixed": st.one_of(word, st.integers(), st.floats(allow_nan=False)),
}


@st.composite
def results(draw, use=tuple(kinds), rows=(1, 6), null=True):
    "A gold result: every column has one kind, and NULL here and there."
    columns = draw(st.lists(st.sampled_from(use), min_size=1, max_size=4))
    row = st.tuples(*[kinds[k] | st.none() if null else kinds[k] for k in columns])
    return draw(st.lists(row, min_size=rows[0], max_size=rows[1]))


@quick
@given(results(rows=(0, 6)), st.booleans(), st.randoms())
def test_what_the_environment_writes_is_right(rows, ordered, rng):
    v = verify(render_answer(rows), rows, ordered)
    assert v, (render_answer(rows), v.reason)
    mixed = rng.sample(rows, len(rows))
    assert verify(render_answer(mixed), rows), (render_answer(mixed), rows)


def as_csv(rows, sep=","):
    out = io.StringIO()
    csv.writer(out, delimiter=sep, lineterminator="\n").writerows(
        [[format_cell(c) for c in r] for r in rows]
    )
    return out.getvalue().rstrip("\n")


def cells(rows):
    return [[format_cell(c) for c in r] for r in rows]


formats = dict(
    rendered=render_answer,
    json=lambda rows: json.dumps(rows),
    python=repr,
    csv=as_csv,
    tabs=lambda rows: as_csv(rows, "\t"),
    objects=lambda rows: json.dumps([{f"c{i}": c for i, c in enumerate(r)} for r in rows]),
    fenced=lambda rows: f"```\n{render_answer(rows)}\n```",
    answer=lambda rows: f"Answer: {render_answer(rows)}",
    the_answer=lambda rows: f"The answer is:\n{render_answer(rows)}",
    markdown=lambda rows: "\n".join(
        ["|" + "|".join("x" for _ in rows[0]) + "|", "|" + "---|" * len(rows[0])]
        + ["| " + " | ".join(r) + " |" for r in cells(rows)]
    ),
    shown=lambda rows: "\n".join(
        [" | ".join("x" for _ in rows[0])]
        + [" | ".join(r) for r in cells(rows)]
        + [f"({len(rows)} rows)"]
    ),
    bullets=lambda rows: "\n".join("- " + " | ".join(r) for r in cells(rows)),
    numbers=lambda rows: "\n".join(f"{i}. " + " | ".join(r) for i, r in enumerate(cells(rows), 1)),
)


# The looser formats have no way to hold every text, so the texts are tame here.


@quick
@given(results(use=("integer", "float", "date", "tame")))
def test_every_accepted_format_is_right(rows):
    for name, f in formats.items():
        v = verify(f(rows), rows)
        assert v, (name, f(rows), rows, v.reason)


def is_date(text):
    return re.fullmatch(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?", text)


def changed(value, other):
    "A value that differs from `value` beyond what the rules forgive."
    if value is None or isinstance(value, str) and not is_date(value):
        return f"{value or ''}{other}x"
    if isinstance(value, str):
        return str(datetime.date.fromisoformat(value) + datetime.timedelta(1))
    return value + 1 if isinstance(value, int) else value * 1.01 + 1


@quick
@given(results(use=("integer", "float", "date", "tame")), st.data())
def test_a_changed_cell_and_a_missing_or_extra_row_are_wrong_in_any_format(rows, data):
    i, j = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, len(rows[0]) - 1))
    spoiled = [list(r) for r in rows]
    spoiled[i][j] = changed(rows[i][j], "q")
    missing, extra = (
        rows[:i] + rows[i + 1 :],
        rows[:i] + [rows[data.draw(st.integers(0, len(rows) - 1))]] + rows[i:],
    )
    for wrong in (list(map(tuple, spoiled)), missing, extra):
        for name, f in formats.items():
            if wrong:
                assert not verify(f(wrong), rows), (name, f(wrong), rows)
            assert not verify(render_answer(wrong), rows)


@quick
@given(results(use=("integer", "date", "text")), st.data())
def test_a_changed_cell_and_a_missing_or_extra_row_are_wrong_with_any_text(rows, data):
    i, j = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, len(rows[0]) - 1))
    spoiled = [list(r) for r in rows]
    spoiled[i][j] = changed(rows[i][j], data.draw(word))
    assert not verify(render_answer(spoiled), rows), (spoiled, rows)
    if len(rows) > 1:
        assert not verify(render_answer(rows[:i] + rows[i + 1 :]), rows)
    assert not verify(render_answer(rows + [rows[i]]), rows)


def keys(rows):
    "The forms in which the cells of rows are compared."
    return [[comparison_key(c, "mixed") for c in r] for r in rows]


@quick
@given(results(use=("integer", "date", "tame"), rows=(2, 6)), st.data())
def test_rows_that_are_swapped_are_wrong_where_order_counts(rows, data):
    i = data.draw(st.integers(1, len(rows) - 1))
    swapped = rows[: i - 1] + [rows[i], rows[i - 1]] + rows[i + 1 :]
    same = keys(swapped) == keys(rows)
    for name, f in formats.items():
        assert verify(f(swapped), rows)
        assert bool(verify(f(swapped), rows, ordered=True)) == same, (name, f(swapped), rows)


markup = st.text(st.sampled_from("[](){}\"'`|,;:\n\t -*#.\\$%0123456789aeNn"), max_size=60)
anything = st.one_of(
    st.text(max_size=40),
    markup,
    st.none(),
    st.integers(),
    st.floats(),
    st.binary(max_size=9),
    st.lists(st.integers() | st.text(), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@settings(quick, max_examples=600)
@given(anything, results(rows=(0, 3)), st.booleans())
def test_it_never_raises(answer, rows, ordered):
    v = verify(answer, rows, ordered)
    assert isinstance(v, Verdict) and v.reason and bool(v) == v.correct


def test_a_header_and_a_rule_with_nothing_below_are_wrong():
    assert not verify("city\n---", [("Paris",)])


ODD = [10**400, float("inf"), float("nan"), -0.0, b"\xff", True, "\ud800", "\0", "x" * 100_000]
ODD_NAMES = "huge infinite nan minus_zero bytes true half_a_character zero_byte long".split()


@pytest.mark.parametrize("odd", ODD, ids=ODD_NAMES)
def test_an_odd_value_is_compared(odd):
    for rows in ([(odd,)], [(odd, 1)], [(odd,), (1.5,)]):
        assert isinstance(verify("1e400", rows), Verdict)
        comes_out_of_sqlite = odd not in (10**400, True) and odd == odd
        assert verify(render_answer(rows), rows) or not comes_out_of_sqlite


# Linear time, by the processor's seconds


@pytest.fixture(scope="module")
def large():
    "Ten thousand rows of ten columns"
    rng = random.Random(0)
    return [
        (
            i,
            f"name {rng.random()}",
            rng.random() * 100,
            rng.randint(0, 10**6),
            f"2020-01-{i % 28 + 1:02}",
        )
        * 2
        for i in range(10_000)
    ]


def shuffled(rows):
    return random.Random(1).sample(rows, len(rows))


@pytest.mark.parametrize("shape", [render_answer, json.dumps, as_csv])
def test_a_large_result_is_right(large, shape):
    assert verify(shape(large), large)


def test_a_large_result_is_right_in_any_order(large):
    assert verify(render_answer(shuffled(large)), large)


@pytest.mark.parametrize("shape", [render_answer, as_csv])
def test_one_cell_of_a_large_result_makes_it_wrong(large, shape):
    assert not verify(shape(large[:-1] + [large[-1][:-1] + ("2020-02-01",)]), large)


def shortest(run, times):
    "The fewest processor seconds of a call in some tries, without garbage collection."
    return min(timeit.repeat(run, timer=time.process_time, number=1, repeat=times))


def test_sixteen_times_as_many_rows_take_about_sixteen_times_as_long(large):
    def least(n):
        "The shortest of three times for the first n rows, shuffled"
        rows = large[:n]
        answer = render_answer(shuffled(rows))
        assert verify(answer, rows)
        return shortest(lambda: verify(answer, rows), 3)

    assert least(9600) < 64 * least(600)  # the square would be 256 times


# Texts that are made to be slow to read: a character or a word, again and again
UNITS = ["[", "1,", "9", "'", '"\\', "- ", "(", "```", "Answer: ", "\n", "| ", ", \n", "1e"]
UNITS += ['{"a":', "\u00e9", " and ", "(0 rows"]
SLOW = [("", unit, "") for unit in UNITS] + [("", " ", "x"), ("", "-", "x"), ("the ", "a", "")]
GOLDS = [], [(3,)], [(3.5,), (4.5,)], [("a", 1)], [("a", 1), ("b", 2)]


@pytest.mark.parametrize("first, unit, last", SLOW)
def test_a_text_sixteen_times_as_long_takes_about_sixteen_times_as_long(first, unit, last):
    def reading(size, times):
        "The shortest of some times to refuse a text of that size for every gold result"
        text = first + unit * (size // len(unit)) + last
        assert not any(verify(text, rows) for rows in GOLDS)
        return shortest(lambda: [verify(text, rows) for rows in GOLDS], times)

    assert reading(160_000, 1) < 64 * max(reading(10_000, 3), 0.001)
