"""Quotes, dates, clocks, threads, large tables and damaged files: what the sandbox notebook has no
room for."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing

import pytest

from sqlenv.sandbox import Sandbox, open_sandbox
from sqlenv.sql.guard import NO_SYSTEM_TABLES, Limits, SandboxError


def build(folder, name, sql):
    with closing(sqlite3.connect(folder / name)) as db:
        db.executescript(sql)
    return folder / name


def refusal(f, *args, **kw):
    "The sentence that `f` is refused with"
    with pytest.raises(SandboxError) as refused:
        f(*args, **kw)
    return str(refused.value)


SHOP = """
create table suppliers (id integer primary key, name text, city text);
create table products (
  id integer primary key, name varchar(40), price real, supplier_id int references suppliers(id)
);
insert into suppliers values (1, 'Northlight', 'Bergen'), (2, 'Mill & Son', 'Porto');
with recursive c(x) as (select 1 union all select x + 1 from c where x < 5000)
insert into products select x, 'Lamp ' || x, x % 90 + .5, 1 + x % 2 from c;
create view cheap as select * from products where price < 3;
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    "The shop of nbs/01_sandbox.ipynb"
    return build(tmp_path_factory.mktemp("shop"), "shop.sqlite", SHOP)


@pytest.fixture(scope="module")
def box(shop):
    return open_sandbox(shop)


# Names and quotes


@pytest.mark.parametrize(
    "sql, why",
    [
        (
            "SELECT suppliers.name FROM products AS suppliers_of",
            "suppliers is not among the tables of this query; JOIN it, or use its alias",
        ),
        (
            "SELECT p.prise FROM products AS p",
            "there is no column p.prise in the tables of this query; "
            "DESCRIBE a table to see its columns",
        ),
    ],
)
def test_names_that_look_alike_are_told_apart(box, sql, why):
    assert refusal(box.query, sql) == why


@pytest.mark.parametrize(
    "sql",
    [
        'SELECT "groop" FROM products',
        ';SELECT max("groop") FROM "products"',
        'SELECT name FROM products ORDER BY "groop"',
        'SELECT name FROM products GROUP BY "groop"',
        'SELECT id FROM products WHERE id IN ("groop")',
        'SELECT group_concat(name, "groop") FROM products',
        'WITH x AS (SELECT "groop" FROM products) SELECT * FROM x',
    ],
)
def test_a_name_in_double_quotes_is_no_text(box, sql):
    unknown = refusal(box.query, "SELECT groop FROM products")
    assert refusal(box.query, sql) == f"{unknown}; write a text in single quotes: 'groop'"


def test_a_name_with_its_table_needs_no_word_about_texts(box):
    said = refusal(box.query, 'SELECT p."groop" FROM products p')
    assert said == refusal(box.query, "SELECT p.groop FROM products p")


@pytest.mark.parametrize(
    "sql",
    [
        'SELECT "NAME" FROM "products" AS "p q" WHERE "p q"."id" = 7',
        'SELECT name AS "a ""b" FROM products WHERE id = 7 ORDER BY "a ""b"',
        """SELECT name FROM products WHERE id = 7 AND '"x"' = '"x"' -- "y" """,
        'WITH "x y" ("z") AS (SELECT name FROM products WHERE id = 7) SELECT "z" FROM "x y"',
        'SELECT "value" FROM json_each(\'["Lamp 7"]\')',
        'SELECT min("name") FROM products WHERE "price" = 7.5 AND id = "ID" AND id < 90',
    ],
)
def test_a_name_may_stand_in_double_quotes(box, sql):
    assert box.query(sql).rows == (("Lamp 7",),)


def test_a_column_is_called_as_it_is_written(box):
    assert box.query('SELECT max("id") FROM products').columns == ('max("id")',)


def test_texts_in_double_quotes_get_single_ones(box):
    sql = """SELECT "name" FROM suppliers WHERE "city" = "Porto" AND name <> "O'Neil" """
    meant = """SELECT "name" FROM suppliers WHERE "city" = 'Porto' AND name <> 'O''Neil' """
    assert box.single_quoted(sql) == meant


# Clocks

ENDLESS = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c"
LATE = "the query ran longer than 5 s; add a WHERE or LIMIT"
LONG = "the query takes more than 20,000,000 steps; add a WHERE or LIMIT"


class Looks:
    "A clock that goes on when this thread looks at it."

    def __init__(self, times):
        self.n, self.times, self.thread = 0, times, threading.get_ident()

    def __call__(self):
        self.n += threading.get_ident() == self.thread
        return self.times(self.n)


