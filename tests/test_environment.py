"""The environment: bad input, repeated episodes, threads, and what an observation gives away."""

import copy
import os
import pickle
import random
import re
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest

from sqlenv.data import DataError, Question, database_path, load_questions
from sqlenv.datasets.folders import to_question
from sqlenv.env import SQLAction, SQLEnvironment, run_gold
from sqlenv.sandbox import Sandbox, open_sandbox
from sqlenv.sql import linking
from sqlenv.sql.guard import Limits


def says(words, kind=Exception):
    "An error that says this"
    return pytest.raises(kind, match=re.escape(words))


def observations(env, question, actions):
    "All observations of an episode"
    return [env.reset(question=question)] + [env.step(a) for a in actions]


@pytest.fixture(scope="module")
def question():
    return next(q for q in load_questions("train") if q.answer_type == "integer")


@pytest.fixture(scope="module")
def table(question):
    return question.tables[0]


@pytest.fixture
def env():
    return SQLEnvironment()


# Actions


@pytest.mark.parametrize(
    "text, action",
    [
        ("describe singers", SQLAction("DESCRIBE", "singers")),
        ("SELECT 1", SQLAction("QUERY", "SELECT 1")),
        ("ANSWER\nYork\nRome", SQLAction("ANSWER", "York\nRome")),
        (" Sample\tsingers\n", SQLAction("SAMPLE", "singers")),
        ("", SQLAction("QUERY", "")),
    ],
)
def test_an_action_is_read_from_text(text, action):
    assert SQLAction.parse(text) == action


@pytest.mark.parametrize(
    "make, given, words",
    [
        (SQLAction, ("DROP", "x"), "Actions are"),
        (SQLAction, ("QUERY", None), "must be text"),
        (SQLAction.parse, (b"SELECT 1",), "read from text"),
    ],
)
def test_what_is_no_action(make, given, words):
    with says(words):
        make(*given)


# Episodes


def test_the_same_actions_give_the_same_observations(question, table):
    actions = [
        f"DESCRIBE {table}",
        f"SAMPLE {table}",
        "QUERY SELECT nonsense",
        f"QUERY {question.gold_sql}",
        "QUERY SELECT 1",
        "ANSWER 42",
        "ANSWER 43",
    ]
    one, two = (observations(SQLEnvironment(), question, actions) for _ in range(2))
    assert one == two


def test_seeds_choose_different_questions(env):
    assert len({env.reset(seed=s).question for s in range(20)}) > 10


@pytest.mark.parametrize("named", [True, False], ids=["its column", "another"])
def test_an_answer_may_name_the_columns_of_the_gold_result(env, named):
    "Anything else in front of a value makes the answer wrong"
    listed = next(q for q in env.questions("dev") if q.answer_type == "list")
    env.reset(question=listed)
    header = env.gold_result.columns if named else ["another"]
    env.step(SQLAction("ANSWER", "\n".join([*header, *(row[0] for row in env.gold)])))
    assert env.episode.correct == named


# Limits


def test_an_environment_has_limits_of_its_own(question, table):
    "Fewer rows to show, or shorter values where no watchdog can end a long step"
    small = SQLEnvironment(limits=Limits(rows=3, value_length=4000, opcodes=200))
    small.reset(question=question)
    small.step(f"QUERY SELECT * FROM {table}")
    assert small.episode.turns[-1].result.split("\n")[-1] == "(3 rows shown, more exist)"
    assert small.step("QUERY SELECT hex(zeroblob(3000))").error


def test_limits_are_limits():
    with says("must be a Limits"):
        SQLEnvironment(limits=dict(rows=3))


# The gold result


def put_in_place(path, lives):
    "A database of cats, in the place of the one before"
    part = path.with_suffix(".part")
    with closing(sqlite3.connect(part)) as db, db:
        db.execute("CREATE TABLE cats AS SELECT ? AS lives", (lives,))
    part.replace(path)
    return path


@pytest.fixture
def cats(tmp_path):
    return put_in_place(tmp_path / "cats.sqlite", 5)


def test_a_database_that_replaces_another_has_gold_results_of_its_own(tmp_path):
    "Even when it is not a byte longer"
    sizes = set()
    for n in (3, 5):
        path = put_in_place(tmp_path / "cats.sqlite", n)
        assert run_gold(path, "SELECT lives FROM cats").rows == ((n,),)
        assert run_gold(path, "SELECT lives FROM cats").columns == ("lives",)
        sizes.add(path.stat().st_size)
    assert len(sizes) == 1


def test_gold_may_write_a_text_in_double_quotes(cats):
    assert run_gold(cats, 'SELECT count(*) FROM cats WHERE lives < "many"').rows == ((1,),)


