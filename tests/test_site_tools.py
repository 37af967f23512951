"""What becomes of a notebook on the site: links, signatures, folded code, definitions in order."""

import re
from base64 import b64decode, b64encode
from io import BytesIO
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from execnb.nbio import mk_cell, new_nb
from nbdev.config import get_config
from nbdev.doclinks import NbdevLookup
from nbdev.processors import FilterDefaults
from PIL import Image

from sqlenv.data import Question
from tools.site import (
    Documented,
    Folds,
    address_of,
    display_option,
    folded_signature,
    html_in_markdown,
    in_package,
    light_picture,
    link_names,
    only_prepares,
    own_badge,
    own_source,
    page_lookup,
    parameters_of,
    place_of,
    plain_signature,
)

LONG_CELL = "x = 1\n" * 9


@pytest.fixture(scope="module")
def names():
    return NbdevLookup()


@pytest.mark.parametrize(
    ("name", "page", "address"),
    [
        ("nobody", "index.ipynb", ""),
        ("evaluate", "index.ipynb", "policies.html#evaluate"),
        ("Episode.to_dict", "workflow/cli.ipynb", "../env.html#episode"),  # of a method, its class
    ],
)
def test_an_address_is_relative_to_the_page(names, name, page, address):
    assert address_of(name, page, names) == address


@pytest.mark.parametrize(
    "text",
    [
        "```python\ndef f(\n    x, # from `evaluate()`\n)\n```",
        "See [the `evaluate()`](05_policies.ipynb).",
        "Of `train`, run `clean`.",
        "`x.py`",
    ],
)
def test_code_links_and_words_are_not_linked(names, text):
    assert link_names(text, "index.ipynb", names) == text


def test_calls_classes_and_methods_are_linked(names):
    text = "`evaluate()` plays each `Episode`; see `Evaluation.breakdown`."
    assert link_names(text, "sql/guard.ipynb", names) == (
        "[`evaluate()`](../policies.html#evaluate) plays each "
        "[`Episode`](../env.html#episode); see "
        "[`Evaluation.breakdown`](../policies.html#evaluation)."
    )


def test_a_signature_has_no_guessed_types_and_no_fields_of_a_default():
    given = (
        "    data:NoneType=None, # a folder\n"
        "    say:builtin_function_or_method=print,\n"
        "    a:__main__.Action | str,\n"
        "    at:Limits=Limits(window=10, zero_variance=0.8, tool_failures=0.2, calls=1.0, "
        "flat=0.02),\n"
    )
    wanted = (
        "    data=None, # a folder\n    say=print,\n    a:Action | str,\n    at:Limits=Limits(…),\n"
    )
    page = "```python\ndef f(\n{})->NoneType:\n```\n`data:NoneType=None`"  # but what is no code
    assert plain_signature(page.format(given)) == page.format(wanted)


def defined_here(doc):
    "A class as a notebook defines it"
    return type("Question", (), dict(__doc__=doc, __module__="__main__"))


def test_the_package_stands_in_for_the_class_that_it_has():
    other = defined_here("Another one.")
    assert in_package(defined_here(Question.__doc__)) is Question
    assert in_package(other) is other and in_package(len) is len


def test_the_comments_of_fields_are_shown():
    signature = Documented(defined_here(Question.__doc__))._repr_markdown_()
    assert "gold_sql:str, # its result is the gold answer" in signature


def test_a_name_is_first_of_all_the_pages_own():
    cells = [SimpleNamespace(directives_={"default_exp": ["workflow.cli"]})]
    own = page_lookup(SimpleNamespace(cells=cells))
    module = f"{get_config().git_url}/blob/main/sqlenv/workflow/cli.py#L"
    assert own.code("main").startswith(module)
    text = own_source("[source](elsewhere){target}\n\n### main", "main", own)
    assert re.fullmatch(rf"\[source\]\({re.escape(module)}\d+\){{target}}\n\n### main", text)


