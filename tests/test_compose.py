"""What holds for ten thousand composed questions: every draw runs and is unambiguous, a second
program reads the tree back from the SQL, and the words say what the SQL says."""

import random
import re
import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import count, islice
from types import SimpleNamespace
from typing import NamedTuple

import pytest
import sqlglot
from sqlglot import exp

from sqlenv.data import DataError, Question, database_path, databases
from sqlenv.datasets.compose import Phraser, compose
from sqlenv.datasets.databases import sketched_databases
from sqlenv.datasets.draws import Draw, draw_intent, draw_share, why_unfair
from sqlenv.datasets.intents import (
    Both,
    Col,
    Has,
    Value,
    Versus,
    conditions,
    is_flag,
    query_shape,
    to_sql,
)
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


# The tree is in the SQL: a second program that knows nothing of `to_sql` parses the query and reads
# a structure from it, and a third builds the one that the tree means. A column is told by the table
# that it is of, a table by what it is joined on, so that no alias is needed.


class Source(NamedTuple):
    "A table that a query reads"

    table: str
    side: str = ""  # LEFT where rows without a partner are kept
    on: tuple = ()  # of one that is joined: the comparison, another table's column, its own


def joined(word, parts):
    "Conditions with AND or OR between them, without brackets that say nothing"
    flat = [x for part in parts for x in (part[1:] if part[0] == word else [part])]
    return (word, *flat) if len(flat) > 1 else flat[0]


def read_sources(query):
    "The tables that a query reads, by what it calls them"
    first = query.args.get("from_") or query.args.get("from")  # by the version of sqlglot
    if first is None:  # a difference, or two queries with a set operator between them
        return {}
    found = {first.this.alias_or_name: Source(first.this.name)}
    for join in query.args.get("joins") or ():
        on, name = join.args["on"], join.this.alias_or_name
        own, other = (on.left, on.right) if on.left.table == name else (on.right, on.left)
        place = on.key, (found[other.table], other.name), own.name
        found[name] = Source(join.this.name, join.side + join.kind, place)
    return found if len(found) > 1 else found | {"": Source(first.this.name)}


def read_query(tree):
    "A query as its parts"
    sources = read_sources(tree)
    parts = dict(kind=tree.key, sources={*sources.values()})
    parts["shown"] = [read(node, sources) for node in tree.expressions]
    for key, node in tree.args.items():
        if node and key not in ("expressions", "from", "from_", "joins"):
            parts[key] = read(node, sources) if isinstance(node, exp.Expression) else node
    return parts


def read(node, sources):
    "What is inside a query: a constant, or a tuple with the name of what it is"
    node = node.unnest()  # without brackets
    if isinstance(node, exp.Select | exp.SetOperation):
        return read_query(node)
    if isinstance(node, exp.Column):
        return sources[node.table], node.name
    if isinstance(node, exp.Literal):
        return node.name if node.is_string else float(node.name)
    inner = [read(x, sources) for x in node.iter_expressions()]
    if isinstance(node, exp.Neg):
        return -inner[0]
    if isinstance(node, exp.And | exp.Or):
        return joined(node.key, inner)
    if isinstance(node, exp.In) and node.expressions:
        return joined("or", [("eq", inner[0], value) for value in inner[1:]])
    return (node.key, *inner, *[bool(node.args.get("desc"))] * isinstance(node, exp.Ordered))


COMPARED = {">": "gt", "<": "lt", ">=": "gte", "<=": "lte", "=": "eq", "!=": "neq"}
ROWS, NULL = ("star",), ("null",)


def meant_column(col, known):
    "A column; `known` are the tables that a query begins with, by the path to them"
    source = known[()]
    for i, link in enumerate(col.path, 1):
        place = "eq", (source, link.fk.name), link.pk.name
        source = known.get(col.path[:i]) or Source(link.parent.name, "", place)
    return source, col.field.name


def meant_value(value, known):
    "A column, or what is computed; where rows may lack a partner, it is the partners that count"
    rows = known[()]
    counted = (rows, rows.on[2]) if rows.side else ROWS
    column = meant_column(value.col, known) if value.col else counted
    if value.fn == "DISTINCT":
        return "count", ("distinct", column)
    return (value.fn.lower(), column) if value.fn else column