def test_a_gold_query_that_fails(cats):
    with says("The gold query fails on cats.sqlite: there is no column paws"):
        run_gold(cats, "SELECT paws FROM cats")


def test_a_gold_query_without_its_database(cats):
    with says("there is no database file"):
        run_gold(cats.with_name("dogs.sqlite"), "SELECT 1")


LONG = """WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 1500000)
SELECT count(*) FROM t"""


def test_a_query_of_an_agent_has_twenty_million_steps():
    with says("more than 20,000,000 steps"):
        Sandbox(database_path("zoo")).query(LONG)


def test_a_gold_query_has_thirty_times_as_many():
    zoo = database_path("zoo")
    assert run_gold(zoo, LONG).rows == ((1_500_000,),)
    row = dict(db_id="zoo", question="How many?", query=LONG)
    assert to_question(row, zoo, "zoo-1").answer_type == "integer"


# Bad input


@pytest.fixture
def begun(env, question, table):
    "An environment within an episode"
    env.reset(question=question)
    env.step(f"DESCRIBE {table}")
    return env


BAD_RESETS = [
    (dict(question_id="no_such"), DataError, "no question"),
    (dict(question_id=["x"]), DataError, "no question"),
    (dict(split="test"), DataError, "Unknown split"),
    (dict(seed=[1]), ValueError, "whole number"),
    (dict(question="How many?"), DataError, "must be a Question"),
]
BAD_QUESTIONS = [
    (dict(db_id="nowhere"), {}, "no database"),
    (dict(db_id=None), {}, "must be text"),
    (dict(db_id=""), {}, "no database"),
    (dict(gold_sql="SELECT nonsense"), {}, "gold query fails"),
    (dict(gold_sql=b"SELECT 1"), {}, "must be text"),
    ({}, dict(database=7), "must be the path"),
    ({}, dict(database="nowhere.sqlite"), "no database file"),
]


def refused(env, call, kind, words):
    "One error with one sentence; the running episode stays as it was"
    running, before = env.episode, env.observe()
    with pytest.raises(kind) as e:
        call()
    said = str(e.value)
    assert words in said and 10 < len(said) < 400 and "\n" not in said
    assert env.episode is running and env.observe() == before


@pytest.mark.parametrize("given, kind, words", BAD_RESETS)
def test_a_bad_reset(begun, given, kind, words):
    refused(begun, lambda: begun.reset(**given), kind, words)


@pytest.mark.parametrize("changes, more, words", BAD_QUESTIONS)
def test_a_bad_question(begun, question, changes, more, words):
    changed = replace(question, **changes)
    refused(begun, lambda: begun.reset(question=changed, **more), DataError, words)


@pytest.mark.parametrize("action", [3, None, b"SELECT 1"])
def test_a_bad_step(begun, action):
    refused(begun, lambda: begun.step(action), ValueError, "takes an SQLAction")


@pytest.mark.parametrize(
    "given, words",
    [
        (dict(budget=0), "1 or more"),
        (dict(budget=True), "1 or more"),
        (dict(budget="9"), "1 or more"),
        (dict(rewards=None), "RewardConfig"),
        (dict(data=7), "path of a folder"),
    ],
)
def test_a_bad_environment(begun, given, words):
    refused(begun, lambda: SQLEnvironment(**given), ValueError, words)


def test_a_step_before_the_first_reset(begun):
    refused(begun, lambda: SQLEnvironment().step("x"), RuntimeError, "reset")


ODD = {
    "nothing": "",
    "a space": " ",
    "no table": "DESCRIBE",
    "a million letters": "DESCRIBE " + "x" * 1_000_000,
    "a zero byte": "SAMPLE \0",
    "half a character": "QUERY \ud800",
    "no action": "ANSWERS 3",
    "emoji": "🙂" * 9,
    "brackets": "QUERY " + "(" * 9000,
    "sqlite's own table": "DESCRIBE sqlite_master",
}


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_text_fails_with_a_sentence_and_costs_a_step(begun, odd):
    obs = begun.step(ODD[odd])
    assert obs.error and len(obs.error) < 400 and not obs.done
    assert len(begun.episode.turns) == 2


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_an_environment_is_not_copied(begun, copied):
    with says("make another with SQLEnvironment(data, budget, rewards, limits)"):
        copied(begun)


def test_a_question_without_gold_about_a_database_of_ones_own(env, tmp_path):
    path = tmp_path / "mine.sqlite"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE cat(name TEXT)")
    mine = Question("mine", "What is the cat called?", "mine", "", "", "", (), "")
    env.reset(question=mine, database=path)
    env.step("SELECT name FROM cat")
    assert env.episode.turns[-1].reward.total == pytest.approx(0.025)
    with says("no database file"):
        env.reset(question=mine, database=path.with_name("dog.sqlite"))
    assert env.step("ANSWER Tom").done and not env.episode.correct


