"""Files that are no list of questions, leaks between splits, and full disks."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sqlenv.analysis import splits
from sqlenv.data import (
    RUN_SPLITS,
    DataError,
    embedded_folder,
    load_questions,
    parse_question,
    read_rows,
    shared,
    write_questions,
    writing,
)
from sqlenv.training.config import TrainConfig

ROW = dict(
    question_id="q1",
    question="How many?",
    db_id="shop",
    gold_sql="SELECT 1",
    answer_type="integer",
    difficulty="easy",
    tables=["a"],
    split="train",
)


def test_a_row_becomes_a_question():
    assert parse_question(ROW, "x").tables == ("a",)


@pytest.mark.parametrize(
    "wrong, message",
    [
        (ROW | dict(sql="x"), "train.json, row 3: unknown field 'sql'"),
        ({k: v for k, v in ROW.items() if k != "db_id"}, "the field 'db_id' is missing"),
        (ROW | dict(split="test"), "unknown split 'test'"),
        (ROW | dict(gold_sql=3), "must be text"),
        (ROW | dict(gold_sql=" "), "the field 'gold_sql' is empty"),
        ([], "expected an object"),
        (ROW | dict(tables=[{}]), "must be a list of table names"),
    ],
)
def test_a_field_that_is_missing_or_of_another_type_is_refused(wrong, message):
    with pytest.raises(DataError, match=message):
        parse_question(wrong, "train.json, row 3")


@pytest.fixture(scope="module")
def three():
    return load_questions("dev")[:3]


def test_what_is_written_is_read(tmp_path, three):
    write_questions(three, tmp_path / "questions" / "dev.json")
    assert load_questions("dev", tmp_path) == three


@pytest.mark.parametrize(
    "text, message",
    [('[{"question": "half', "could not be read as JSON"), ("[]", "at least one question")],
)
def test_a_split_that_holds_no_questions_is_refused(tmp_path, text, message):
    (tmp_path / "questions").mkdir()
    (tmp_path / "questions" / "train.json").write_text(text)
    with pytest.raises(DataError, match=message):
        load_questions("train", tmp_path)


def test_a_split_that_is_not_there_is_refused_with_those_that_are(tmp_path, three):
    for split in ("dev", "train"):
        write_questions(three, tmp_path / "questions" / f"{split}.json")
    with pytest.raises(DataError, match="The folder has: dev, train"):
        load_questions("unseen", tmp_path)


def test_an_id_that_comes_twice_is_refused(tmp_path, three):
    write_questions([three[0], three[0]], tmp_path / "questions" / "eval.json")
    with pytest.raises(DataError, match="twice"):
        load_questions("eval", tmp_path)


@pytest.mark.parametrize(
    "content, rows",
    [(b"[3]", [3]), (b"\xef\xbb\xbf[1]", [1])],
    ids=["plain", "with the mark that some editors put before UTF-8"],
)
def test_a_list_is_read_with_the_place_of_each_row(tmp_path, content, rows):
    (tmp_path / "mine.json").write_bytes(content)
    assert read_rows(tmp_path / "mine.json") == [("mine.json, row 1", row) for row in rows]


@pytest.mark.parametrize(
    "content, message",
    [
        (b"[" * 100_000, "mine.json is nested too deeply for a list of questions."),
        (b" ", "mine.json is empty: it must hold a JSON list of questions."),
        (
            '["Käufer"]'.encode("latin-1"),
            "mine.json is not UTF-8 text (byte 4 is not); save it as UTF-8.",
        ),
        (rb'["\ud800"]', "half a character"),
    ],
    ids=["deep", "empty", "latin-1", "half a character"],
)
def test_a_file_that_is_no_list_of_questions_is_refused(tmp_path, content, message):
    (tmp_path / "mine.json").write_bytes(content)
    with pytest.raises(DataError, match=re.escape(message)):
        read_rows(tmp_path / "mine.json")


@pytest.mark.parametrize(
    "name, message",
    [("mine.json", "There is no question file"), ("", "cannot be read: Is a directory")],
)
def test_what_is_no_file_is_refused(tmp_path, name, message):
    with pytest.raises(DataError, match=message):
        read_rows(tmp_path / name)


def test_a_leak_between_splits_is_seen(tmp_path, three):
    write_questions(three[:2], tmp_path / "questions" / "dev.json")
    write_questions([three[1]], tmp_path / "questions" / "eval.json")
    assert shared(tmp_path) == [dict(splits="dev and eval", gold=1, text=1, databases=1)]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_a_full_disk_is_named():
    with pytest.raises(DataError, match="No space left on the disk of data/shop"):
        with writing("data/shop"), open("/dev/full", "w") as f:
            f.write("x")


def test_a_database_that_may_not_grow_is_a_full_disk(tmp_path):
    with closing(sqlite3.connect(tmp_path / "small.sqlite")) as db:
        db.execute("PRAGMA max_page_count = 2")
        with pytest.raises(DataError, match="No space left on the disk of data/shop"):
            with writing("data/shop"):
                db.executescript("CREATE TABLE a (x); CREATE TABLE b (x)")


def test_a_run_on_the_folder_of_the_variable_needs_no_written_questions(tmp_path, monkeypatch):
    source = embedded_folder()
    (tmp_path / "databases").symlink_to(source / "databases")
    (tmp_path / "questions").mkdir()
    for split in RUN_SPLITS:
        (tmp_path / f"questions/{split}.json").symlink_to(source / f"questions/{split}.json")
    monkeypatch.setenv("SQLENV_DATA", str(tmp_path))
    assert set(splits(TrainConfig(eval_n=2), tmp_path)) == {"train", "eval", "unseen"}