def meant_query(known, shown, **parts):
    "A query as its parts, with the tables of the columns that it names"

    def sources(part):
        if isinstance(part, Source):
            yield part
        for inner in part if isinstance(part, tuple | list) else ():
            yield from sources(inner)

    parts = {key: part for key, part in parts.items() if part}
    found = sources([*known.values(), shown, *parts.values()])
    return dict(kind="select", sources={*found}, shown=shown) | parts


def meant_test(c, column):
    "A column against constants"
    if c.op in COMPARED or c.op == "BETWEEN":
        return COMPARED.get(c.op, "between"), column, *c.values
    if c.op == "IN":
        return joined("or", [("eq", column, value) for value in c.values])
    if c.op in ("NULL", "NOT NULL"):
        return ("is", column, NULL) if c.op == "NULL" else ("not", ("is", column, NULL))
    return "like", column, f"{'%' if c.op == 'CONTAINS' else ''}{c.values[0]}%"


def meant_has(c, known):
    "Rows at which so many children point; fewer do at all but those at which as many do"
    children, is_out = {(): Source(c.link.child.name)}, c.op in ("NONE", "<")
    fk = meant_column(Col(c.link.fk), children)
    tests = [meant_condition(c.where, children)] if c.where else []
    if is_out and c.link.fk.has_null:  # nothing is out of a list with NULL in it
        tests.append(("not", ("is", fk, NULL)))
    parts = dict(where=tests and ("where", joined("and", tests)))
    if c.op not in ("", "NONE"):
        op = "gte" if is_out else COMPARED[c.op]
        parts |= dict(group=("group", fk), having=("having", (op, ("count", ROWS), c.n)))
    found = "in", meant_column(Col(c.link.pk), known), meant_query(children, [fk], **parts)
    return ("not", found) if is_out else found


def meant_condition(c, known):
    if isinstance(c, Both):
        return joined(c.word.lower(), [meant_condition(part, known) for part in c.parts])
    if isinstance(c, Has):
        return meant_has(c, known)
    column = meant_column(c.col, known)
    if not isinstance(c, Versus):
        return meant_test(c, column)
    rows = {(): Source(known[()].table)}  # of the same table, by a query of its own
    where = c.row and ("where", meant_condition(c.row, rows))
    return COMPARED[c.op], column, meant_query(rows, [meant_value(c.value, rows)], where=where)


def meant(intent):
    "The query that an intent means"
    (word, second), known = intent.other or ("", None), {(): Source(intent.table.name)}
    if word not in ("", "SHARE"):
        first, last = (meant(replace(intent, other=None, where=c)) for c in (intent.where, second))
        if word == "MINUS":
            return meant_query({}, [("sub", first, last)])
        return meant_query({}, [], kind=word.lower(), distinct=True, this=first, expression=last)
    if intent.empty:
        (link,) = intent.by.path
        known = {(link,): Source(link.parent.name)}
        place = "eq", (known[link,], link.pk.name), link.fk.name
        known[()] = Source(link.child.name, "LEFT", place)
    value, (having, op, n) = partial(meant_value, known=known), intent.having or (None, "", 0)
    (order, down), shown = intent.order or (None, False), [*map(value, intent.show)]
    if word == "SHARE":
        shown = [("div", ("mul", 100, ("sum", meant_condition(second, known))), ("count", ROWS))]
    return meant_query(
        known,
        shown,
        distinct=intent.distinct and ("distinct",),
        where=intent.where and ("where", meant_condition(intent.where, known)),
        group=intent.by and ("group", meant_column(intent.by, known)),
        having=having and ("having", (COMPARED[op], value(having), n)),
        order=order and ("order", ("ordered", value(order), down)),
        limit=intent.limit and ("limit", intent.limit),
        offset=intent.skip and ("offset", intent.skip),
    )


parsed = partial(sqlglot.parse_one, read="sqlite")


def test_the_tree_is_read_back_from_the_sql(asked):
    for q in asked.questions:
        assert read_query(parsed(q.gold_sql)) == meant(q.intent), q.gold_sql


# What the second program sees: a query with one thing changed is another structure


def remade(node, kind=None, **changed):
    "A node as another kind of node, or with other parts"
    return (kind or type(node))(**node.args | changed)