# Threads


def answers(question):
    "An episode in a new environment"
    actions = [f"DESCRIBE {question.tables[0]}", f"QUERY {question.gold_sql}", "ANSWER 1"]
    return observations(SQLEnvironment(), question, actions)


def test_64_threads_see_what_one_thread_sees(monkeypatch):
    "Each in environments of its own, on the same databases, a hundred questions in its own order"
    some = load_questions("dev")[:100]
    alone = [answers(q) for q in some]
    monkeypatch.setattr(Sandbox, "clock", staticmethod(lambda: 0.0))  # no query runs out of time

    def differing(k):
        order = random.Random(k).sample(range(len(some)), len(some))
        return [some[i].question_id for i in order if answers(some[i]) != alone[i]]

    with ThreadPoolExecutor(64) as pool:
        assert list(pool.map(differing, range(64))) == [[]] * 64


def test_threads_that_share_an_environment_by_mistake(env, question, table):
    "A call that comes in while another runs changes nothing and says what to do"
    began, go = threading.Event(), threading.Event()

    class Waits(str):
        "An argument that takes until it is let go"

        def strip(self):
            began.set()
            go.wait()
            return super().strip()

    env.reset(question=question)
    running = threading.Thread(target=env.step, args=[SQLAction("DESCRIBE", Waits(table))])
    running.start()
    began.wait()
    try:
        for call in (lambda: env.step("QUERY SELECT 1"), lambda: env.reset(seed=1)):
            with says("make one SQLEnvironment for each thread"):
                call()
    finally:
        go.set()
        running.join()
    assert len(env.episode.turns) == 1


def elsewhere(f, *args):
    "What `f` gives in a new thread"
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(f, *args).result()


def test_one_thread_after_the_other_may_take_a_step_of_an_episode(begun):
    assert elsewhere(begun.step, "QUERY SELECT 2").step_count == 2  # handed over,
    assert begun.step("QUERY SELECT 3").step_count == 3  # and back


# What an observation gives away


def seen(obs):
    "An observation without the rewards"
    return (
        obs.text,
        obs.result,
        obs.error,
        obs.tables,
        obs.schema_info,
        obs.done,
        obs.step_count,
        obs.budget_remaining,
        [(t.action, t.result, t.error) for t in obs.action_history],
    )


@pytest.fixture(scope="module")
def twins():
    "Questions about one database, two by two"
    groups = {}
    for q in load_questions("train"):
        groups.setdefault(q.db_id, []).append(q)
    return [pair for qs in groups.values() for pair in zip(qs[:40], qs[40:80], strict=False)]


def test_what_a_model_reads_does_not_depend_on_the_gold_query(env, twins):
    "Of questions that differ in it alone; only the rewards do, which are for training code"
    paid = 0
    for a, b in twins:
        actions = [
            f"DESCRIBE {a.tables[0]}",
            f"QUERY {a.gold_sql}",
            f"QUERY {b.gold_sql}",
            f"QUERY SELECT count(*) FROM {a.tables[0]}",
            "ANSWER x",
        ]
        one = observations(env, a, actions)
        paid_one = [t.reward.total for t in env.episode.turns]
        two = observations(env, replace(b, question=a.question), actions)
        assert list(map(seen, one)) == list(map(seen, two))
        assert [o.reward for o in one[:-1]] == [o.reward for o in two[:-1]]
        paid += paid_one != [t.reward.total for t in env.episode.turns]
    assert paid > len(twins) / 2  # the rewards do differ, so there was something to give away


# What is shown is bounded, and is text


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    "Thousands of tables, long cells, and special tokens of models"
    path = tmp_path_factory.mktemp("wide") / "wide.sqlite"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("begin")  # written at once
        for i in range(3_000):
            db.execute(f"create table table_{i} (a)")
        db.execute("create table long (a, b)")
        texts = [("<|im_end|>", "x" * 50_000), ("</tool_call><|im_start|>", "a <b> c")] * 10
        db.executemany("insert into long values (?, ?)", texts)
    return path


@pytest.fixture
def asked(env, wide):
    "The environment and the first observation of a question about it"
    q = Question("q", "Is <|im_end|> here?", "wide", "", "text", "easy", (), "dev")
    return env, env.reset(question=q, database=wide)


def test_the_names_of_many_tables_are_a_few_pages(asked):
    _, obs = asked
    assert obs.text.endswith("… and 2,701 more") and len(obs.text) < 5_000


def test_a_question_is_no_special_token(asked):
    _, obs = asked
    assert "Is < |im_end|> here?" in obs.text


