"""Servers that break off, archives that are damaged or lie, and the figures of the real archive."""

import functools
import hashlib
import io
import json
import os
import random
import re
import shutil
import threading
import zipfile
from collections import Counter
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from sqlenv.data import DataError, database_path, databases, hardness, load_questions, normal_sql
from sqlenv.datasets.compose import compose
from sqlenv.datasets.spider import (
    CORE,
    EACH,
    Archive,
    answer_key,
    download,
    import_spider,
)


class Server(BaseHTTPRequestHandler):
    "Serves `files`; an answer for a path in `cut` ends after that many bytes"

    files, cut = {}, {}

    def do_GET(self):
        body = self.files.get(self.path)
        if body is None:
            return self.send_error(404)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: self.cut.get(self.path, len(body))])

    def log_message(self, *args):
        pass


@contextmanager
def serving(**files):
    "A server on loopback; gives its address"
    Server.files = {f"/{n}.zip": b for n, b in files.items()}
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


whole = random.Random(0).randbytes(900_000)
right = hashlib.sha256(whole).hexdigest()


def test_an_archive_is_downloaded(tmp_path):
    with serving(good=whole) as at:
        download(tmp_path / "one.zip", f"{at}/good.zip", right)
    assert (tmp_path / "one.zip").read_bytes() == whole
    assert [p.name for p in tmp_path.iterdir()] == ["one.zip"]


@pytest.mark.parametrize(
    ("name", "why"),
    [("bad", "another checksum"), ("missing", "404"), ("short", "the connection broke")],
)
def test_a_wrong_file_a_missing_and_a_short_one_are_refused(tmp_path, monkeypatch, name, why):
    monkeypatch.setattr(Server, "cut", {"/short.zip": 300_000})
    with serving(bad=whole[:-9] + b"different", short=whole) as at:
        with pytest.raises(Exception, match=f"could not be read: .*{why}.*by hand"):
            download(tmp_path / "two.zip", f"{at}/{name}.zip", right)
    assert not list(tmp_path.iterdir())


def test_a_server_that_is_not_there_is_said(tmp_path):
    with serving(good=whole) as at:
        pass
    with pytest.raises(Exception, match="could not be read"):
        download(tmp_path / "two.zip", f"{at}/good.zip")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_no_fault_of_the_server(tmp_path):
    "The sentence says where space is missing"
    kept = tmp_path / f".full.zip.{os.getpid()}.tmp"
    kept.symlink_to("/dev/full")  # takes no byte
    with serving(good=whole) as at:
        with pytest.raises(Exception, match="No space left on the disk of"):
            import_spider(f"{at}/good.zip", tmp_path / "full")


CORE_USED = ("car_1", "pets_1", "student_assessment")


def small_spider(top="spider_data/", extra=(), databases=CORE_USED):
    "A zip file like Spider's, as bytes"
    files = dict(zip(databases, ("library", "school", "hospital"), strict=True))
    sqls = {
        "car_1": "SELECT count(*) FROM books WHERE pages > {}",
        "pets_1": "SELECT name FROM students WHERE student_id = 4{:03d}",
        "student_assessment": "SELECT name FROM doctors WHERE id = {}",
    }
    rows = {d: [] for d in files}
    for d in files:
        for i in range(10):
            for word in "ab":
                text, query = f"Question {i} in words {word}?", sqls[d].format(100 + i)
                rows[d].append(dict(db_id=d, question=text, query=query))
    rows["car_1"] += [
        dict(db_id="car_1", question="Fails?", query="SELECT wheels FROM books"),
        dict(db_id="car_1", question="Long?", query="SELECT title FROM books;"),
    ]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr(f"{top}tables.json", "[]")
        gone = dict(db_id="wta_1", question="Gone?", query="SELECT 1")
        z.writestr(f"{top}dev.json", json.dumps([*rows["car_1"], *rows["pets_1"]]))
        z.writestr(f"{top}train_spider.json", json.dumps([*rows["student_assessment"], gone]))
        for d, ours in files.items():
            z.write(database_path(ours), f"{top}database/{d}/{d}.sqlite")
        for name, content in extra:
            z.writestr(name, content)
    return out.getvalue()


