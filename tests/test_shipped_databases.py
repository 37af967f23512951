"""What every shipped database keeps to, so that questions can be asked about it."""

import re
from contextlib import closing

import pandas as pd
import pytest

from sqlenv.data import shipped
from sqlenv.datasets.databases import (
    SEEN_DATABASES,
    UNSEEN_DATABASES,
    build_database,
    build_databases,
    sketched_databases,
)
from sqlenv.datasets.schema import KEYWORDS, identifier
from sqlenv.sql.guard import connect, read_columns, read_tables

SKETCHED = {*sketched_databases()}
REGULAR = {path.stem for path in shipped("domains").glob("*.sql")}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return build_databases(tmp_path_factory.mktemp("all"))


def table_columns(con):
    "The columns of every table, in schema order"
    return {table: read_columns(con, table) for table in read_tables(con)[0].values()}


def one_cell(con, sql, *parameters):
    return con.execute(sql, parameters).fetchone()[0]


def check_table(con, table, columns):
    keys = [c for c in columns if c.primary_key]
    assert 4 <= len(columns) <= 8 and keys, table
    label = columns[1]
    assert len(keys) > 1 or label.type == "TEXT" or label.references, (
        f"{table} has neither a label nor a link in its second column"
    )
    created = one_cell(con, "SELECT sql FROM sqlite_master WHERE name = ?", table)
    if f"{label.name} TEXT NOT NULL UNIQUE" in created:
        counts = (
            f"SELECT count(*) = count(DISTINCT {identifier(label.name)}) FROM {identifier(table)}"
        )
        assert one_cell(con, counts) == 1


def test_size_and_shape(files):
    """Three to nine tables, 50 to 6,000 rows, links that point at rows that exist.

    Databases from SQL are regular: tables of four to eight columns, a key, and a unique label
    second in a table of things rather than events. Those from Python need not be, for people's are
    not: some of their tables have no declared key, or a dozen columns.
    """
    for f in files:
        check_rules(f)


def check_rules(path):
    with closing(connect(path)) as con:
        schema = table_columns(con)
        rows = sum(one_cell(con, f"SELECT count(*) FROM {identifier(t)}") for t in schema)
        assert 3 <= len(schema) <= 9 and 50 <= rows <= 6000, path.stem
        assert con.execute("PRAGMA foreign_key_check").fetchall() == []
        assert one_cell(con, "PRAGMA page_size") == 512
        assert one_cell(con, "PRAGMA journal_mode") == "delete"
        assert one_cell(con, "PRAGMA freelist_count") == 0
        for table, columns in schema.items() if path.stem in REGULAR else ():
            check_table(con, table, columns)


def test_all_of_them_are_small(files):
    size = sum(f.stat().st_size for f in files)
    assert size < 8_000_000


def features(path):
    with closing(connect(path)) as con:
        schema = table_columns(con)
        names = [*schema, *(c.name for columns in schema.values() for c in columns)]
        key_sizes, values = [], []
        for t in schema:
            key_sizes.append(sum(c[5] > 0 for c in con.execute(f'PRAGMA table_info("{t}")')))
            for row in con.execute(f'SELECT * FROM "{t}"'):
                values += row
    text = " ".join(v for v in values if isinstance(v, str))
    linked = {t: [c.references for c in columns if c.references] for t, columns in schema.items()}
    parents = {t: [to.split(".")[0] for to in links] for t, links in linked.items()}
    types = [c.type for columns in schema.values() for c in columns]
    has = dict(
        composite_key=max(key_sizes) > 1,
        self_reference=any(t in p for t, p in parents.items()),
        many_to_many=any(len(set(p)) > 1 for p in parents.values()),
        spaces=any(" " in n for n in names),
        reserved=any(n.upper() in KEYWORDS for n in names),
        capitals=all(n.isupper() for n in names),
        non_ascii_names=not all(n.isascii() for n in names),
        no_key=0 in key_sizes,
        null=None in values,
        date=bool(re.search(r"\d{4}-\d\d-\d\d", text)),
        money="REAL" in types,
        comma="," in text,
        quote="'" in text,
        double_quote='"' in text,
        non_ascii=not text.isascii(),
    )
    return pd.Series(has, name=path.stem)


def test_they_have_what_real_schemas_have(files):
    "An agent must be ready for it, so at least two databases have each"
    counts = pd.DataFrame(map(features, files)).sum()
    assert counts.min() >= 2, counts


def words(path):
    "All words of two letters or more in names and text values, lower case, without a final s"
    with closing(connect(path)) as con:
        schema, texts = table_columns(con), []
        for table, columns in schema.items():
            texts += [table, *(c.name for c in columns)]
            for row in con.execute(f"SELECT * FROM {identifier(table)}"):
                texts += [value for value in row if isinstance(value, str)]
    found = re.findall(r"[^\W\d_]{2,}", " ".join(texts).lower())
    return {word.removesuffix("s") for word in found}


def group_words(group, tmp):
    "The words of some databases"
    built = [build_database(db_id, tmp / f"{db_id}.sqlite") for db_id in group]
    names = re.findall("[a-z]+", " ".join(group))
    return set().union(*map(words, built), (name.removesuffix("s") for name in names))


def test_regular_databases_share_no_word_with_unseen_ones(tmp_path):
    "Words such as *name* and *date* are in any database; what a database is about should be new"
    seen, unseen = ([d for d in g if d in REGULAR] for g in (SEEN_DATABASES, UNSEEN_DATABASES))
    assert group_words(seen, tmp_path) & group_words(unseen, tmp_path) == set()


def test_many_words_of_an_unseen_database_are_new(files):
    "Names and values together, in percent; sketches know many people's names and common words"
    said = {f.stem: words(f) for f in files}
    for groups, least in ((SEEN_DATABASES, 30), ([*SEEN_DATABASES, *SKETCHED], 12)):
        known = set().union(*(said[d] for d in groups))
        new = {d: 100 * len(said[d] - known) / len(said[d]) for d in UNSEEN_DATABASES}
        assert min(new.values()) > least


def test_no_sketch_is_about_what_an_unseen_database_is_about(files):
    "In percent of its words; all sketches together know most people's names and common words"
    said = {f.stem: words(f) for f in files}
    shared = {
        (d, s): 100 * len(said[d] & said[s]) / len(said[d])
        for d in UNSEEN_DATABASES
        for s in SKETCHED
    }
    assert max(shared.values()) < 20, max(shared, key=shared.get)