@pytest.fixture
def timed(shop):
    "A sandbox with a clock"
    boxes = []

    def make(clock, *limits):
        boxes.append(Sandbox(shop, *limits))
        boxes[-1].clock = clock
        return boxes[-1]

    yield make
    for made in boxes:
        made.close()


def test_a_query_ends_at_the_first_look_after_its_seconds(timed):
    looks = Looks(lambda n: n / 100)  # 10 ms at every look, after each thousand of steps
    counted = timed(looks)
    assert refusal(counted.query, ENDLESS) == LATE
    assert looks.n == 1 + 501 + 1  # when it is due, while it ran, and whether it was late
    assert counted.query("select count(*) from cheap").rows == ((167,),)


def test_the_watchdog_alone_stops_a_query(timed):
    me = threading.get_ident()  # for which the clock does not move
    asleep = timed(lambda: 0 if threading.get_ident() == me else 3600)
    assert refusal(asleep.query, ENDLESS) == LATE


@pytest.fixture
def ctrl_c():
    "A shell lets what it starts in the background ignore Ctrl-C: not so here"
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)


def test_ctrl_c_ends_a_query(timed, ctrl_c):
    def pressed(n):
        "While a query runs, SQLite looks at the clock for the second time"
        if n == 3:
            signal.raise_signal(signal.SIGINT)
        return 0

    looks = Looks(pressed)
    stopped = timed(looks, Limits(opcodes=1))
    with pytest.raises(KeyboardInterrupt):  # it does not vanish
        stopped.query("select count(*) from products")
    assert looks.n == 3  # nor does the query run a second time
    assert stopped.query("select count(*) from products").rows == ((5000,),)


BUSY = "while True: pass"


@pytest.fixture
def neighbours():
    "Four busy processes on the only core that this one may use"
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("a process cannot be pinned here")
    cores = os.sched_getaffinity(0)
    busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(4)]
    try:
        for pid in (0, *(process.pid for process in busy)):
            os.sched_setaffinity(pid, {min(cores)})
        yield
    finally:
        os.sched_setaffinity(0, cores)
        for process in busy:
            process.kill()
            process.wait()


def counting(n):
    return ENDLESS.replace("from c)", f"from c where x < {n})")


@pytest.fixture(scope="module")
def taken(shop):
    "The steps of a query that counts to 200,000, on an idle machine"
    with closing(Sandbox(shop)) as alone:
        alone.query(counting(200_000))
        return alone.limits.steps - alone.left


def test_busy_neighbours_do_not_decide_whether_a_query_is_answered(shop, taken, neighbours):
    "Not even one that takes a thousandth less, or more, than its limit"
    enough, few = round(taken * 1.001), round(taken * 0.999)
    with closing(Sandbox(shop, Limits(steps=enough))) as box:
        assert [box.query(counting(200_000)).rows for _ in range(3)] == [((200_000,),)] * 3
    with closing(Sandbox(shop, Limits(steps=few))) as box:
        for _ in range(3):
            assert refusal(box.query, counting(200_000)) == LONG.replace("20,000,000", f"{few:,}")


def test_a_query_without_end_takes_its_steps(box):
    assert refusal(box.query, ENDLESS) == LONG
    assert -box.limits.opcodes <= box.left < 0
    assert box.query("select count(*) from cheap").rows == ((167,),)


def test_a_table_with_too_many_steps_to_be_counted_is_described(tmp_path):
    with closing(sqlite3.connect(tmp_path / "wide.sqlite")) as db:
        db.executescript("""
            create table n (i);
            with recursive c(x) as (select 1 union all select x + 1 from c where x < 3000)
            insert into n select x from c;
            create view pairs as select a.i as a, b.i as b from n a, n b;
        """)
    with closing(Sandbox(tmp_path / "wide.sqlite")) as box:  # nine million rows
        found = [box.describe("pairs") for _ in range(2)]
    assert [(info.rows, info.more) for info in found] == [(1_000_000, True)] * 2


def test_a_table_too_large_to_be_counted_in_time_is_described(timed, box):
    jumps = timed(Looks(lambda n: 0 if n < 2 else 3), Limits(opcodes=1))
    large, whole = jumps.describe("products"), box.describe("products")
    assert (large.rows, large.more, large.columns) == (1000, True, whole.columns)
    assert (whole.rows, whole.more) == (5000, False)


# Threads

