"""What the embedded suite promises, and files, folders and disks that are not as they should be."""

import contextlib
import json
import math
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import sqlglot

from sqlenv.data import (
    DataError,
    database_path,
    databases,
    embedded_folder,
    load_questions,
    splits_in,
)
from sqlenv.datasets import folders
from sqlenv.datasets.folders import (
    add_database,
    build_suite,
    new_folder,
    training_splits,
)
from sqlenv.datasets.phrases import people_words
from sqlenv.env import SQLEnvironment, run_gold
from sqlenv.policies import OraclePolicy, evaluate
from sqlenv.sandbox import Sandbox, open_sandbox
from sqlenv.sft import training_folder
from sqlenv.training.config import TrainConfig


def refused(message):
    "The sentence that a mistake of a user is answered with"
    return pytest.raises(DataError, match=re.escape(message))


def make(folder, name, sql):
    "A database file from SQL text"
    with closing(sqlite3.connect(folder / f"{name}.sqlite")) as db:
        db.executescript(sql)
    return folder / f"{name}.sqlite"


def write(folder, content, name="questions.json"):
    "A file of these bytes, or of this JSON"
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    (folder / name).write_bytes(raw)
    return folder / name


# The embedded suite


@pytest.fixture(scope="module")
def everything():
    return [q for split in splits_in() for q in load_questions(split)]


def is_composed(q):
    return q.kind.startswith("depth")


def test_each_question_counts_once(everything):
    composed = [q for q in everything if is_composed(q)]
    assert len({q.question_id for q in everything}) == len(everything)
    assert len({(q.db_id, q.gold_sql) for q in composed}) == len(composed)


@pytest.mark.parametrize("db_id", databases())
def test_a_gold_query_gives_an_answer_that_can_be_written_down(everything, db_id):
    for q in (q for q in everything if q.db_id == db_id):
        rows = run_gold(database_path(db_id), q.gold_sql).rows
        assert 1 <= len(rows) <= 20, q  # as many as a query shows
        assert not is_composed(q) or not any(None in row for row in rows), q


def tied(box, query):
    "Whether another order of rows with equal keys would change what a LIMIT leaves."
    limit, order = query.args.get("limit"), query.args.get("order")
    if limit is None:
        return False
    if order is None:
        return True
    n = int(limit.expression.this)
    probe = query.copy()
    probe.set("expressions", [o.this.copy() for o in order.expressions])
    if skip := probe.args.pop("offset", None):
        n += int(skip.expression.this)
    keys = box.query(probe.limit(n + 1).sql("sqlite"), rows=n + 1).rows
    return len(set(keys)) < len(keys) or any(None in key for key in keys)


def test_no_limit_cuts_through_a_tie_or_has_no_order(everything):
    limits = [q for q in everything if is_composed(q) and "LIMIT" in q.gold_sql]
    assert limits
    for q in limits:
        box, query = open_sandbox(database_path(q.db_id)), sqlglot.parse_one(q.gold_sql, "sqlite")
        assert not any(tied(box, part) for part in query.find_all(sqlglot.exp.Select)), q.gold_sql


def test_the_embedded_suite_is_small():
    files = [p for p in embedded_folder().glob("[dq]*/**/*") if p.is_file()]
    assert sum(p.stat().st_size for p in files) < 18_000_000


@pytest.fixture
def room(tmp_path):
    "A place to build a suite in, whose split `human` is there"
    (tmp_path / "data" / "questions").mkdir(parents=True)
    shutil.copy(embedded_folder() / "questions" / "human.json", tmp_path / "data" / "questions")
    return tmp_path


def test_a_build_that_fails_leaves_what_was_there(room, monkeypatch):
    def fails(*args, **options):
        raise ValueError("half way")

    monkeypatch.setattr(folders, "write_questions", fails)
    monkeypatch.setattr(folders, "COUNTS", dict.fromkeys(folders.COUNTS, 2))
    data = room / "data"
    (room / ".data-4194305-left").mkdir()  # of a build that was killed; no process has this number
    with pytest.raises(ValueError, match="half way"):
        build_suite(data, seed=1)
    assert [p.relative_to(data).as_posix() for p in data.rglob("*.*")] == ["questions/human.json"]
    assert load_questions("human", data) == load_questions("human")
    assert [p.name for p in room.iterdir()] == ["data"]


