"What is wrong with a sketch is said with its file, table and column, and no file is left"

import random
import sqlite3
from contextlib import closing

import pytest

from sqlenv.datasets.databases import DatabaseError, build_database
from sqlenv.datasets.sketch import build_sketch

LAMP = "CREATE TABLE lamps ( -- 3 rows\n  id INTEGER PRIMARY KEY,\n  a TEXT{}\n);"
ROOM = "CREATE TABLE rooms ( -- 2 rows\n  id INTEGER PRIMARY KEY\n);\n"
OF_A_ROOM = LAMP.format(" REFERENCES rooms(id)")


def built(text, folder):
    (folder / "made.sketch").write_text(text, encoding="utf-8")
    path = build_database("made", folder / "made.sqlite", folder=folder)
    with closing(sqlite3.connect(path)) as con:
        return [row for (row,) in con.execute("SELECT a FROM lamps ORDER BY id")]


def column(said):  # the comment of lamps.a
    return LAMP.format(f" -- {said}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no table is created in it"),
        (LAMP.format("").replace("-- 3 rows", ""), "lamps: how many rows?"),
        (LAMP.format("").replace("3 rows", "0 rows"), "lamps: how many rows?"),
        (LAMP.format(""), "lamps.a: no comment says what is in it"),
        (column("sorted"), "lamps.a: no comment says what is in it"),
        (column("@nobody"), "lamps.a: there is no pool of words @nobody"),
        (column("a*0"), "lamps.a: 'a*0' gives each of its values no weight"),
        (column("9..5"), "lamps.a: 9..5 is not a span such as 1..12"),
        (column("1..12 lo"), "lamps.a: 1..12 lo is not a span"),
        (column("1.2.3..5"), "lamps.a: 1.2.3..5 is not a span"),
        (column("1..5-6"), "lamps.a: 1..5-6 is not a span"),
        (column("2024-01-01..2024-02-30"), "2024-01-01..2024-02-30 is not a span"),
        (column("2024-01-01..08:30"), "2024-01-01..08:30 is not a span"),
        (column("22:00..02:00"), "22:00..02:00 is not a span"),
        (column("08:00..24:00"), "08:00..24:00 is not a span"),
        (
            column("1..9 | none sorted").replace("3 rows", "40 rows"),
            "lamps.a: 40 values of one kind are needed to be sorted",
        ),
        (column("x | y unique sorted"), "lamps.a: 3 values of one kind are needed to be sorted"),
        (column("x | y unique"), "lamps: only 2 of 3 rows could be drawn: a has too few values"),
        (column("= other"), "lamps.a: no such column: other"),
        (column("1..9").replace("TEXT", "INT CHECK (a > 100)"), "CHECK constraint failed"),
        (column("= id").replace("TEXT", "TEXT NOT NULL"), "NOT NULL constraint failed: lamps.a"),
        (OF_A_ROOM, "no such table: rooms"),
        (
            ROOM + OF_A_ROOM.replace("(id)", ""),
            "lamps.a: name the column, as in REFERENCES rooms(id)",
        ),
        (OF_A_ROOM + ROOM, "lamps.a: rooms has no rows yet: write it above"),
        (ROOM + OF_A_ROOM.replace("(id)", "(no)"), "foreign key mismatch"),
        ("CREATE TABEL lamps", 'near "TABEL": syntax error'),
    ],
)
def test_a_mistake_is_said(tmp_path, text, said):
    with pytest.raises(DatabaseError) as e:
        built(text, tmp_path)
    message = str(e.value)
    assert message.startswith("Cannot build made from made.sketch: ") and said in message
    assert message.endswith(".") and not message.endswith("..")
    assert [path.name for path in tmp_path.iterdir()] == ["made.sketch"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (column("new"), {"new"}),
        (column("new | sorted | unique*2"), {"new", "sorted", "unique"}),
        (column("= 'a -- b'").replace("TEXT", "TEXT DEFAULT '--'"), {"a -- b"}),
        (column("= CASE WHEN id > 0 THEN 'unique' END"), {"unique"}),
        (column("= rnd(2, 1) || rnd(id, NULL)"), {None}),
        (column("red ?100%"), {None}),
        (LAMP.format(" REFERENCES lamps(ID)").replace("lamps ( --", "lamps( --"), {"1", "2", None}),
        (ROOM + LAMP.format(" REFERENCES Rooms(ID)"), {"1", "2"}),
        ("-- @b: x,\n" + column("@b"), {"x"}),
        (column("x").replace("PRIMARY KEY", "PRIMARY KEY AUTOINCREMENT"), {"x"}),
    ],
)
def test_what_it_says_is_drawn(tmp_path, text, values):
    rows = built(text, tmp_path)
    assert len(rows) == 3 and {*rows} <= values


def test_a_reference_is_to_the_column_that_it_names(tmp_path):
    code = "CREATE TABLE lamps ( -- 9 rows\n  id INTEGER PRIMARY KEY,\n"
    code += "  code TEXT UNIQUE, -- B## unique\n  a TEXT REFERENCES lamps(code)\n);"
    assert {row and row[0] for row in built(code, tmp_path)} == {None, "B"}


def test_a_reference_that_is_no_column_is_said_by_sqlite_without_a_file():
    text = LAMP.format(" REFERENCES lamps(no)")
    with closing(sqlite3.connect(":memory:")) as con, pytest.raises(sqlite3.OperationalError):
        build_sketch(con, text, random.Random(0))