@pytest.fixture(scope="module")
def tmp(tmp_path_factory):
    """A folder with a small archive in Spider's layout.

    It has a gold query that fails, one that gives nothing and one that gives too much. The same is
    there as a folder, and with the other name of the folder inside.
    """
    tmp = tmp_path_factory.mktemp("spider")
    (tmp / "small.zip").write_bytes(small_spider())
    with zipfile.ZipFile(tmp / "small.zip") as z:
        z.extractall(tmp / "unpacked")
    renamed = small_spider("spider/", extra=[("__MACOSX/spider/._dev.json", "x")])
    (tmp / "other.zip").write_bytes(renamed)
    return tmp


@pytest.fixture(scope="module")
def done(tmp):
    "The import of the core's part of it"
    return import_spider(tmp / "small.zip", tmp / "small")


def test_a_small_archive_is_imported(done):
    assert (done.databases, done.splits, done.missing) == (3, dict(train=43, eval=18), {})
    ((dropped, why),) = done.dropped
    assert dropped == "car_1-dev-0021" and "wheels" in why
    assert done.flagged["empty"] and done.flagged["long"] == 1


@pytest.mark.parametrize("source", ["unpacked", "unpacked/spider_data", "other.zip", "small.zip"])
def test_an_import_is_the_same_from_another_source_and_over_the_first(tmp, done, source):
    assert import_spider(tmp / source, tmp / "small").splits == done.splits


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


def test_an_import_is_the_same_from_a_server(tmp, done):
    "What was downloaded is kept beside the folder"
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=tmp)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/small.zip"
        assert import_spider(url, tmp / "served").splits == done.splits
        server.shutdown()
    assert (tmp / "served.zip").read_bytes() == (tmp / "small.zip").read_bytes()


def test_a_kept_file_that_is_not_the_published_one_is_refused_and_stays(tmp):
    kept = shutil.copy(tmp / "small.zip", tmp / "replaced.zip")
    with pytest.raises(DataError, match="replaced.zip is not the published file"):
        import_spider(None, tmp / "replaced")
    assert kept.read_bytes() == (tmp / "small.zip").read_bytes()


def test_an_unknown_part_is_refused(tmp):
    with pytest.raises(DataError, match="no part 'cores' of Spider. Parts: core, "):
        import_spider(tmp / "small.zip", tmp / "none", part="cores")


def test_the_part_unseen_core_needs_questions_to_train_on(tmp):
    with pytest.raises(Exception, match="no questions to train on"):
        import_spider(tmp / "small.zip", tmp / "none", part="unseen-core")


@pytest.fixture(scope="module")
def other(tmp):
    "Most training questions moved out of the core, and most about `pets_1`"
    shutil.copytree(tmp / "unpacked", tmp / "moved")
    other = tmp / "moved" / "spider_data"
    for old, new, name in (
        ("student_assessment", "hospital_1", "train_spider.json"),
        ("pets_1", "zoo_1", "dev.json"),
    ):
        asked = json.loads((other / name).read_text())
        for row in [row for row in asked if row["db_id"] == old][4:]:
            row["db_id"] = new
        (other / name).write_text(json.dumps(asked))
        shutil.copytree(other / "database" / old, other / "database" / new)
        folder = other / "database" / new
        (folder / f"{old}.sqlite").rename(folder / f"{new}.sqlite")
    return other


def test_with_the_part_unseen_core_a_core_database_is_unseen(tmp, other):
    "Whichever file asks about it; other databases of the development file are left out"
    done = import_spider(other, tmp / "unseen", part="unseen-core")
    found = {s: {q.db_id for q in load_questions(s, tmp / "unseen")} for s in done.splits}
    assert found == dict(train={"hospital_1"}, eval={"hospital_1"}, unseen=set(CORE_USED))
    assert (done.splits["unseen"], done.databases) == (4 + 21 + 4, 4)


