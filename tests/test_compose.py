"""What holds for ten thousand composed questions: every draw runs and is unambiguous, a second
program reads the tree back from the SQL, and the words say what the SQL says."""

import random
import re
import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from types import SimpleNamespace

import pytest
import sqlglot
from sqlglot import exp

from sqlenv.data import Question, database_path, databases
from sqlenv.datasets.compose import Phraser, compose
from sqlenv.datasets.databases import sketched_databases
from sqlenv.datasets.draws import Draw, draw_intent
from sqlenv.datasets.intents import Has, Versus, columns, conditions, is_flag, query_shape
from sqlenv.datasets.phrases import MONTHS, NUMBER_WORDS, people_words, plural, vary
from sqlenv.datasets.schema import KEYWORDS, identifier, read_schema
from sqlenv.env import SQLEnvironment
from sqlenv.policies import OraclePolicy, rollout
from sqlenv.sandbox import Sandbox, open_sandbox
from sqlenv.sql.answers import answer_type
from sqlenv.sql.guard import Limits, SandboxError

EACH = 200
SKETCHED = {*sketched_databases()}  # small ones, of which there are many


def each(db_id):
    "How many questions about a database"
    return EACH // 5 if db_id in SKETCHED else EACH


@dataclass
class Asked:
    "Questions of any depth to eight, and the answers to them"

    db_id: str
    questions: list
    rows: list


@cache
def composed(db_id):
    return compose(database_path(db_id), each(db_id), (1, 8), words=people_words().get(db_id))


@pytest.fixture(scope="module", params=databases())
def asked(request):
    "Questions about each embedded database, in people's words where they have some"
    questions = composed(request.param)
    box = open_sandbox(database_path(request.param))
    return Asked(request.param, questions, [box.query(q.gold_sql, rows=21).rows for q in questions])


# Every gold query runs


def test_there_are_as_many_questions_as_were_asked_for(asked):
    assert len(asked.questions) > 0.96 * each(asked.db_id)


def test_no_gold_query_comes_twice(asked):
    assert len({q.gold_sql for q in asked.questions}) == len(asked.questions)


def test_an_answer_has_one_to_twenty_rows_without_null(asked):
    for q, rows in zip(asked.questions, asked.rows, strict=True):
        assert 1 <= len(rows) <= 20 and None not in {cell for row in rows for cell in row}, q


def test_the_oracle_is_right(asked):
    env = SQLEnvironment()
    for i, (q, rows) in enumerate(zip(asked.questions, asked.rows, strict=True)):
        about = dict(answer_type=answer_type(rows), difficulty=q.difficulty, split="train")
        about |= dict(tables=(q.intent.table.name,), kind="")
        question = Question(f"composed-{i}", q.question, asked.db_id, q.gold_sql, **about)
        episode = rollout(env, OraclePolicy(), question)
        assert episode.correct, (q.question, q.gold_sql, episode.reason)


# The tree is in the SQL: a second program that knows nothing of `to_sql` parses the query and
# counts its facts: what is computed from which column, what is compared with which constant, which
# tables are read and joined on what, groups, orders, limits. They are those of the tree.


def constant(node):
    "A number or a text of a query, as it is written"
    return f"-{node.this.name}" if isinstance(node, exp.Neg) else node.name


def computed(node):
    "What is computed from which column; a count is one of rows, or of the key of an outer join"
    if not isinstance(node, exp.AggFunc):
        return "", node.name
    name, inner = type(node).__name__.lower(), node.this
    if isinstance(inner, exp.Distinct):
        return "distinct", inner.expressions[0].name
    return name, "*" if name == "count" else inner.name


def select_facts(select):
    "The tables that a part of a query reads, what they are joined on, groups and orders"
    source = select.args.get("from_") or select.args.get("from")  # by the version of sqlglot
    if source is None:  # the difference of two queries
        return
    joins, first = select.args.get("joins") or [], source.this
    tables = {t.alias_or_name: t.name for t in (first, *(join.this for join in joins))}
    yield "from", first.name
    for join in joins:
        sides = join.args["on"].this, join.args["on"].expression
        yield ("join", *((tables[side.table], side.name) for side in sides))
    for column in select.args["group"].expressions if select.args.get("group") else ():
        yield "group", column.name
    for ordered in select.args["order"].expressions if select.args.get("order") else ():
        yield ("order", *computed(ordered.this), bool(ordered.args.get("desc")))


