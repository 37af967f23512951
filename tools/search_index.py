"""Cut the search index of the rendered site: `python -m tools.search_index _docs/search.json`.

Quarto keeps the whole text of every page there, and a reader who searches fetches all of it. A
section is found by its heading and its beginning, so the longest texts lose their ends.
"""

import argparse
import json
from bisect import bisect_right
from pathlib import Path

LIMIT = 1_000_000  # bytes of the file


def cut(
    text: str,
    length: int,  # most characters
) -> str:  # whole words
    "The beginning of a text."
    return text if len(text) <= length else text[: length + 1].rpartition(" ")[0]


def as_json(
    entries: list[dict],  # of the index: page, section, text
    length: int,  # most characters of a text
) -> str:
    "The index with texts of at most this length."
    shorter = [entry | dict(text=cut(entry["text"], length)) for entry in entries]
    return json.dumps(shorter, ensure_ascii=False, separators=(",", ":"))


def trimmed(
    entries: list[dict],  # of the index
    limit: int = LIMIT,  # bytes
) -> str:  # JSON
    "The index with texts as long as fit."
    lengths = range(max((len(entry["text"]) for entry in entries), default=0) + 1)
    fitting = bisect_right(lengths, limit, key=lambda n: len(as_json(entries, n).encode()))
    if not fitting:
        raise SystemExit(f"Even without its texts the index has more than {limit} bytes.")
    return as_json(entries, lengths[fitting - 1])


def main():
    "Replace the file."
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("path", type=Path, help="search.json of the rendered site")
    path = parser.parse_args().path
    before = path.stat().st_size
    path.write_text(trimmed(json.loads(path.read_text(encoding="utf-8"))), encoding="utf-8")
    print(f"{path.name}: {before / 1e6:.2f} MB, now {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