@pytest.mark.parametrize(
    ("source", "only"),
    [
        ("import os", True),
        ("import os\nquiet()", True),
        ("import os\nprint(os)", False),
        ("%%time", False),
        ('sys.path.insert(0, "tests")\nfrom scripted import babble', True),
    ],
)
def test_imports_and_settings_only_prepare(source, only):
    assert only_prepares(source) is only


TABLE, SPACED = (
    dict(data={"text/markdown": ["| a |\n", line]}) for line in ("|---|\n", "| --- |\n")
)
PROSE = dict(data={"text/markdown": ["Six."]})
FIGURE = dict(data={"image/png": "…"})
PRINTED = dict(name="stdout", text=["6"])


@pytest.mark.parametrize(
    ("source", "output", "option"),
    [
        ("show()", FIGURE, ""),
        ("show()", TABLE, ""),
        ("show()", SPACED, ""),
        ("show()", PRINTED, ""),
        ("x = 6", PROSE, "#| echo: false\n"),
        (LONG_CELL, FIGURE, "#| code-fold: true\n"),
        (LONG_CELL, TABLE, "#| code-fold: true\n"),
        (LONG_CELL, PRINTED, ""),
        ("x = 6\n" * 41, PRINTED, "#| code-fold: true\n"),
        ("#| echo: true\n" + LONG_CELL, FIGURE, ""),
    ],
)
def test_long_code_of_a_picture_is_folded_and_that_of_prose_hidden(source, output, option):
    assert display_option(source, [output]) == option


def test_the_badge_has_a_picture_of_this_site():
    badge = (
        '<a href="x"><img src="https://colab.research.google.com/b.svg" alt="Open in Colab"></a>'
    )
    wanted = '<a href="x"><img src="../colab.svg" width="117" height="20" alt="Open in Colab"></a>'
    assert own_badge(badge, "tutorials/your_reward.ipynb") == wanted


def test_html_has_a_fence_longer_than_any_inside():
    assert html_in_markdown("<b>") == "```{=html}\n<b>\n```\n"
    assert html_in_markdown("<pre>```</pre>") == "````{=html}\n<pre>```</pre>\n````\n"


SIGNATURE = """```python
def load(
    split:str, data:str | tuple[int, str]=('a', 2), # with a, comma
    *rest, at:Limits=Limits(…),
)->dict[str, int]:
```"""


def test_the_parameters_of_a_signature_are_its_names():
    assert parameters_of(SIGNATURE) == ["split", "data", "*rest", "at"]
    assert parameters_of("```python\ndef Policy(\n    *args, **kwargs\n):\n```") == []


def test_a_signature_is_one_line_that_opens():
    body = f"{SIGNATURE}\n\n*What `x` holds; see [`Seen`](a.html#seen).*"
    line, source, *rest = folded_signature(f"---\n\n[source](x)\n\n### Data.load\n\n{body}").split(
        "\n\n"
    )
    assert line == (
        '```{=html}\n<details class="signature" id="data.load"><summary><code>Data.load(split, '
        "data, *rest, at)</code> What <code>x</code> holds; see <code>Seen</code>.</summary>\n```"
    )
    assert source == "[source](x)"
    assert "\n\n".join(rest) == f"{body}\n\n```{{=html}}\n</details>\n```\n"


def test_a_long_call_is_cut_and_a_sentence_without_links_is_said_once():
    block = "```python\ndef f(\n" + "".join(f"    parameter_{i}=0,\n" for i in range(9)) + "):\n```"
    text = folded_signature(f"### f\n\n{block}\n\n*Says it.*\n")
    assert "<code>f(parameter_0, parameter_1, parameter_2, parameter_3, …)</code> Says it." in text
    assert text.count("Says it.") == 1


MARKED = """<!-- fold -->

## Disk `full`

```
## no heading
```
### Within
## After
<!-- fold: How it is read -->
code
<!-- unfold -->
"""


