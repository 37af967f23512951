"""The everyday questions: their databases are built from scripts, each has one answer, and no
other file of questions has their words."""

import json
import re
import runpy
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing

import pytest
import sqlglot
from test_folders import tied

from sqlenv.data import (
    DataError,
    choosing,
    database_path,
    databases,
    load_questions,
    shipped,
    splits_in,
)
from sqlenv.datasets.folders import to_question
from sqlenv.env import run_gold
from sqlenv.sandbox import open_sandbox

EVERYDAY = shipped("everyday")
QUESTIONS = load_questions("written", EVERYDAY)
DATABASES = ["heatsvc", "hiking_club", "translator"]


def content(path):
    "The SQL that makes a database, and nothing that depends on the version of SQLite"
    with closing(sqlite3.connect(path)) as db:
        return list(db.iterdump())


def test_the_scripts_build_the_databases(tmp_path):
    runpy.run_path(str(EVERYDAY / "build.py"))["build"](tmp_path)
    assert databases(EVERYDAY) == DATABASES
    for name in DATABASES:
        built = tmp_path / "databases" / name / f"{name}.sqlite"
        assert content(built) == content(database_path(name, EVERYDAY))


def test_the_databases_are_small_and_new():
    assert not {*DATABASES} & {*databases()}
    assert sum(database_path(name, EVERYDAY).stat().st_size for name in DATABASES) < 300_000
    for name in DATABASES:
        with closing(sqlite3.connect(database_path(name, EVERYDAY))) as db:
            tables = [t for (t,) in db.execute("SELECT name FROM sqlite_schema WHERE sql > ''")]
            sizes = [db.execute(f'SELECT COUNT(*) FROM "{t}"').fetchone()[0] for t in tables]
        assert 3 <= len(tables) <= 6 and 60 <= min(sizes) <= max(sizes) <= 300


def test_there_are_twenty_questions_a_database():
    assert Counter(q.db_id for q in QUESTIONS) == dict.fromkeys(DATABASES, 20)
    assert len({q.question.lower() for q in QUESTIONS}) == 60


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.question_id)
def test_a_question_has_one_answer_that_the_screen_shows(question):
    path = database_path(question.db_id, EVERYDAY)
    rows = run_gold(path, question.gold_sql).rows
    assert 1 <= len(rows) <= 20 and (None,) not in rows
    parts = sqlglot.parse_one(question.gold_sql, "sqlite").find_all(sqlglot.exp.Select)
    assert not any(tied(open_sandbox(path), part) for part in parts)
    asked = dict(db_id=question.db_id, question=question.question, query=question.gold_sql)
    found = to_question(asked, path, question.question_id)
    for name in ("question", "gold_sql", "answer_type", "difficulty", "tables", "flag"):
        assert getattr(question, name) == getattr(found, name), name


def test_no_other_question_has_these_words():
    def words(question):
        return " ".join(re.findall(r"\w+", question.question.lower()))

    others = set()
    for folder in (None, shipped("new_kinds")):
        for split in splits_in(folder):
            others |= {words(q) for q in load_questions(split, folder)}
    assert others and not others & {words(q) for q in QUESTIONS}


def test_nothing_is_chosen_by_them():
    assert splits_in(EVERYDAY) == ["written"]
    with choosing(), pytest.raises(DataError, match="Nothing may be chosen"):
        load_questions("written", EVERYDAY)


@pytest.mark.parametrize(("policy", "least", "most"), [("oracle", 1, 1), ("random", 0, 0.1)])
def test_they_are_measured_by_the_command_line(policy, least, most):
    command = [sys.executable, "-m", "sqlenv.workflow.cli", "eval", "--json", "--model", policy]
    command += ["--data", EVERYDAY, "--split", "written"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)["evaluations"]
    assert all(len(part["correct"]) == 60 for part in found)
    assert least <= found[0]["success"] <= most