def sql_facts(sql):
    "What a query says, with columns by name"
    found = Counter()
    tree = sqlglot.parse_one(sql, read="sqlite")
    for node in tree.walk():
        if isinstance(node, exp.Select):
            found.update(select_facts(node))
        if isinstance(node, exp.In) and node.args.get("query"):
            key = node.args["query"].this.expressions[0].name
            found["not in" if isinstance(node.parent, exp.Not) else "in", node.this.name, key] += 1
        if isinstance(node, exp.AggFunc):
            found[computed(node)] += 1
        elif isinstance(node, exp.GT | exp.LT | exp.GTE | exp.LTE | exp.EQ | exp.NEQ):
            known = isinstance(node.expression, exp.Literal | exp.Neg)
            if known and isinstance(node.this, exp.Column):
                found[type(node).__name__, node.this.name, constant(node.expression)] += 1
        elif isinstance(node, exp.Limit | exp.Offset):
            found[type(node).__name__, node.expression.name] += 1
        elif isinstance(node, exp.Is):
            found["null", node.this.name] += 1
        elif isinstance(node, exp.Like):
            found["like", node.this.name, node.expression.name.strip("%")] += 1
        elif isinstance(node, exp.Between):
            low, high = constant(node.args["low"]), constant(node.args["high"])
            found["between", node.this.name, low, high] += 1
        elif isinstance(node, exp.In) and node.expressions:
            for value in node.expressions:
                found["EQ", node.this.name, constant(value)] += 1
    return found


OPERATORS = {">": "GT", "<": "LT", ">=": "GTE", "<=": "LTE", "=": "EQ", "!=": "NEQ"}
FUNCTIONS = dict(COUNT="count", SUM="sum", AVG="avg", MIN="min", MAX="max", DISTINCT="distinct")


def value_facts(value):
    "What a value is computed from"
    if value.fn:
        yield FUNCTIONS[value.fn], value.col.field.name if value.col else "*"


def condition_facts(c):
    "The facts of one condition of the tree"
    if isinstance(c, Has):
        for inner in conditions(c.where):
            yield from condition_facts(inner)
        if c.op == "NONE" and c.link.fk.has_null:
            yield "null", c.link.fk.name
        if c.op not in ("", "NONE"):
            yield "count", "*"
    elif isinstance(c, Versus):
        yield from value_facts(c.value)
        yield from condition_facts(c.row) if c.row else ()
    elif c.op in ("NULL", "NOT NULL"):
        yield "null", c.col.field.name
    elif c.op == "BETWEEN":
        yield ("between", c.col.field.name, *map(str, c.values))
    elif c.op in ("BEGINS", "CONTAINS", "YEAR", "MONTH"):
        yield "like", c.col.field.name, str(c.values[0])
    else:
        for value in c.values:
            yield OPERATORS.get(c.op, "EQ"), c.col.field.name, str(value)


def read_facts(table, cols, where):
    "The tables that a part of a query reads to compute columns under a condition"
    yield "from", table.name
    for path in {col.path[: i + 1] for col in cols for i in range(len(col.path))}:
        link = path[-1]
        yield "join", (link.child.name, link.fk.name), (link.parent.name, link.pk.name)
    for c in conditions(where):
        if isinstance(c, Has):
            inner = [inner.col for inner in conditions(c.where) if not isinstance(inner, Has)]
            yield from read_facts(c.link.child, inner, c.where)
            yield "not in" if c.op == "NONE" else "in", c.link.pk.name, c.link.fk.name
            if c.op not in ("", "NONE"):
                yield "group", c.link.fk.name
        elif isinstance(c, Versus):
            rows = [c.row.col] if c.row else []
            yield from read_facts(table, [c.value.col, *rows], c.row)