NO_THREADS = """
import sys, threading
from sqlenv.sandbox import Sandbox
from sqlenv.sql.guard import Limits, SandboxError

def refuse(thread):
    raise RuntimeError("can't start new thread")

threading.Thread.start = refuse
box = Sandbox(sys.argv[1], Limits(seconds=0.1))
print(box.query("select count(*) from products").rows)
try:
    box.query(sys.argv[2])
except SandboxError as e:
    print(e)
"""


def test_without_threads_as_in_a_browser_a_query_ends_too(shop):
    command = [sys.executable, "-c", NO_THREADS, shop, ENDLESS]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "((5000,),)"
    assert "ran longer than 0.1 s" in done.stdout


def test_a_sandbox_belongs_to_the_thread_that_opened_it(shop, box):
    def elsewhere():
        others.append((open_sandbox(shop) is box, refusal(box.query, "select 1")))

    others = []
    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    why = "a sandbox belongs to the thread that opened it; call open_sandbox in this thread"
    assert others == [(False, why)]


# Dates


@pytest.mark.parametrize(
    "values, row",
    [
        (
            "date('2020-02-28', '+2 days'), strftime('%Y', '2020-02-28'), "
            "julianday('2020-01-02') - julianday('2020-01-01')",
            ("2020-03-01", "2020", 1.0),
        ),
        ("trim('xxabxx', 'x'), trim('  a ')", ("ab", "a")),
    ],
    ids=["dates", "trim"],
)
def test_functions_of_what_is_in_the_query_work(box, values, row):
    assert box.query(f"select {values}").rows == (row,)


SALES = """
create table sales (id integer primary key, day text, paid real, note text);
create table notes (id integer primary key, day text, word text, n, b, z);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 3000)
insert into sales
  select x, datetime('2000-01-01', (x * 37) || ' hours'), 2451545 + x, 'paid late' from c;
insert into notes values (1, '2020-01-01', 'now', 'NOW', x'6e6f77', 'now' || char(0) || 'x');
create view monday as select 'now' as day, id from sales;
"""


@pytest.fixture(scope="module")
def sales(tmp_path_factory):
    return build(tmp_path_factory.mktemp("sales"), "sales.sqlite", SALES)


@pytest.mark.parametrize(
    "sql",
    [
        "select strftime('%Y', day), count(*) from sales group by 1 order by 1",
        "select max(date(s.\"day\", '+1 day', 'weekday 0')), min(julianday(paid)) from sales s",
        "select a.id from sales a join notes b on date(a.day) > date(b.day)",
    ],
)
def test_columns_of_dates_are_read_as_sqlite_reads_them(sales, sql):
    with closing(sqlite3.connect(sales)) as raw:
        assert open_sandbox(sales).query(sql, rows=5000).rows == tuple(raw.execute(sql))


@pytest.mark.parametrize(
    "sql",
    [
        "date(n) from notes",
        "date(word) from notes",
        "datetime(b) from notes",
        "julianday(z) from notes",
        "strftime('%Y', day, word) from notes where 0 or date(word)",
        "date(substr(word, 1)) from notes",
        "date(day) from monday",
        "date(q.day) from (select 'now' as day) q, sales s where s.day > ''",
        "date(v.column1) from (values ('now')) v",
        "date(value) from json_each('[\"now\"]')",
        "count(*), 'now' as d from sales group by date(d)",
        "max(date(x.day)) from sales s, monday x where s.day > ''",
        "date(s.word) from sales join notes s using (id)",
        "date(coalesce(z, day)) from notes",
        "date(day), date('now') from sales",
    ],
)
def test_a_column_that_holds_now_in_whatever_form_is_refused(sales, box, sql):
    said = refusal(open_sandbox(sales).query, f"select {sql}")
    assert said == refusal(box.query, "select date('now')")


# Files that try to be too much


@pytest.fixture(scope="module")
def deep(tmp_path_factory):
    "Views that double with each step"
    steps = [
        f"create view v{i} as select x.a from v{i - 1} x join v{i - 1} y" for i in range(1, 40)
    ]
    sql = ["create table t(a)", "insert into t values (1)", "create view v0 as select a from t"]
    path = build(tmp_path_factory.mktemp("views"), "views.sqlite", ";".join([*sql, *steps]))
    return open_sandbox(path)


def test_views_that_double_are_read_while_they_are_small(deep):
    assert deep.tables == ("t", *(f"v{i}" for i in range(6)))
    assert deep.query("select a from v5").rows == ((1,),)