@pytest.fixture(scope="module")
def more(tmp, other):
    "The same, where the archive asks some of the composed queries itself, half in capitals"
    other = shutil.copytree(other, tmp / "asked")
    drafts = compose(other / "database" / "car_1" / "car_1.sqlite", EACH)
    asked = json.loads((other / "dev.json").read_text())
    for i, draft in enumerate(drafts[:30]):
        query = draft.gold_sql.replace("SELECT", "select") if i % 2 else draft.gold_sql
        asked.append(dict(db_id="car_1", question=f"Asked by people, number {i}?", query=query))
    (other / "dev.json").write_text(json.dumps(asked))
    return other


def gold(questions):
    return {(q.db_id, normal_sql(q.gold_sql)) for q in questions}


def is_synthesized(q):
    return bool(q.kind)


def imported(tmp, source, part):
    "An import, and its questions by split"
    done = import_spider(source, tmp / part, part)
    return done, {split: load_questions(split, tmp / part) for split in done.splits}


def no_leak(tmp, part, found):
    "Whether no gold query, text or answer of eval is in train or dev"
    added = [q for split in ("train", "dev") for q in found.get(split, [])]
    copied = [q for q in added if is_synthesized(q)]
    assert gold(added) & gold(found["eval"]) == set()
    assert answers_of(tmp, part, copied) & answers_of(tmp, part, found["eval"]) == set()
    assert texts_of(copied) & texts_of(found["eval"]) == set()


def answers_of(tmp, part, questions):
    return {(q.db_id, answer_key(q, database_path(q.db_id, tmp / part))) for q in questions}


def texts_of(questions):
    return {(q.db_id, q.question.lower()) for q in questions}


@pytest.fixture(scope="module")
def core(tmp, more):
    return imported(tmp, more, "core")[1]


@pytest.fixture(scope="module")
def made(tmp, more):
    "The part that gives more to train on"
    return imported(tmp, more, "core-more")


def test_the_part_core_more_asks_each_question_once(made):
    done, splits = made
    assert sum(done.train.values()) == done.splits["train"]
    assert done.missing == {"wta_1": 1}
    ids = [q.question_id for questions in splits.values() for q in questions]
    assert len(ids) == len(set(ids))


def test_the_part_core_more_keeps_the_questions_of_core(tmp, made, core):
    "What it adds has no gold query of `eval`, in no spelling"
    _, splits = made
    assert splits["eval"] == core["eval"]
    ours, cores = ({q.question_id for q in s["train"]} for s in (splits, core))
    assert cores - ours == set()
    no_leak(tmp, "core-more", splits)


def test_the_part_core_more_adds_other_databases_and_composed_questions(made, core):
    done, splits = made
    assert {q.db_id for q in splits["train"]} - set(CORE) == {"hospital_1"}
    assert done.left_out, "something is composed that eval asks"
    asked_by_people = {q.gold_sql for q in core["eval"] if q.question.startswith("Asked")}
    assert asked_by_people, "some of it is in eval"


good = small_spider()


def repacked(change):
    "The small archive with files changed or left out"
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(good)) as z, zipfile.ZipFile(out, "w") as to:
        for n in z.namelist():
            if (content := change(n, z.read(n))) is not None:
                to.writestr(n, content)
    return out.getvalue()


def replacing(ending, content):
    "The small archive with another content of one file"
    return repacked(lambda name, old: content(old) if name.endswith(ending) else old)


def claiming(name, **claims):
    "The small archive, with something else said of one file"
    buffer = io.BytesIO(good)
    with zipfile.ZipFile(buffer, "a") as z:
        entry = next(i for i in z.filelist if i.filename.endswith(name))
        for what, value in claims.items():
            setattr(entry, what, value)
        z.comment = b"x"  # or the directory would not be written again
    return buffer.getvalue()