def whole_facts(intent):
    "The tables, joins, groups and orders of a query"
    if intent.other and intent.other[0] != "SHARE":
        for where in (intent.where, intent.other[1]):
            yield from whole_facts(replace(intent, other=None, where=where))
        return
    found = list(read_facts(intent.table, columns(intent), intent.where))
    if intent.empty:  # read from the parents' side, so that those without rows count
        found[0] = "from", intent.by.path[0].parent.name
    yield from found
    if intent.by:
        yield "group", intent.by.field.name
    if intent.order:
        value, descending = intent.order
        name, of = next(value_facts(value), ("", value.col and value.col.field.name))
        yield "order", name, "*" if name == "count" else of, descending


def tree_facts(intent):
    "What an intent says"
    found, word = Counter(whole_facts(intent)), intent.other[0] if intent.other else ""
    twice = 2 if word in ("INTERSECT", "EXCEPT", "UNION", "MINUS") else 1
    for value in () if word == "SHARE" else intent.show:
        for fact in value_facts(value):
            found[fact] += twice
    for c in (*conditions(intent.where), *conditions(intent.other[1] if intent.other else None)):
        found.update(condition_facts(c))
    for extra in filter(None, (intent.having, intent.order)):
        found.update(value_facts(extra[0]))
    if word == "SHARE":
        found.update([("count", "*")])
    if intent.limit:
        found["Limit", str(intent.limit)] += 1
    if intent.skip:
        found["Offset", str(intent.skip)] += 1
    return found


def settled(facts, intent):
    "Facts without what either program writes in its own way"
    kept = Counter()
    for fact, n in facts.items():
        if fact[0] == "count":
            fact = ("count",)  # of rows, or of the key of an outer join
        if fact[0] in ("GT", "LT", "GTE", "LTE", "EQ") and re.fullmatch(r"\*|", fact[1]):
            continue
        kept[fact] += n
    if (intent.other or ("",))[0] == "SHARE":
        kept = Counter({k: v for k, v in kept.items() if k[0] not in ("sum",)})
    return kept


def test_the_facts_of_the_tree_are_in_the_sql(asked):
    for q in asked.questions:
        read, meant = sql_facts(q.gold_sql), tree_facts(q.intent)
        assert settled(read, q.intent) == settled(meant, q.intent), q.gold_sql


# The words are in the SQL: each constant of the tree is in the question, as it is, as a word, or
# as a date that somebody would write. Without it nobody could find the row.


def spellings(value):
    "How a constant may be written"
    text = str(value)
    yield text
    if isinstance(value, int):
        yield f"{value:,}"
        if 0 < value < len(NUMBER_WORDS):
            yield NUMBER_WORDS[value]
    if re.fullmatch(r"\d{4}-\d\d(-\d\d)?", text):
        year, month, *day = text.split("-")
        name = MONTHS[int(month) - 1]
        yield f"{name} {year}"
        if day:
            yield f"{int(day[0])} {name} {year}"
            yield f"{name} {int(day[0])}, {year}"
            if text.endswith("-01-01"):
                yield year


def constants(c):
    "The constants of a condition that a question has to say"
    if isinstance(c, Has):
        inner = [v for p in conditions(c.where) for v in constants(p)]
        return inner + [c.n] * (c.op not in ("", "NONE"))
    if isinstance(c, Versus):
        return constants(c.row) if c.row else []
    return [] if is_flag(c.col.field) else list(c.values)


def test_the_constants_of_the_tree_are_in_the_question(asked):
    others = defaultdict(list)  # people's words for a value
    for own in people_words().get(asked.db_id, {}).values():
        for value, words in own.get("values", {}).items():
            others[value] += words
    for q in asked.questions:
        wanted = [v for c in conditions(q.intent.where) for v in constants(c)]
        if q.intent.other:
            wanted += [v for c in conditions(q.intent.other[1]) for v in constants(c)]
        wanted += [q.intent.having[2]] if q.intent.having else []
        wanted += [q.intent.limit] if q.intent.limit and q.intent.limit > 1 else []
        text = q.question.lower()
        for v in wanted:
            words = others[str(v)]
            said = [*spellings(v), *words, *map(plural, [str(v), *words])]
            assert any(s.lower() in text for s in said), (q.question, q.gold_sql, v)