@pytest.mark.parametrize(
    "sql",
    ["select a from v39", " union all ".join(["select a from v1"] * 21)],
    ids=["one that is deep", "more than twenty in one query"],
)
def test_views_that_are_too_much_are_refused(deep, sql):
    assert refusal(deep.query, sql)


def test_a_view_that_cannot_be_read_is_left_out(tmp_path):
    path = build(tmp_path, "shop.sqlite", SHOP)
    build(
        tmp_path,
        "shop.sqlite",
        "create view lost as select * from gone;create view secret as select * from sqlite_master;",
    )
    box = open_sandbox(path)
    assert box.tables == ("suppliers", "products", "cheap")
    assert refusal(box.query, "select * from secret") == NO_SYSTEM_TABLES


def test_a_view_is_read_as_a_table(box):
    info = box.describe("Cheap")
    assert [c.name for c in info.columns] == ["id", "name", "price", "supplier_id"]
    assert info.rows == 167
    assert box.sample("cheap", 1).rows == ((1, "Lamp 1", 1.5, 2),)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    "A table with values that are larger than the limit"
    path = build(tmp_path_factory.mktemp("large"), "large.sqlite", "create table t(a, b, c blob)")
    with closing(sqlite3.connect(path)) as db:
        rows = [(1, "short", b"x"), (2, "y" * 150_000, b"z" * 150_000)]
        db.executemany("insert into t values (?, ?, ?)", rows)
        db.commit()
    return open_sandbox(path)


def test_a_value_that_is_too_large_does_not_hide_its_table(large):
    shown = large.sample("t")
    assert shown.columns == ("a", "b", "c")
    assert shown.rows[0] == (1, "short", b"x")
    assert shown.rows[1][:2] == (2, "y" * 200 + "…")
    assert "a value is too large" in refusal(large.query, "select * from t")


def test_an_error_repeats_no_more_than_the_beginning_of_a_long_token(large):
    assert len(refusal(large.query, f"select a {'q' * 5000} b from t")) < 200


# Views


@pytest.mark.parametrize(
    "name, sql",
    [
        ("total", "create view total as select sum(a) as total from t"),
        ("v", "create view 'v' as select a from t"),
        ('my"view', 'create view "my""view" as select a from t'),
    ],
)
def test_a_view_may_have_a_column_of_its_name_or_a_name_in_quotes(tmp_path, name, sql):
    box = open_sandbox(build(tmp_path, "views.sqlite", f"create table t(a); {sql}"))
    assert box.tables == ("t", name)
    assert box.sample(name).rows == ((None,),) * (name == "total")


def test_views_of_each_other_are_left_out(tmp_path):
    sql = "create table t(a); create view v as select * from w; create view w as select * from v"
    assert open_sandbox(build(tmp_path, "circle.sqlite", sql)).tables == ("t",)


# Files


def test_an_old_encoding_is_read_as_well_as_it_can_be(tmp_path):
    sql = "create table t(name text); insert into t values (cast(x'4df6777765' as text)), ('Möwe')"
    old = open_sandbox(build(tmp_path, "old.sqlite", sql))
    assert old.query("select name from t").rows == (("M\ufffdwwe",), ("Möwe",))


def test_a_file_may_have_an_odd_name(tmp_path):
    odd = build(tmp_path, "100% odd? #1 ü.sqlite", "create table t(a)")
    assert open_sandbox(odd).tables == ("t",)


def test_a_file_with_a_log_is_read_once_its_changes_are_finished(tmp_path):
    sql = "pragma journal_mode=wal; create table t(a); insert into t values (7)"
    wal = build(tmp_path, "wal.sqlite", sql)
    assert open_sandbox(wal).query("select a from t").rows == ((7,),)
    with closing(sqlite3.connect(wal)) as writer:
        writer.execute("insert into t values (8)")
        writer.commit()
        assert "has unfinished changes in wal.sqlite-wal" in refusal(Sandbox, wal)
    assert open_sandbox(wal).query("select a from t").rows == ((7,), (8,))


def test_a_damaged_file_gives_a_sentence(tmp_path, shop):
    torn = tmp_path / "torn.sqlite"
    torn.write_bytes(shop.read_bytes()[:4096] + b"\xff" * 30_000)
    said = refusal(lambda: open_sandbox(torn).query("select * from products"))
    assert "torn.sqlite is damaged" in said and said.endswith("build or copy it again")


def test_a_file_without_tables_gives_a_sentence(tmp_path):
    bare = build(tmp_path, "bare.sqlite", "pragma user_version = 1")
    assert refusal(open_sandbox, bare).endswith("bare.sqlite holds no tables; fill it first")