def test_marked_sections_are_folded_to_the_next_heading_of_their_level():
    "Headings within are no headings to Pandoc, which would nest its sections across the fold"
    text = Folds().text(MARKED)
    title = '<h2 class="no-anchor">Disk <code>full</code></h2>'
    first = f'<details class="fold" id="disk-full"><summary>{title}</summary>'
    assert re.findall(r"(?m)^(?:<|## |code).*$", text) == [
        first,
        "## no heading",
        '<h3 id="within">Within</h3>',
        "</details>",
        "## After",
        '<details class="fold" id="how-it-is-read"><summary>How it is read</summary>',
        "code",
        "</details>",
    ]


def test_a_fold_goes_on_from_cell_to_cell():
    folds = Folds()
    assert "<details" in folds.text("<!-- fold -->\n## First") and folds.level == 2
    assert folds.text("Text.") == "Text."
    assert folds.text("# Next").startswith("```{=html}\n</details>") and not folds.level


def test_a_place_is_named_as_pandoc_does():
    assert place_of("2 `ranks` of [one](a.html)") == "ranks-of-one"


EXPORTED = """#| export
def first(): "As in `evaluate()`."

def second(): "Of the run `clean`."

class Third: "Not the third of Ten." """


def test_a_page_has_all_of_this():
    drawn = mk_cell(LONG_CELL)
    html = {"text/html": ["<b>6</b>"]}
    drawn.outputs = [dict(output_type="display_data", metadata={}, data=html)]
    title = mk_cell("# A page\n\n> And what it says.", "markdown")
    last = mk_cell("<!-- fold -->\n## Last", "markdown")
    nb = new_nb([title, mk_cell(EXPORTED), drawn, mk_cell("import os"), last])
    nb.metadata["widgets"] = {}
    nb.path_ = get_config().nbs_path / "sql" / "a_page.ipynb"
    FilterDefaults()(nb)
    sources = "".join(c.source for c in nb.cells)
    assert re.findall(r"show_doc\((\w+)\)", sources) == ["first", "second", "Third"]
    assert "import os" not in sources and "#| code-fold: true\nx = 1" in sources
    assert "widgets" not in nb.metadata
    outputs = [o for c in nb.cells[2:] for o in c.get("outputs", [])]
    shown = ["".join(o["data"]["text/markdown"]) for o in outputs]
    *documented, picture = shown
    places = [re.search(r'<details class="signature" id="(.*?)">', text)[1] for text in documented]
    assert places == ["first", "second", "third"]
    assert nb.cells[-2].source.endswith('<h2 class="no-anchor">Last</h2></summary>\n```')
    assert nb.cells[-1].source == "```{=html}\n</details>\n```"
    assert "*As in [`evaluate()`](../policies.html#evaluate).*" in documented[0]
    assert "Of the run <code>clean</code>." in documented[1]
    assert picture == "```{=html}\n<b>6</b>\n```\n"


def drawn(**options):
    "A figure with a line and a band, as a notebook keeps it"
    fig, ax = plt.subplots(figsize=(5, 3))
    ax.plot([0, 1, 4, 9], label="a line")
    ax.fill_between(range(4), [0, 0, 2, 6], [1, 3, 6, 12], alpha=0.2)
    ax.set_title("A figure")
    saved = BytesIO()
    fig.savefig(saved, dpi=200, **options)
    plt.close(fig)
    return b64encode(saved.getvalue()).decode()


def pixels(png):
    "Its size and its colours"
    return np.asarray(Image.open(BytesIO(b64decode(png))).convert("RGB"), int)


def test_a_figure_becomes_lighter_and_looks_the_same():
    png = drawn()
    light = light_picture(png)
    assert len(light) < 0.7 * len(png)
    assert abs(pixels(light) - pixels(png)).max() < 20  # of 255
    assert light_picture(light) == light


def test_a_figure_with_transparent_parts_is_left_alone():
    png = drawn(transparent=True)
    assert light_picture(png) == png