def test_a_suite_is_not_built_in_a_file(tmp_path):
    (tmp_path / "file").write_text("")
    with refused("file is a file; name a folder"):
        build_suite(tmp_path / "file")


# Replacing a folder


def fill(out, text, **options):
    "Write a folder with a database and one file of questions"
    with new_folder(out, "own.json", **options) as made:
        for part in ("databases/shop", "questions"):
            (made / part).mkdir(parents=True)
        (made / "questions" / "train.json").write_text(text)
        (made / "own.json").write_text("{}")


def filled(out):
    return (out / "questions" / "train.json").read_text()


@pytest.fixture
def mine(tmp_path):
    "A data folder within others that were not there"
    fill(tmp_path / "a" / "shop", "mine")
    return tmp_path / "a" / "shop"


def test_a_data_folder_gives_way(mine):
    fill(mine, "other")
    assert filled(mine) == "other"


def test_a_data_folder_stays_without_force(mine):
    with refused("is a data folder already (database shop; questions train). Give --force"):
        fill(mine, "other", replace=False)
    assert filled(mine) == "mine"


def test_a_data_folder_with_something_else_in_it_stays(mine):
    (mine / "notes.txt").write_text("x")
    with refused("holds 'notes.txt' beside a data folder; move it"):
        fill(mine, "other")
    assert filled(mine) == "mine"


def test_no_folder_is_made_within_a_file(mine):
    with refused("own.json is a file; name a folder"):
        fill(mine / "own.json" / "deeper", "x")
    assert filled(mine) == "mine"


def test_the_old_folder_is_back_when_the_last_step_fails(mine, monkeypatch):
    real = os.replace

    def replace_but_new(source, target):
        "Fails where the new folder takes its place"
        if Path(source).name == "new":
            raise OSError("no")
        real(source, target)

    monkeypatch.setattr(os, "replace", replace_but_new)
    with pytest.raises((DataError, OSError)):
        fill(mine, "third")
    assert filled(mine) == "mine"


def test_of_two_commands_the_quicker_one_stays(tmp_path):
    place = tmp_path / "a" / "twice"
    with refused("is a data folder already"):
        with new_folder(place, "own.json", replace=False):
            fill(place, "first")
    assert filled(place) == "first"
    assert [p.name for p in place.parent.iterdir()] == ["twice"]


