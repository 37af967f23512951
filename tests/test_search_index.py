"""The search index of the site: it fits, whole words are left, headings and short texts stay."""

import json
import subprocess
import sys

import pytest

from tools.search_index import cut, trimmed


def entry(name, text):
    "As Quarto writes one"
    href = f"{name}.html#{name}"
    return dict(objectID=href, href=href, title=name, section=name, text=text, crumbs=["Story"])


LONG = "every query ends in time " * 2000
ENTRIES = [entry("install", "pip install sqlenv"), entry("sandbox", LONG), entry("grün", LONG)]


def test_a_text_is_cut_between_words():
    assert cut("one two three", 8) == "one two"
    assert cut("one two three", 7) == "one two"
    assert cut("one two", 7) == "one two"


@pytest.mark.parametrize("limit", [2_000, 20_000])
def test_the_index_fits_and_only_long_texts_are_shorter(limit):
    found = trimmed(ENTRIES, limit)
    kept = json.loads(found)
    assert limit - 100 < len(found.encode()) <= limit
    assert kept[0] == ENTRIES[0]
    assert all(LONG.startswith(e["text"]) for e in kept[1:])
    assert [{**e, "text": ""} for e in kept] == [{**e, "text": ""} for e in ENTRIES]


def test_an_index_that_fits_is_left_as_it_is():
    assert json.loads(trimmed(ENTRIES, 10**6)) == ENTRIES
    assert trimmed([], 10) == "[]"


def test_an_index_that_cannot_fit_is_refused():
    with pytest.raises(SystemExit, match="more than 100 bytes"):
        trimmed(ENTRIES, 100)


def test_the_command_replaces_the_file(tmp_path):
    path = tmp_path / "search.json"
    path.write_text(json.dumps(ENTRIES * 30, indent=2), encoding="utf-8")
    command = [sys.executable, "-m", "tools.search_index", path]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert path.stat().st_size <= 1_000_000 < len(LONG) * 60
    assert said.startswith("search.json: 3.0") and said.endswith("now 1.00 MB\n")
