"""What every notebook has: a title, a line about it, words for its figures, and cells for Colab."""

import builtins
import re
import symtable
from pathlib import Path

import pytest
import yaml
from execnb.nbio import read_nb
from nbdev.config import get_config
from nbdev.doclinks import nbglob

from sqlenv.workflow.pipeline import NOTEBOOKS, needed_by_a_run

config = get_config()
root = config.config_path
books = {
    Path(p).relative_to(config.nbs_path).with_suffix("").as_posix(): read_nb(p) for p in nbglob()
}


def test_the_first_cell_is_the_title_and_one_line():
    "The site drops any text after that line; a page may ask to be left out of its search"
    odd = [
        n
        for n, nb in books.items()
        if not re.fullmatch(
            r"# \S[^\n]*\n\n> \S[^\n]*(\n\n- search: false)?", nb.cells[0].source.strip()
        )
    ]
    assert not odd, f'The first cell is to be "# Title", an empty line, "> one line": {odd}'


def open_in_colab(name):
    "The badge of a notebook"
    repo = config.git_url.removeprefix("https://github.com/")
    address = (
        f"https://colab.research.google.com/github/{repo}/blob/{config.branch}/nbs/{name}.ipynb"
    )
    picture = "https://colab.research.google.com/assets/colab-badge.svg"
    return f'<a href="{address}"><img src="{picture}" alt="Open in Colab"></a>'


TRAINING = "tutorials/train_grpo"  # what the landing page opens
opened = [n for n in books if re.match(r"\d\d_|index|getting_started|tutorials/", n)]


def test_what_a_reader_opens_has_a_badge_and_the_setup_cell():
    "One line of the cell differs: whether the page trains. tests/test_colab.py runs it"
    setup = books["index"].cells[2].source
    assert setup.startswith("#| hide") and config.git_url in setup and "trains = False" in setup
    alike = setup, setup.replace("trains = False", "trains = True")
    wrong = [
        n
        for n in opened
        if not books[n].cells[1].source.endswith(open_in_colab(TRAINING if n == "index" else n))
        or books[n].cells[2].source not in alike
    ]
    assert not wrong, (
        f"The second and third cell are to be the badge and index's setup cell: {wrong}"
    )


def test_pages_that_train_install_for_it():
    training = [n for n in opened if "trains = True" in books[n].cells[2].source]
    lean = [n for n in opened if n not in training]
    unfit = [n for n in lean if any("#| eval: false" in c.source for c in books[n].cells)]
    assert training and lean and not unfit, f"Pages that train, and do not install for it: {unfit}"


def test_other_notebooks_have_no_cells_for_colab():
    others = [
        n
        for n in books
        if n not in opened and any("colab-badge.svg" in c.source for c in books[n].cells[:4])
    ]
    assert not others, f"Notebooks that nobody opens in Colab and that have its cells: {others}"


def draws(cell):
    "Does a cell show a picture?"
    hidden = re.search(r"^#\|\s*(hide|include: false|output: false)", cell.source, re.M)
    kinds = [kind for output in cell.get("outputs", []) for kind in output.get("data", {})]
    return not hidden and any(kind.startswith("image/") for kind in kinds)


def without_words(nb):
    "The first lines of the cells whose picture has no text"
    code = [
        c.source.split("\n")[0]
        for c in nb.cells
        if draws(c) and not re.search(r"^#\|\s*fig-(alt|cap): *\S", c.source, re.M)
    ]
    return code + [c.source for c in nb.cells if c.cell_type == "markdown" and "![](" in c.source]


def test_every_figure_has_words():
    "For those who do not see it, with `#| fig-alt`"
    found = {n: cells for n, nb in books.items() if (cells := without_words(nb))}
    assert not found, f"Figures without #| fig-alt: {found}"


def unreadable(line):
    "Why Quarto stumbles over a `#| fig-alt` line; nothing when it does not"
    try:
        words = yaml.safe_load(line.removeprefix("#|"))["fig-alt"]
    except (yaml.YAMLError, TypeError):
        return "not YAML: put it in quotes"
    return "write percent" if re.search(r"\d %", words) else ""


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('#| fig-alt: "Success: 95 percent."', ""),
        ("#| fig-alt: Success: 95 percent.", "not YAML: put it in quotes"),
        ("#| fig-alt: 95 % intervals", "write percent"),
    ],
)
def test_quarto_reads_a_line_as_yaml_and_as_part_of_an_address(line, why):
    assert unreadable(line) == why


def test_quarto_can_read_the_words_of_every_figure():
    found = {
        (n, line): why
        for n, nb in books.items()
        for c in nb.cells
        for line in re.findall(r"^#\|\s*fig-alt:.*", c.source, re.M)
        if c.cell_type == "code" and (why := unreadable(line))
    }
    assert not found, found


def fenced(text):
    "The Python code in a text"
    return "".join(re.findall(r"```python\n(.*?)\n```", text, re.S))


def test_the_code_that_the_landing_page_shows_runs_below_it():
    "README.md is made without code cells, so the code that it shows is text"
    landing = [c.source for c in books["index"].cells]
    examples = [(fenced(text), below) for text, below in zip(landing, landing[1:], strict=False)]
    examples = [(code, below) for code, below in examples if code]
    assert examples and all(below == f"#| echo: false\n{code}" for code, below in examples)


def test_the_landing_page_is_short():
    "What is read of it: text, and what its cells put out"
    texts = []
    for cell in books["index"].cells:
        if cell.cell_type == "markdown":
            texts.append(re.sub(r"\]\([^)]*\)|<[^>]*>", "", cell.source))
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            texts.append("".join(output.get("text", data.get("text/markdown", ""))))
    words = "\n".join(texts)
    assert len(re.findall(r"\d[\d.,]*", words)) <= 60
    assert len(words.split()) < 900


def scopes(table):
    "A scope and those within it"
    yield table
    for inner in table.get_children():
        yield from scopes(inner)


def undefined(code):
    "Global names that are used and nowhere defined"
    top, *inner = scopes(symtable.symtable(code, "cells", "exec"))
    defined = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported()}
    used = {s.get_name() for s in top.get_symbols() if s.is_referenced()}
    for scope in inner:
        used |= {s.get_name() for s in scope.get_symbols() if s.is_global() and s.is_referenced()}
    return used - defined - set(dir(builtins))


def test_a_name_that_nothing_defines_is_found():
    example = "def f(): return test_name\nimport json\nprint(json, [x for x in (1, 2)])"
    assert undefined(example) == {"test_name"}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_run_uses_no_name_that_only_a_test_defines(name):
    "A run executes exported cells, parameters and the cells below them, and no tests"
    missing = undefined("\n".join(c.source for c in books[name].cells if needed_by_a_run(c)))
    assert not missing, f"Training uses names that only tests define: {missing}"