def test_no_slot_is_left_and_no_choice(asked):
    for q in asked.questions:
        assert not re.search(r"[{}\[\]|]|  | ,", q.question), q
        assert "None" not in q.question or "None" in q.gold_sql, q


def test_a_value_in_brackets_stays_as_it_is():
    assert vary(random.Random(0), "[a|a] {x}", x="[b|c] {d}") == "a [b|c] {d}"


def test_a_question_is_asked_in_many_ways():  # the query does not depend on them
    (q,) = compose(database_path("company"), 1, 4)
    schema = read_schema(database_path("company"))
    assert len({Phraser(random.Random(i), schema).ask(q.intent) for i in range(30)}) > 10


def test_there_are_many_shapes_of_query():
    few = [q for db in databases()[::10] for q in composed(db)]
    assert len({query_shape(q.gold_sql) for q in few}) > 400


CREW = """
    CREATE TABLE dogs (id INTEGER PRIMARY KEY, name TEXT, born DATE, kg INTEGER, coat TEXT);
    CREATE TABLE cats (id INTEGER PRIMARY KEY, name TEXT, born DATE, kg INTEGER, coat TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
    INSERT INTO dogs SELECT i, substr('AbeBeaCasDanEveFayGusHalIdaJimKayLeo', 3 * i - 2, 3),
        '2020-01-' || (10 + i), 10 + i,
        CASE i % 3 WHEN 0 THEN 'rough' ELSE 'smooth' END FROM n;
    INSERT INTO cats SELECT * FROM dogs"""


def asked_in(tmp_path, words, n=300):
    "What is asked about two tables with equal columns"
    with closing(sqlite3.connect(tmp_path / "crew.sqlite")) as db:
        db.executescript(CREW)
    return [q for q in compose(tmp_path / "crew.sqlite", n, words=words)]


def test_words_are_said_of_their_own_column_alone(tmp_path):
    words = {"cats.coat": {"yes": [], "values": {"rough": ["shaggy"], "smooth": ["sleek"]}}}
    found = asked_in(tmp_path, words)
    shaggy = [q for q in found if "shaggy" in q.question.lower()]
    assert shaggy and all("cats" in q.gold_sql for q in shaggy)
    rough = [q for q in found if "rough" in q.question.lower()]
    assert any("dogs" in q.gold_sql for q in rough)


def test_words_that_are_few_are_enough(tmp_path):
    words = {"dogs.kg": {"most": ["heaviest"], "how": "how heavy is", "do": "have"}}
    words |= {"dogs.born": {"how": "how old is", "did": "qualify"}, "cats": {"people": True}}
    text = "\n".join(q.question.lower() for q in asked_in(tmp_path, words))
    assert all(said in text for said in ("heaviest", "how heavy is", "qualif")), text
    assert "how old" not in text and "haves" not in text and "how much do" not in text


# Databases of any kind: fewer questions, or none, where a database has little to ask