def flipped(node):
    over = {exp.GT: exp.LT, exp.LT: exp.GT, exp.GTE: exp.LTE, exp.LTE: exp.GTE, exp.EQ: exp.NEQ}
    return remade(node, over[type(node)])


def larger(node):
    return remade(node, this=node.name + "1")


def is_shown(node):
    "Whether a column is in a list of what is selected, as it is or computed from"
    above = node.parent.parent if isinstance(node.parent, exp.AggFunc) else node.parent
    return isinstance(node, exp.Column) and isinstance(above, exp.Select)


def renamed(node):
    "A column whose place another one of the query takes, where there is one"
    others = (c.name for c in node.root().find_all(exp.Column) if c.name != node.name)
    return exp.column(next(others, "rowid"), node.table or None)


def other_tables(node):
    "What else a query reads than the table of a column, which is not one that it is joined on"
    query = node.find_ancestor(exp.Select, exp.Join) if isinstance(node, exp.Column) else None
    names = sorted(read_sources(query)) if isinstance(query, exp.Select) and node.table else []
    return [name for name in names if name != node.table]


# A kind of change: the nodes that it can be made to, a test of one, and what takes its place
CHANGES = {
    "OR for AND": (exp.And, None, lambda n: remade(n, exp.Or)),
    "AND for OR": (exp.Or, None, lambda n: remade(n, exp.And)),
    "versus": (exp.GT | exp.LT, lambda n: isinstance(n.expression, exp.Subquery), flipped),
    "HAVING": (exp.Predicate, lambda n: isinstance(n.parent, exp.Having), flipped),
    "number of HAVING": (exp.Literal, lambda n: isinstance(n.parent.parent, exp.Having), larger),
    "constant": (exp.Literal, None, larger),
    "no DISTINCT": (
        exp.Select,
        lambda n: n.args.get("distinct"),
        lambda n: remade(n, distinct=None),
    ),
    "COUNT without DISTINCT": (exp.Distinct, lambda n: n.expressions, lambda n: n.expressions[0]),
    "MIN for MAX": (exp.Max, None, lambda n: remade(n, exp.Min)),
    "shown": (exp.Column, is_shown, renamed),
    "joined": (exp.Column, lambda n: isinstance(n.parent.parent, exp.Join), renamed),
    "table": (exp.Column, other_tables, lambda n: exp.column(n.name, other_tables(n)[0])),
    "UNION": (exp.Intersect | exp.Except, None, lambda n: remade(n, exp.Union)),
    "MINUS": (exp.Sub, None, lambda n: exp.Sub(this=n.expression, expression=n.this)),
    "JOIN for LEFT JOIN": (exp.Join, lambda n: n.side, lambda n: remade(n, side=None)),
    "ORDER": (exp.Ordered, None, lambda n: remade(n, desc=not n.args.get("desc"))),
    "no NOT": (exp.Not, None, lambda n: n.this),
}


def changed_queries(tree):
    "A query with one thing changed, for each that can be"
    for place, node in enumerate(tree.walk()):
        for name, (kind, applies, change) in CHANGES.items():
            if isinstance(node, kind) and (applies is None or applies(node)):
                copy = tree.copy()
                old = next(islice(copy.walk(), place, None))
                new = change(old)
                old.replace(new)
                yield name, new if old is copy else copy


def test_a_query_with_one_thing_changed_is_another_structure():
    seen = Counter()
    for q in (q for db in databases()[::8] for q in composed(db)):
        wanted = meant(q.intent)
        for name, tree in changed_queries(parsed(q.gold_sql)):
            seen[name] += 1
            assert read_query(tree) != wanted, (name, q.gold_sql, tree.sql("sqlite"))
    assert len(seen) == len(CHANGES) and min(seen.values()) >= 10, seen


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


# The words say the direction of the SQL: what compares, orders and computes is asked for in words
# that its opposite never has; some columns have more of them in the lexicon: cheaper, oldest