@pytest.mark.parametrize(
    "action", ["SAMPLE long", "QUERY SELECT * FROM long", "DESCRIBE <|im_end|>"]
)
def test_what_is_shown_is_bounded_and_no_special_token(asked, action):
    "Neither a text from a database nor one in an error"
    env, _ = asked
    text = env.step(action).text
    assert len(text) < 25_000
    assert "<|im_" not in text and "</tool_call>" not in text


@pytest.mark.parametrize(
    "query, shown",
    [
        ("SELECT b FROM long WHERE length(b) < 9", "a <b> c"),
        ("SELECT b FROM long LIMIT 1", "(50,000 characters)"),
    ],
)
def test_other_texts_are_shown(asked, query, shown):
    env, _ = asked
    assert shown in env.step(f"QUERY {query}").text


def test_marked_tables_are_named_or_hold_a_value_and_odd_ones_do_no_harm(tmp_path):
    path = tmp_path / "many.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute('CREATE TABLE "odd ""name"" *" (id INTEGER PRIMARY KEY, "the `town`" TEXT)')
        db.execute("""INSERT INTO "odd ""name"" *" VALUES (1, 'L''Aquila')""")
        db.execute("CREATE VIEW gone AS SELECT * FROM missing")
        for i in range(60):
            db.execute(f"CREATE TABLE t{i} (a TEXT, b BLOB)")
            db.execute(f"INSERT INTO t{i} VALUES ('value {i}', x'00')")
        db.execute("CREATE TABLE person_visits (person INTEGER, note TEXT)")
        db.commit()
    env = SQLEnvironment(marks=True)

    def marked(text):
        asked = Question("mine", text, "mine", "", "", "", (), "")
        shown = env.reset(question=asked, database=path).text
        assert set(re.findall(r"(t\d+|person_visits) \*", shown)) <= env.marked
        return env.marked

    assert marked("who lives in l'aquila?") == {'odd "name" *'}
    assert marked("what is value 7?") == {"t7"}
    assert marked("what is value 58?") == set()  # beyond the tables that are looked into
    assert marked("how many visits are there?") == {"person_visits"}
    assert marked("clients of the oldest") == set()  # no name has a word that these mean
    assert marked("") == marked("x" * 100_000) == marked("* ' \" ;") == set()
    assert SQLEnvironment().reset(seed=0).text.count("*") == 0


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.executescript("""
            CREATE TABLE tbl_cust (cust_nm TEXT, birth_date DATE, Größe REAL, 出生日期 DATE);
            INSERT INTO tbl_cust VALUES ('Ann', '1990-01-01', 1.7, '1990-01-01');
            CREATE TABLE staff (full_name TEXT, birth_date DATE, gender TEXT, size TEXT);
            INSERT INTO staff VALUES ('Cy', '1980-01-01', 'F', 'M'), ('Di', '1970-01-01', 'M', 'F');
            CREATE TABLE parcels (weight_kg REAL, age INTEGER);""")
    return path


@pytest.mark.parametrize(
    ("question", "tables", "table", "columns"),
    [
        ("who are our clients?", {"tbl_cust"}, "tbl_cust", {"cust_nm": " *"}),
        ("the heaviest of all", {"parcels"}, "parcels", {"weight_kg": " *"}),
        ("who is the oldest?", set(), "staff", {"birth_date": " *"}),  # two tables have one
        ("how many women?", {"staff"}, "staff", {"gender": " = 'F'"}),  # and no `size`
        ("agents of an agency", set(), "parcels", {}),  # `age` is a word and shortens nothing
        ("customers", {"tbl_cust"}, "tbl_cust", {"cust_nm": " *"}),
    ],
)
def test_names_and_values_are_marked_that_another_word_means(
    people, question, tables, table, columns
):
    env = SQLEnvironment(marks=True)
    env.reset(question=Question("mine", question, "people", "", "", "", (), ""), database=people)
    assert env.marked == tables
    assert linking.marks(env.box, env.box.describe(table), question) == columns


def test_a_value_that_is_said_comes_before_one_that_is_meant(people):
    with closing(sqlite3.connect(people)) as db:
        db.execute("UPDATE staff SET gender = 'women' WHERE full_name = 'Di'")
        db.commit()
    box = open_sandbox(people)
    assert linking.find_values(box, box.describe("staff"), "women")["gender"] == "women"


def test_marks_do_not_depend_on_the_order_of_sets():
    code = "from sqlenv.sql.linking import *; print(sorted(said_names(['movies', 'stories_cust'], "
    code += "'customers who are moving, with a story')))"
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | dict(PYTHONHASHSEED=seed),
            capture_output=True,
            text=True,
        ).stdout
        for seed in "1234"
    }
    assert seen == {"['stories_cust']\n"}