NUMBERED = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {})"
SOME = NUMBERED + " INSERT INTO {} SELECT {} FROM n"
KEPT = "id INTEGER PRIMARY KEY, kind TEXT, size INTEGER"
SCRIPTS = "書 книга كتاب หนังสือ βιβλίο livre✓".split()
DATABASES = dict(
    numbers=["CREATE TABLE t (a INTEGER, b REAL)", SOME.format(50, "t", "i * 7 % 40, i * 1.7")],
    empty=["CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, price REAL)"],
    one_row=[f"CREATE TABLE t ({KEPT})", "INSERT INTO t VALUES (1, 'a', 2)"],
    two_hundred_tables=[
        *(f"CREATE TABLE t{i} ({KEPT})" for i in range(200)),
        *(SOME.format(20, f"t{i}", "i, char(65 + i % 3), i * 7 % 20") for i in range(200)),
    ],
    a_million_values=[
        "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, size INTEGER)",
        SOME.format(1_000_000, "words", "i, 'w' || i, i * 7919 % 100003"),
    ],
    five_hundred_columns=[
        f"CREATE TABLE t ({', '.join(f'c{i} INTEGER' for i in range(500))})",
        SOME.format(30, "t", ", ".join(f"i * {i} % 17" for i in range(500))),
    ],
    any_script=[
        *(f'CREATE TABLE "{n}" (id INTEGER PRIMARY KEY, "{n}1" TEXT, "{n}2" INT)' for n in SCRIPTS),
        *(SOME.format(40, f'"{n}"', f"i, '{n}' || i, i * 7 % 30") for n in SCRIPTS),
    ],
    names_without_letters=[
        *(f'CREATE TABLE "{n}" (id INTEGER PRIMARY KEY, "-" TEXT, "." INT)' for n in ("_", "[]")),
        *(SOME.format(40, f'"{n}"', "i, 'w' || i % 9, i * 7 % 30") for n in ("_", "[]")),
    ],
    a_flag_in_two_cases=[
        "CREATE TABLE t (id INTEGER PRIMARY KEY, ok TEXT, size INTEGER)",
        SOME.format(60, "t", "i, substr('YNy', 1 + i % 3, 1), i * 7 % 20"),
    ],
    dates_that_are_none=[
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, day TEXT, cost INTEGER)",
        SOME.format(60, "visits", "i, printf('2013-%02d-%02d', i * 5 % 29, i * 7 % 40), i % 20"),
    ],
)


@pytest.mark.parametrize("name", DATABASES)
def test_a_database_of_any_kind_is_asked_what_there_is_to_ask(tmp_path, name):
    with closing(sqlite3.connect(tmp_path / name)) as db:
        db.execute("BEGIN")  # one transaction, not one a table
        for sql in DATABASES[name]:
            db.execute(sql)
        db.commit()
    found = compose(tmp_path / name, 40)
    assert bool(found) == (name != "empty")
    assert len({q.gold_sql for q in found}) == len(found)


def test_where_a_query_takes_too_many_steps_something_else_is_asked():
    path = database_path("library")
    # what 300 steps are to its tables the usual ones are to millions of rows
    schema, box = read_schema(path), Sandbox(path, Limits(steps=300, opcodes=50))
    assert any([draw_intent(Draw(random.Random(i), schema, box)) for i in range(100)])


def test_it_stops_after_its_time(monkeypatch):
    clock = SimpleNamespace(monotonic=count(0, 0.01).__next__)  # goes on when it is looked at
    monkeypatch.setattr("sqlenv.datasets.compose.time", clock)
    assert 0 < len(compose(database_path("company"), 10_000, seconds=1)) < 10_000


@pytest.mark.parametrize(
    "name, why", [("notes.txt", "is not an SQLite database"), ("gone", "there is no")]
)
def test_a_file_that_is_no_database_is_refused(tmp_path, name, why):
    (tmp_path / "notes.txt").write_text("no database")
    with pytest.raises(SandboxError, match=why):
        compose(tmp_path / name)


def test_sqlglot_reads_every_name_as_the_project_writes_it():
    "Its tokens and SQLite's, as tables and as columns: gold queries are parsed again and again"
    tokens = {*sqlglot.Dialect.get_or_raise("sqlite").tokenizer_class.KEYWORDS}
    for word in sorted(word for word in tokens | KEYWORDS if word.isalpha()):
        name = identifier(word.lower())
        for sql in (
            f"SELECT COUNT(DISTINCT {name}), MAX({name}) FROM {name} GROUP BY {name}",
            f"SELECT t.a, {name}.a FROM {name} JOIN t ON {name}.c = t.c ORDER BY {name}.d",
        ):
            assert sqlglot.parse_one(sql, read="sqlite").sql("sqlite"), sql