WORDS = {  # a part of a tree -> what says it, and which of a column's own words do
    ">": ("above|over|(?<!no |or )more|higher|after", "more"),
    "<": ("(?<!not )below|under|(?<!or )(?:less|fewer)|lower|before", "less"),
    ">=": ("at least|not below|or more|since|or later|from .+ on|on or after", ""),
    "<=": ("at most|not above|no more than|up to|or fewer|or less|or earlier", ""),
    "highest": ("highest|largest|greatest|(?<!at )most|max|maximum|latest|last|newest|top", "most"),
    "lowest": ("lowest|smallest|fewest|(?<!at )least|min|minimum|earliest|first", "least"),
    "down": ("(?:highest|largest|latest|newest) first|descending|high to low|reverse", "most"),
    "up": ("^(?!.*(?:(?:highest|largest|latest|newest) first|descending|high to low|reverse))", ""),
    "AVG": ("average|mean|avg", ""),
    "SUM": ("total|combined|sum|add up|altogether", ""),
    "each": ("per|by|each|every", ""),
    "NONE": ("no|without|never", ""),
    "NULL": ("no|without|missing|unknown|empty|not given|blank", ""),
    "!=": ("not", ""),
    "OR": ("or", ""),
}


def said_of(part):
    "What the words of a part of a tree have to say, and of which column"
    match part:
        case Both(word, parts):
            return [(word, None)] + [said for part in parts for said in said_of(part)]
        case Has(where=where, op=op):
            return [(op, None), *said_of(where)]
        case Versus(col, "=", value):  # the highest or the lowest of all
            return said_of(replace(value, col=col))
        case Value(fn, col):
            return [(dict(MAX="highest", MIN="lowest").get(fn, fn), col)]
    return [(part.op, part.col)] if part else []


def said_in(intent):
    "What the words of a question have to say, and of which column"
    (value, down), having = intent.order or (None, False), intent.having or ()
    parts = [intent.where, intent.other and intent.other[1], *intent.show, value, *having[:1]]
    found = [said for part in parts for said in said_of(part)]
    words = ("lowest", "highest") if intent.limit else ("up", "down")
    found += [(words[down], value.col)] if value else []
    found += [(op, None) for op in having[1:2]]
    found += [("each", None)] if intent.by and not having and not intent.limit else []
    return [said for said in found if said[0] in WORDS]


@cache
def phrased():
    "Intents of some databases, each with its words without slips, and with what chose them"
    found = []
    for db in databases()[::4]:
        phraser = Phraser(random.Random(0), read_schema(database_path(db)))
        found += [(q.intent, phraser.text(q.intent), phraser) for q in composed(db)]
    return found


def test_the_words_say_the_direction():
    seen = Counter()
    for intent, text, phraser in phrased():
        for part, col in said_in(intent):
            words, own = WORDS[part]
            entries = [phraser.entry(col.field, kind) for kind in ("measures", "events") if col]
            words = [words, *(word for entry in entries for word in entry.get(own, ()))]
            assert re.search(rf"\b(?:{'|'.join(words)})\b", text), (part, text, intent)
            seen[part] += 1
    assert len(seen) == len(WORDS) and min(seen.values()) >= 20, seen


def test_what_is_taken_away_is_said_last():
    seen = 0
    for intent, text, _ in phrased():
        word, second = intent.other or ("", None)
        values = [getattr(c, "values", ()) for c in (intent.where, second)]
        if word in ("MINUS", "EXCEPT") and all(values):
            first, last = (str(found[0]) for found in values)
            if first in text and last in text and first not in last and last not in first:
                seen += 1
                assert text.find(first) < text.rfind(last), (text, intent)
    assert seen >= 20


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


def test_no_share_is_all_or_nothing():
    path = database_path("web_shop")
    draw, shares = Draw(random.Random(0), read_schema(path), open_sandbox(path)), []
    for _ in range(400):
        intent = draw_share(draw, draw.rng.choice(draw.schema))
        if intent and not why_unfair(draw.box, intent):
            shares.append(draw.box.query(to_sql(intent)).rows[0][0])
    assert len(shares) > 50 and 0 < min(shares) and max(shares) < 100


@pytest.mark.parametrize(
    "asked, why",
    [
        (dict(n=-1), "found n=-1"),
        (dict(depth=0), "depth=0"),
        (dict(depth=(3, 1)), "between two"),
        (dict(depth="4"), "depth='4'"),
        (dict(words={"zebras": {"also": ["stripes"]}}), "about zebras, which is not in zoo.sqlite"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(asked, why):
    with pytest.raises(DataError, match=re.escape(why)):
        compose(database_path("zoo"), **asked)


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
