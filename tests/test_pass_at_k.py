"""The estimator of pass@k, and that a sample does not depend on what is played beside it."""

from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlenv.data import load_questions
from sqlenv.env import SQLEnvironment
from sqlenv.policies import RandomPolicy, pick, summarize
from sqlenv.stats import pass_at_k, pass_curve

quick = settings(max_examples=150, deadline=None, derandomize=True, database=None)


@st.composite
def counts(draw, most):
    "Samples n, right samples c, tries k"
    n = draw(st.integers(1, most))
    return n, draw(st.integers(0, n)), draw(st.integers(1, n))


@quick
@given(counts(9))
def test_is_the_mean_over_all_ways_to_choose(nck):
    n, c, k = nck
    found = [any(i < c for i in chosen) for chosen in combinations(range(n), k)]
    assert pass_at_k(n, c, k) == pytest.approx(sum(found) / len(found), abs=1e-12)


@quick
@given(counts(2000))  # the number of choices has hundreds of digits
def test_is_a_chance_that_grows_with_tries_and_right_samples(nck):
    n, c, k = nck
    p = pass_at_k(n, c, k)
    assert pass_at_k(n, c, 1) == c / n
    assert pass_at_k(n, c, n) == float(c > 0)
    assert 0 <= p <= 1
    assert k == n or p <= pass_at_k(n, c, k + 1)
    assert c == n or p <= pass_at_k(n, c + 1, k)
    assert p >= 1 - (1 - c / n) ** k - 1e-12  # what k draws with replacement would give


@pytest.mark.parametrize("q", [0.05, 0.3, 0.8])
@pytest.mark.parametrize("k", range(1, 9))
def test_has_no_bias(q, k):
    chance = [comb(8, c) * q**c * (1 - q) ** (8 - c) for c in range(9)]  # of c right samples
    mean = sum(p * pass_at_k(8, c, k) for c, p in enumerate(chance))
    assert mean == pytest.approx(1 - (1 - q) ** k, abs=1e-12)


@pytest.fixture(scope="module")
def asked():
    return pick(load_questions("dev"), 30)


def turns(questions, samples):
    "What was done in each sample of each question"
    played = RandomPolicy().rollouts(SQLEnvironment(), questions, 3, samples)
    return {(e.question.question_id, i % samples): e.turns for i, e in enumerate(played)}


def test_a_sample_is_its_own(asked):
    every = turns(asked, 4)
    for q in asked:  # samples do not share their draws
        assert len({str(every[q.question_id, i]) for i in range(4)}) > 1
    for some in (turns(asked[::-1], 4), turns(asked[7:9], 2)):
        assert {key: every[key] for key in some} == some


def test_the_curve_depends_on_no_order(asked):
    played = RandomPolicy().rollouts(SQLEnvironment(), asked, 3, 4)
    whole = summarize("random", "dev", played, 4)
    by_database = {}
    for question, right in zip(whole.questions, whole.right, strict=True):
        by_database.setdefault(question.db_id, []).append(right)
    assert pass_curve(by_database, 4) == whole.pass_at
    values = [p for p, low, high in whole.pass_at.values() if low <= p <= high]
    assert len(values) == 3 and values == sorted(values)