car, odd_name = "car_1.sqlite", b'[{"db_id": "../x", "question": "?", "query": "?"}]'
needs = "each row needs db_id, question and query"
flipped = bytearray(good)
flipped[good.index(b".sqlite") + 4000] ^= 255
BAD = [
    (b"<!DOCTYPE html> too many downloads", "is not a zip archive"),
    (good[: len(good) // 2], "is not a zip archive"),
    (replacing(car, lambda old: old[: len(old) // 2]), "is cut off"),
    (replacing(car, lambda old: b"no database"), "is not an SQLite database"),
    (replacing(car, lambda old: b""), "is empty"),
    (replacing("dev.json", lambda old: old[:-5]), "could not be read as JSON"),
    (replacing("dev.json", lambda old: b'[{"db_id": "car_1"}]'), needs),
    (replacing("dev.json", lambda old: odd_name), "'../x' cannot be the name"),
    (repacked(lambda name, old: None if "sqlite" in name else old), "does not hold Spider"),
    (bytes(flipped), "is damaged"),
    # What a zip says of its sizes is read before anything is unpacked, and nothing is unpacked
    # beyond that: a bomb that tells the truth is refused at once, one that lies is cut off.
    (claiming(car, file_size=6_000_000_000), "bad.zip would be 6.0 GB"),
    (claiming("dev.json", file_size=10), "dev.json in bad.zip is damaged"),
    (claiming("dev.json", flag_bits=1), "password required"),
    (claiming(car, file_size=5_000), "is damaged"),
    (replacing("dev.json", lambda old: b"[" * 100_000), "dev.json in bad.zip is nested too deeply"),
]


@pytest.mark.parametrize(
    ("content", "message"), BAD, ids=[f"{i}-{m}" for i, (_, m) in enumerate(BAD)]
)
def test_a_bad_archive_is_refused_and_nothing_is_left(tmp_path, content, message):
    (tmp_path / "bad.zip").write_bytes(content)
    with pytest.raises(Exception, match=re.escape(message)):
        import_spider(tmp_path / "bad.zip", tmp_path / "refused")
    assert [p.name for p in tmp_path.iterdir()] == ["bad.zip"]


def test_a_path_that_climbs_out_of_its_folder_leads_nowhere(tmp_path):
    "Only files that are looked for by name are read"
    climbs = [("spider_data/../../evil.txt", "x"), ("/etc/evil.txt", "x"), ("C:evil.txt", "x")]
    (tmp_path / "climbs.zip").write_bytes(small_spider(extra=climbs))
    out = tmp_path / "climbed" / "deep"
    import_spider(tmp_path / "climbs.zip", out)
    assert [*tmp_path.rglob("*evil*"), *Path("/etc").glob("*evil*")] == []
    assert {p.name for p in out.iterdir()} == {"databases", "questions", "spider.json"}


def test_a_folder_that_holds_other_files_is_left_as_it_is(tmp):
    before = sorted(p.name for p in tmp.iterdir())
    with pytest.raises(Exception, match="holds other files"):
        import_spider(tmp / "small.zip", tmp / "unpacked")
    assert sorted(p.name for p in tmp.iterdir()) == before


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("nowhere.zip", "There is no file or folder"),
        ("small/questions", "does not hold Spider"),
    ],
)
def test_a_source_that_is_no_archive_is_refused(tmp, done, source, message):
    with pytest.raises(Exception, match=message):
        import_spider(tmp / source, tmp / "refused")


def test_no_more_is_unpacked_than_the_archive_says(tmp_path):
    (tmp_path / "lies.zip").write_bytes(claiming(car, file_size=5_000))
    with pytest.raises(Exception, match="is damaged"):
        Archive(tmp_path / "lies.zip").extract("car_1", tmp_path / "lies")
    assert (tmp_path / "lies" / "car_1" / car).stat().st_size <= 5_000


# The real archive is not part of the project. Where `SQLENV_SPIDER` names a copy, the figures that
# are known of it are tested.
real = os.environ.get("SQLENV_SPIDER")
REAL = pytest.mark.skipif(not real, reason="SQLENV_SPIDER does not name a spider_data.zip")


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    return tmp_path_factory.mktemp("real")


@REAL
def test_the_core_of_the_real_archive(room):
    core = import_spider(real, room / "core")
    assert (core.databases, core.splits, core.dropped) == (10, dict(train=473, eval=203), [])
    found = {s: load_questions(s, room / "core") for s in ("train", "eval")}
    in_train, in_eval = ({(q.db_id, normal_sql(q.gold_sql)) for q in qs} for qs in found.values())
    assert in_train & in_eval == set()
    questions = [q for qs in found.values() for q in qs]
    assert core.flagged["empty"] == 40
    assert len({(q.db_id, q.gold_sql) for q in questions}) == 356
    flights = [q for q in questions if q.db_id == "flight_2"]
    assert sum(q.flag == "empty" for q in flights) == 30


@pytest.fixture(scope="module")
def unseen(room):
    "As the profile `spider-cpu` takes it"
    return import_spider(real, room / "unseen", part="unseen-core")


@REAL
def test_the_real_archive_with_its_core_unseen(room, unseen):
    "147 databases; three gold queries of the training file fail in SQLite"
    questions = sum(unseen.splits.values())
    assert (unseen.databases, unseen.splits["unseen"], questions) == (147, 676, 6904 + 623 - 3)
    assert len(unseen.dropped) == 3
    asked = {s: {q.db_id for q in load_questions(s, room / "unseen")} for s in unseen.splits}
    assert asked["unseen"] == set(CORE)
    assert not asked["unseen"] & (asked["train"] | asked["dev"] | asked["eval"])


@REAL
def test_the_part_of_the_real_archive_that_gives_more(room):
    "With the same 203 questions held out"
    if not (room / "core").exists():
        import_spider(real, room / "core")
    done, splits = imported(room, real, "core-more")
    assert [len(splits["eval"]), done.train["core"]] == [203, 473]
    assert sum(done.train.values()) == done.splits["train"]
    assert {q.db_id for q in splits["eval"]} == set(CORE)
    assert splits["eval"] == load_questions("eval", room / "core")
    no_leak(room, "core-more", splits)
    assert [q for q in splits["train"] if is_synthesized(q) and q.flag] == []


@REAL
def test_the_composer_asks_about_schemas_that_others_made(room, unseen):
    "Forty questions about each; a database without values gives none"
    folder = room / "unseen"
    drafts = {d: compose(database_path(d, folder), 40) for d in databases(folder)}
    assert len(drafts) == 147 and sum(map(len, drafts.values())) > 5_000


def from_tree(q):
    "Hardness from a parse tree of Spider's"
    places = [q["from"]["conds"], q["where"], q["having"]]
    conditions = [c for place in places for c in place[::2]]
    connectives = [word for place in places for word in place[1::2]]
    nested = [value for c in conditions for value in c[3:5] if isinstance(value, dict)]
    ordered = [c for unit in (q["orderBy"] or [None, []])[1] for c in unit[1:] if c]
    units = (*q["select"][1], *q["where"][::2], *q["groupBy"], *ordered, *q["having"])
    aggregates = sum(bool(unit[0]) for unit in units)

    one = sum(bool(q[clause]) for clause in ("where", "groupBy", "orderBy"))
    one += (q["limit"] is not None) + len(q["from"]["table_units"]) - 1
    one += connectives.count("or") + sum(c[1] == 9 for c in conditions)  # 9 is LIKE
    two = len(nested) + sum(q[k] is not None for k in ("intersect", "except", "union"))
    rest = (aggregates > 1) + sum(
        size > 1 for size in (len(q["select"][1]), len(q["where"]), len(q["groupBy"]))
    )
    if one <= 1 and rest == 0 and two == 0:
        return "easy"
    if two == 0 and ((rest <= 2 and one <= 1) or (one <= 2 and rest < 2)):
        return "medium"
    if two == 0 and ((rest > 2 and one <= 2) or (2 < one <= 3 and rest <= 2)):
        return "hard"
    return "hard" if one <= 1 and rest == 0 and two <= 1 else "extra"


@REAL
def test_hardness_is_that_of_spiders_own_trees():
    "Which the development file has for each query, read as `evaluation.py` reads them"
    rows = Archive(Path(real)).rows("dev.json")
    pairs = Counter((from_tree(r["sql"]), hardness(r["query"])) for r in rows if "sql" in r)
    assert {a for a, b in pairs if a != b} == set()
