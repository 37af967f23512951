"""Every question of the split `human` can be answered, its words are in no other split, and
nothing that trains reads it."""

import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

import sqlenv
from sqlenv.data import RUN_SPLITS, database_path, hardness, load_questions, normal_sql
from sqlenv.datasets.databases import SEEN_DATABASES, UNSEEN_DATABASES
from sqlenv.datasets.folders import to_question, training_splits
from sqlenv.env import SQLEnvironment, run_gold
from sqlenv.policies import OraclePolicy, RandomPolicy, evaluate

HUMAN = load_questions("human")
DATABASES = sorted({q.db_id for q in HUMAN})


def test_is_about_the_described_databases():  # `written` is about the others
    assert len(HUMAN) >= 300
    assert len(DATABASES) == 16 and {*DATABASES} <= {*SEEN_DATABASES, *UNSEEN_DATABASES}


@pytest.mark.parametrize("db_id", DATABASES)
def test_an_answer_is_all_on_the_screen(db_id):
    for q in (q for q in HUMAN if q.db_id == db_id):
        gold = run_gold(database_path(db_id), q.gold_sql)
        assert 1 <= len(gold.rows) <= 20 and len(gold.columns) <= 3, q.question_id


@pytest.mark.parametrize("db_id", DATABASES)
def test_what_is_said_about_a_query_is_what_the_project_finds_in_it(db_id):
    for q in (q for q in HUMAN if q.db_id == db_id):
        asked = dict(db_id=db_id, question=q.question, query=q.gold_sql)
        found = to_question(asked, database_path(db_id), q.question_id)
        for name in ("question", "answer_type", "difficulty", "tables", "flag"):
            assert getattr(q, name) == getattr(found, name), (q.question_id, name)
        assert (q.split, q.difficulty) == ("human", hardness(q.gold_sql)), q.question_id


def test_no_query_is_asked_for_twice():
    assert max(Counter((q.db_id, normal_sql(q.gold_sql)) for q in HUMAN).values()) == 1
    assert len({q.question_id for q in HUMAN}) == len(HUMAN)


def test_every_hardness_is_there():
    levels = Counter(q.difficulty for q in HUMAN)
    assert min(levels.values()) / len(HUMAN) > 0.15


def test_the_oracle_is_always_right_and_chance_hardly_ever():
    env = SQLEnvironment()
    assert evaluate(env, OraclePolicy(), "human").success == 1
    assert evaluate(env, RandomPolicy(), "human").success < 0.05


def words(q):
    "The database and the words of a question, whatever their case, spacing and punctuation"
    return q.db_id, " ".join(re.findall(r"\w+", q.question.lower()))


def test_no_wording_comes_twice():
    assert len({words(q) for q in HUMAN}) == len(HUMAN)


@pytest.mark.parametrize("split", RUN_SPLITS)
def test_no_wording_is_in_another_split(split):
    assert not {words(q) for q in HUMAN} & {words(q) for q in load_questions(split)}


@pytest.mark.parametrize("split", ["train", "dev"])
def test_what_is_written_to_learn_from_is_not_like_it(split):
    "Neither its gold query, nor four fifths of the words of the longer of two questions"
    bags, queries = defaultdict(list), {(q.db_id, normal_sql(q.gold_sql)) for q in HUMAN}
    for q in HUMAN:
        bags[q.db_id].append(Counter(words(q)[1].split()))
    for q in load_questions(split):
        if q.db_id not in bags or q.kind.startswith("depth"):  # composed: of the same few words
            continue
        own = Counter(words(q)[1].split())
        like = max((own & bag).total() / max(own.total(), bag.total()) for bag in bags[q.db_id])
        assert like < 0.8 and (q.db_id, normal_sql(q.gold_sql)) not in queries, q.question_id


def test_the_folder_of_a_run_is_made_without_it(tmp_path):
    # the tests of `sqlenv train` have a whole run with a `human.json` that cannot be read
    found = training_splits(Path(database_path("zoo")).parents[2], tmp_path)
    assert set(found) == set(RUN_SPLITS)
    assert not any(q.split == "human" for questions in found.values() for q in questions)


def test_no_module_that_trains_names_it():
    package, naming = Path(sqlenv.__file__).parent, set()
    for path in package.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.name != "_modidx.py" and re.search(r"[\"'/]human\b|\bhuman=", text):
            naming.add(path.relative_to(package).as_posix())
    assert naming == {"analysis.py", "data.py", "datasets/folders.py"}  # and what splits there are