KILLED = """
import os, sys
from pathlib import Path
from sqlenv.datasets import folders
if sys.argv[2] == "exchanging":
    folders._exchange = lambda new, out, old: (os.replace(out, old), os.kill(os.getpid(), 9))
with folders.new_folder(Path(sys.argv[1]), "own.json") as made:
    (made / "own.json").write_text("half")
    if sys.argv[2] == "filling":
        os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("when, there", [("filling", ["shop"]), ("exchanging", [])])
def test_the_next_command_clears_up_after_one_that_was_killed(mine, when, there):
    assert subprocess.run([sys.executable, "-c", KILLED, mine, when]).returncode == -9
    hidden, *left = sorted(p.name for p in mine.parent.iterdir())
    assert hidden.startswith(".shop-") and left == there
    with refused("is a data folder already"):
        fill(mine, "second", replace=False)
    assert [p.name for p in mine.parent.iterdir()] == ["shop"]
    assert filled(mine) == "mine"


# A folder of a database of one's own

ODD = """
    CREATE TABLE "order" (
        id INTEGER PRIMARY KEY, town TEXT, price REAL,
        gross REAL GENERATED ALWAYS AS (price * 1.25) VIRTUAL, picture BLOB
    );
    CREATE VIEW cheap AS SELECT * FROM "order" WHERE price < 9;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
    INSERT INTO "order" (id, town, price, picture)
    SELECT i, CASE i % 4 WHEN 0 THEN 'Riga' WHEN 1 THEN 'Oslo' ELSE 'Graz' END,
        i * 1.5, x'00ff' FROM n"""


@pytest.fixture(scope="module")
def added(tmp_path_factory):
    "A folder with `odd.sqlite`, and what was made of it with no more said: `data/odd`"
    place = tmp_path_factory.mktemp("added")
    with contextlib.chdir(place):
        add_database(make(place, "odd", ODD))
    return place


def test_views_and_generated_columns_are_asked_about_and_pictures_are_not(added):
    asked = load_questions("train", added / "data" / "odd")
    assert databases(added / "data" / "odd") == ["odd"]
    assert all(re.search('"order"|cheap', q.gold_sql) for q in asked)
    assert not any("picture" in q.gold_sql for q in asked)
    assert any("gross" in q.gold_sql for q in asked)


THERE = "is a data folder already (database odd; questions dev, eval, train). Give --force"
INSIDE = "data/odd/databases/odd/odd.sqlite"


@pytest.mark.parametrize(
    "message, name, options",
    [
        (f"data/odd {THERE}", "odd.sqlite", dict()),
        (f"odd {THERE}", "other.sqlite", dict(out="data/odd")),
        ("lies in data/odd, which would be replaced", INSIDE, dict(force=True)),
        ("too little in it", "other.sqlite", dict(out="data/odd", force=True)),
        ("holds other files", "odd.sqlite", dict(out=".", force=True)),
    ],
    ids=["its own", "of another database", "around the database", "for nothing", "of other files"],
)
def test_a_folder_is_not_replaced_unawares(added, monkeypatch, message, name, options):
    monkeypatch.chdir(added)  # its questions may have been edited
    if not Path("other.sqlite").exists():
        make(added, "other", "CREATE TABLE t (id INTEGER PRIMARY KEY)")
    before = {p: p.read_bytes() for p in Path("data").rglob("*") if p.is_file()}
    with refused(message):
        add_database(name, **options)
    assert {p: p.read_bytes() for p in Path("data").rglob("*") if p.is_file()} == before


PRICES = [
    dict(
        question=f"What is the price of order {i}, {word}?",
        query=f'SELECT price FROM "order" WHERE id = {i}',
    )
    for i in range(1, 21)
    for word in ("please", "exactly")
]


def test_questions_of_ones_own_replace_a_folder_by_force(tmp_path):
    odd, out = make(tmp_path, "odd", ODD), tmp_path / "mine"
    fill(out, "[]")
    empty = dict(question="Which cost nothing?", gold_sql='SELECT id FROM "order" WHERE price = 0')
    rows = write(tmp_path, [*PRICES, empty | dict(db_id="odd")])
    done = add_database(odd, rows, out, force=True)
    assert databases(out) == ["odd"] and (out / "own.json").exists()
    assert sum(done.splits.values()) == 41
    assert done.flagged == {"empty": 1}
    queries = [{q.gold_sql for q in load_questions(s, out)} for s in done.splits]
    # paraphrases stay on one side
    assert sum(map(len, queries)) == len(set().union(*queries))
    for split in done.splits:
        assert evaluate(SQLEnvironment(out), OraclePolicy(), split).success == 1


# Bad files: whatever is wrong, the answer is a sentence and nothing is made or changed


@pytest.fixture
def try_to_add(tmp_path):
    "`add_database`, refused with a sentence and without a trace"

    def run(message, path=None, questions=None, out="new", words=None):
        path = path or make(tmp_path, "odd", ODD)
        before = sorted(tmp_path.rglob("*"))
        with refused(message):
            add_database(path, questions, tmp_path / out, force=True, words=words)
        assert sorted(tmp_path.rglob("*")) == before

    return run


SHOP = database_path("web_shop").read_bytes()


@pytest.mark.parametrize(
    "message, content",
    [
        ("is empty (0 bytes); build it again", b""),
        ("is not an SQLite database", b"PK not this one either"),
        ("is cut off", SHOP[: len(SHOP) // 2]),
        # a damaged page in a file of the right length is found when the pages are copied or read
        (
            "file.sqlite cannot be copied: SQLite says",
            SHOP[:4096] + b"\xff" * 8192 + SHOP[12288:],
        ),
    ],
    ids=["empty", "text", "half", "torn"],
)
def test_a_file_that_is_no_whole_database_is_refused(tmp_path, try_to_add, message, content):
    try_to_add(message, write(tmp_path, content, "file.sqlite"))


@pytest.mark.parametrize(
    "message, sql",
    [
        ("holds no tables", "CREATE TABLE t (x); DROP TABLE t"),
        ("too little in it to ask about", "CREATE TABLE t (x); INSERT INTO t VALUES (1)"),
        (
            "too little in it to ask about",
            "CREATE VIEW v AS SELECT 1 AS x; CREATE VIEW w AS SELECT * FROM gone",
        ),
    ],
    ids=["bare", "poor", "views"],
)
def test_a_database_with_nothing_to_ask_about_is_refused(tmp_path, try_to_add, message, sql):
    try_to_add(message, make(tmp_path, "file", sql))


@pytest.mark.parametrize(
    "message, name, out",
    [
        ("there is no database file", "gone.sqlite", "new/deep"),
        ("nowhere.sqlite; check the path or create the database first", "nowhere.sqlite", "new"),
        ("is a folder; name an SQLite file", "", "new"),
        (r"The name of the file 'odd\udcff' is not UTF-8 text", "odd\udcff.sqlite", "new"),
    ],
    ids=["gone, for a deep folder", "gone", "a folder", "no text"],
)
def test_what_is_no_file_is_refused(tmp_path, try_to_add, message, name, out):
    try_to_add(message, tmp_path / name, out=out)


@pytest.mark.parametrize(
    "at, words",
    [
        ("", []),
        ("orders", {"orders": {"one": ["purchase"]}}),
        ("order.cost", {"order.cost": {"also": ["bill"]}}),
        ("order", {"order": "purchase"}),
        ("order.price, alsoo", {"order.price": {"alsoo": ["bill"]}}),
        ("order.price, also", {"order.price": {"also": "bill"}}),
        ("order.price, also", {"order.price": {"also": ["bill", ""]}}),
        ("order.price, how", {"order.price": {"how": ["how dear is"]}}),
        ("order.price, do", {"order.price": {"do": "cost {x}"}}),
        ("order.town, values", {"order.town": {"values": {"Riga": [7]}}}),
        ("order.town, values", {"order.town": {"values": {"Riga": "Latvian"}}}),
        ("order.price, most", {"order.price": {"most": []}}),
        ("order.price, did", {"order.price": {"did": " go up"}}),
        ("order, people", {"order": {"people": "yes"}}),
    ],
)
def test_words_that_cannot_be_used_are_refused(tmp_path, try_to_add, at, words):
    try_to_add(f"is not understood at '{at}'.", words=write(tmp_path, words))


def test_a_file_of_words_that_is_not_there_is_refused(tmp_path, try_to_add):
    try_to_add("nowhere.json cannot be read: No such file", words=tmp_path / "nowhere.json")


def test_questions_are_asked_in_words_of_ones_own(tmp_path):
    words = {"order": {"one": ["purchase"], "many": ["purchases"]}}
    words |= {"order.town": {"values": {"Riga": ["Latvian"]}}, "order.price": {"also": ["bill"]}}
    out = tmp_path / "new"
    add_database(make(tmp_path, "odd", ODD), out=out, words=write(tmp_path, words))
    said = " ".join(q.question.lower() for s in splits_in(out) for q in load_questions(s, out))
    assert said.count("purchase") > said.count("order") and "latvian" in said and "bill" in said
    assert people_words(out) == {"odd": words}
    with refused("Give --force"):
        add_database(tmp_path / "odd.sqlite", out=out)
    add_database(tmp_path / "odd.sqlite", out=out, force=True, words=tmp_path / "questions.json")
    c = TrainConfig(data=str(out), generated=0, composed=9)
    folder = training_folder(c, tmp_path / "run")
    asked = [q for q in load_questions("train", folder) if q.kind.startswith("depth")]
    assert any("purchase" in q.question.lower() for q in asked)


def test_a_folder_that_is_not_a_data_folder_is_kept(tmp_path, try_to_add):
    fill(tmp_path / "mine", "x")
    try_to_add("holds other files", out="mine/databases")
    assert filled(tmp_path / "mine") == "x"


GONE, DROP = 'SELECT cost FROM "order"', 'DROP TABLE "order"'


@pytest.mark.parametrize(
    "message, questions",
    [
        ("at least one question", []),
        (
            'row 2: expected an object with "question" and "query"',
            [PRICES[0], dict(question="?")],
        ),
        ("row 1: the question is about 'other', and the", [PRICES[0] | dict(db_id="other")]),
        (
            "the gold query fails: there is no column cost",
            [dict(question="?", query=GONE)],
        ),
        ("row 1: the gold query fails", [dict(question="?", query=DROP)]),
        ("too few to train and to measure", PRICES[:4]),
        ("half a character", [PRICES[0] | dict(question="Wer \ud800?")]),
        ("could not be read as JSON", b'[{"question": '),
        ("nested too deeply", b"[" * 100_000),
        ("is not UTF-8 text", '[{"question": "Käufer?"}]'.encode("latin-1")),
        ("is empty: it must hold a JSON list", b""),
    ],
    ids=[
        "no question",
        "no query",
        "other database",
        "no such column",
        "no SELECT",
        "too few",
        "half a character",
        "half a list",
        "deep",
        "latin-1",
        "empty",
    ],
)
def test_questions_that_are_none_are_refused(tmp_path, try_to_add, message, questions):
    try_to_add(message, questions=write(tmp_path, questions))


def test_a_file_of_questions_that_is_not_there_is_refused(tmp_path, try_to_add):
    try_to_add("There is no question file", questions=tmp_path / "nowhere.json")


@pytest.mark.parametrize("name", ["a folder", "a variable of the shell that is not set"])
def test_a_folder_is_no_file_of_questions(tmp_path, try_to_add, name):
    questions = tmp_path if name == "a folder" else ""
    try_to_add("cannot be read: Is a directory", questions=questions)


# Databases in use


def test_a_database_that_another_program_has_locked_is_refused(tmp_path, try_to_add):
    busy = make(tmp_path, "busy", "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
    with closing(sqlite3.connect(busy, isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        writer.execute("INSERT INTO t (name) VALUES ('b')")
        try_to_add("another program is writing to it", busy)
        writer.execute("ROLLBACK")


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(folders, "OWN_COUNTS", dict(train=30, dev=3, eval=6))


@pytest.mark.parametrize("log", ["is there", "was lost"])
def test_a_database_is_copied_with_what_its_log_holds(tmp_path, log, few):
    path = make(tmp_path, "logged", "PRAGMA journal_mode = WAL")
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.executescript(f"""
            PRAGMA wal_autocheckpoint = 0; ATTACH '{database_path("library")}' AS l;
            CREATE TABLE books AS SELECT * FROM l.books;
            PRAGMA wal_checkpoint; DELETE FROM books WHERE pages < 500""")
        rows = writer.execute("SELECT count(*) FROM books").fetchone()[0]
        if log == "was lost":
            path = Path(shutil.copy(path, tmp_path / "lost.sqlite"))  # without the -wal beside it
            rows = 170  # as at the last checkpoint
        done = add_database(path, out=tmp_path / "new")
    assert done.notes == []
    copied = open_sandbox(database_path(path.stem, tmp_path / "new"))
    assert copied.describe("books").rows == rows


# Large files and full disks


def test_ten_gigabytes_are_not_read_into_memory(tmp_path):
    big = write(tmp_path, SHOP, "big.sqlite")
    os.truncate(big, 10_000_000_000)  # a hole: SQLite does not mind what follows its last page
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    add_database(big, out=tmp_path / "large")
    assert (tmp_path / "large/databases/big/big.sqlite").is_symlink()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


ON_SMALL_DISK = f"""mount -t tmpfs -o size=1m tmpfs "$0" && cd "$0" && echo mounted
head -c "$1" /dev/zero > other
{sys.executable} -m sqlenv.workflow.cli data add "$2"; echo "exit $?"; find . -mindepth 1"""


@pytest.mark.skipif(not shutil.which("unshare"), reason="there is no unshare")
@pytest.mark.parametrize(
    "copied", [False, True], ids=["while the database is copied", "while questions are written"]
)
def test_a_disk_that_fills_up_is_seen(tmp_path, copied):
    path = database_path("web_shop")
    size = path.stat().st_size
    left = size + 60_000 if copied else size // 2  # of a disk of a megabyte
    done = subprocess.run(
        ["unshare", "--mount", "--map-root-user", "sh", "-c", ON_SMALL_DISK, tmp_path]
        + [str(2**20 - left), path],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | dict(PYTHONPATH=os.pathsep.join(sys.path)),
    )
    if not done.stdout.startswith("mounted"):
        pytest.skip("no disk may be mounted here")
    assert "No space left on the disk of data/web_shop" in done.stdout
    assert done.stdout.endswith("exit 1\n./other\n")


# Tables too large to count in time


@pytest.fixture
def two(tmp_path):
    "A database of two tables"
    rows = "; ".join(
        f"INSERT INTO {t} VALUES ({i}, 'Town {i}', {i * 7 % 50})" for t in "ab" for i in range(60)
    )
    columns = "(id INTEGER PRIMARY KEY, name TEXT, size INTEGER)"
    tables = f"CREATE TABLE a {columns}; CREATE TABLE b {columns}"
    return make(tmp_path, "two", f"BEGIN; {tables}; {rows}; COMMIT")


def enlarge(monkeypatch, *names):
    "Let `Sandbox.describe` be as it is for tables that cannot be counted in time"
    real = Sandbox.describe
    monkeypatch.setattr(Sandbox, "describe", lambda box, t: replace(real(box, t), more=t in names))


def test_a_table_too_large_to_count_is_not_asked_about(tmp_path, two, monkeypatch):
    enlarge(monkeypatch, "b")
    done = add_database(two, out=tmp_path / "new")
    assert any("too many rows to count in time: b;" in note for note in done.notes)
    asked = [q for s in ("train", "dev", "eval") for q in load_questions(s, tmp_path / "new")]
    assert len(asked) > 20 and {q.tables for q in asked} == {("a",)}


def test_a_database_of_nothing_but_such_tables_is_refused(tmp_path, two, monkeypatch):
    enlarge(monkeypatch, "a", "b")
    with refused("Give questions of your own"):
        add_database(two, out=tmp_path / "new")
    assert not (tmp_path / "new").exists()


# Databases as people have them

TOWNS, KEY = ("Riga", "Oslo", "Bath", "Graz"), "id INTEGER PRIMARY KEY"


def customers():
    "Amounts that go up to 899 in a table of 600"
    letters = [chr(97 + i % 26) + "bcdef"[i // 26 % 5] + "ghijk"[i // 130] for i in range(600)]
    rows = [
        (i, f"C-{1000 + i}", f"Anna {a}", TOWNS[i % 4], i * 3 // 2) for i, a in enumerate(letters)
    ]
    return {"customers": (f"{KEY}, card TEXT, name TEXT, town TEXT, credits INTEGER", rows)}


def sheets():
    "Of a spreadsheet: its dates, an infinite amount, a column that numbers the rows, odd names"
    sales = [
        (i, f"Dec {i % 28 + 1}, {1960 + i}", TOWNS[i % 4], 5 * i + 3, i * 1.5 or math.inf)
        for i in range(60)
    ]
    words = [(i, TOWNS[i % 4], i * 7 % 50 + 0.5) for i in range(60)]
    return {
        "Sales 2023 ": ('"index" INT, bought TEXT, town TEXT, TripNo INT, paid REAL', sales),
        "[item]": (f"{KEY}, word TEXT, price REAL", words),
    }


def members():
    "A German table"
    rows = [(i, f"Müller{i}", TOWNS[i % 4], i * 7 % 90) for i in range(80)]
    return {"mitglieder": (f"{KEY}, nachname TEXT, ort TEXT, beitrag REAL", rows)}


@pytest.fixture
def asked(tmp_path):
    "Gold queries and questions about a database of some tables: columns with types, and rows"

    def ask(name, tables, then=""):
        with closing(sqlite3.connect(tmp_path / f"{name}.sqlite")) as db:
            for table, (columns, rows) in tables.items():
                db.execute(f'CREATE TABLE "{table}" ({columns})')
                places = ", ".join("?" * len(rows[0]))
                db.executemany(f'INSERT INTO "{table}" VALUES ({places})', rows)
            db.commit()
            db.executescript(then)
        add_database(tmp_path / f"{name}.sqlite", out=tmp_path / "new")
        parts = {s: load_questions(s, tmp_path / "new") for s in ("train", "dev", "eval")}
        assert len(parts["train"]) > len(parts["eval"]) >= len(parts["dev"])
        every = [q for questions in parts.values() for q in questions]
        return " ".join(q.gold_sql for q in every), " ".join(q.question for q in every)

    return ask


def test_values_are_of_the_whole_range_and_rows_are_called_by_their_names(asked):
    view = "CREATE VIEW regulars AS SELECT name, town, credits FROM customers WHERE credits > 700"
    golds, _ = asked("shop", customers(), view)
    limits = [int(x) for x in re.findall(r"credits [<>]=? (\d+)", golds)]
    assert max(limits) > 600 > 300 > min(limits)
    assert "'Anna " in golds and "'C-1" not in golds and "FROM regulars" in golds


def test_nothing_is_averaged_that_only_counts(asked):
    golds, texts = asked("vehicles", sheets())
    assert not re.search(r'Dec \d|(AVG|SUM)\("?(index|TripNo|paid)', golds)
    assert '"Sales 2023 "' in golds and '"[item]"' in golds
    assert not re.search(r"2023s|\[", texts)


def test_no_german_word_gets_an_english_plural(asked):
    golds, texts = asked("verein", members())
    assert "mitglieders" not in texts and "AVG(beitrag)" in golds


# A folder of the old kind: three wordings of each gold query, kinds such as `count_cat`, and a
# split `wordings` beside the others, which is left alone.

WORDINGS = "How many books have the genre {}?", "count the books of genre {}", "{} books, how many"
GENRES = dict(
    train=("Fantasy", "History", "Crime", "Poetry"),
    dev=("Biography",),
    eval=("Romance",),
    wordings=("Romance",),
)


@pytest.fixture
def old(tmp_path):
    "Such a folder"
    place = tmp_path / "old" / "databases" / "shop"
    place.mkdir(parents=True)
    shutil.copy(database_path("library"), place / "shop.sqlite")
    (tmp_path / "old" / "questions").mkdir()
    for split, genres in GENRES.items():
        rows = [
            dict(
                question_id=f"shop-{split}-{i:03d}{letter}",
                question=text.format(genre),
                db_id="shop",
                gold_sql=f"SELECT count(*) FROM books WHERE genre = '{genre}'",
                answer_type="integer",
                difficulty="easy",
                tables=["books"],
                split=split,
                kind="count_cat",
            )
            for i, genre in enumerate(genres)
            for letter, text in zip("abc", WORDINGS, strict=True)
        ]
        write(tmp_path / "old" / "questions", rows, f"{split}.json")
    return tmp_path / "old"


def test_a_folder_of_the_old_kind_loads(old, tmp_path):
    assert splits_in(old) == ["train", "dev", "eval"]
    assert len(training_splits(old, tmp_path / "run")["train"]) == 12


def test_a_folder_of_the_old_kind_trains(old, tmp_path):
    from sqlenv.sft import start_model, train_sft, training_folder  # only this test loads torch
    from sqlenv.training.config import TrainConfig
    from sqlenv.training.demonstrations import demonstrate

    config = TrainConfig(
        data=str(old), generated=2, per_database=4, hidden=32, vocab=300, sft_steps=2, sft_batch=2,
        model="tiny", induction=False, processes=1, threads=1,
    )  # fmt: skip
    run = training_folder(config, tmp_path / "run")
    train = load_questions("train", run)
    kinds = Counter(q.kind.split()[0] for q in train)
    assert kinds["count_cat"] == 12 and set(kinds) == {"count_cat", "depth"}
    conversations, episodes = demonstrate(train, run)
    assert [e.question for e in episodes] == train
    assert any(e.correct for e in episodes)
    model, tokenizer = start_model(config, conversations)
    train_sft(config, model, tokenizer, conversations[:8], tmp_path / "model")
