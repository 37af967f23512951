"""The pages that Quarto gets: in the sidebar, with title and description, no broken link."""

import json
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from nbdev.config import get_config

import sqlenv

MAKE = (
    "from nbdev.quarto import refresh_quarto_yml; refresh_quarto_yml(); "
    "from nbdev.serve import proc_nbs; "
    "proc_nbs('nbs', n_workers=0, skip_folder_re='^([_.]|node_modules$)')"
)
root = get_config().config_path


def shown(cell):
    "The texts of a cell and of its outputs"
    if cell["cell_type"] != "code":
        yield "".join(cell["source"])
    for output in cell.get("outputs", []):
        for kind in ("text/markdown", "text/html"):
            yield "".join(output.get("data", {}).get(kind, ""))


def page(path):
    "Front matter and text of a page; outputs are part of the text"
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        parts = [part for cell in json.loads(text)["cells"] for part in shown(cell) if part]
        text = "\n\n".join(parts)
    head = re.match(r"\s*---\n(.*?)\n---\n", text, re.S)
    return (yaml.safe_load(head[1]) if head else {}), text[head.end() :] if head else text


def mime_types(path):
    "What the outputs of a notebook are"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    return {kind for output in outputs for kind in output.get("data", {})}


def documented(path):
    "Runs of neighbouring signatures, as the places in the sources that they link to"
    runs = [[]]
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        place = re.search(r"/blob/main/([\w/]+\.py)#L(\d+)", "".join(shown(cell)))
        if place and "show_doc(" in "".join(cell["source"]):
            runs[-1].append((place[1], int(place[2])))
        else:
            runs.append([])
    return [run for run in runs if run]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The pages, made in a copy of the project.

    With `make docs` nbdev turns `nbs` into `_proc`, and Quarto turns that into the site; this needs
    no Quarto.
    """
    made_here = (".*", "runs", "_proc", "_docs", "build", "dist", "spider", "node_modules")
    left_out = shutil.ignore_patterns(*made_here)
    folder = tmp_path_factory.mktemp("site") / "copy"
    copy = shutil.copytree(root, folder, ignore=left_out, symlinks=True)
    done = subprocess.run([sys.executable, "-c", MAKE], cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    yield copy / "_proc"
    shutil.rmtree(copy)


@pytest.fixture(scope="module")
def files(made):
    "The names of all files"
    return {p.relative_to(made).as_posix() for p in made.rglob("*") if p.is_file()}


@pytest.fixture(scope="module")
def pages(made, files):
    "Front matter and text of each page"
    return {p: page(made / p) for p in sorted(files) if p.endswith((".ipynb", ".qmd", ".md"))}


@pytest.fixture(scope="module")
def quarto(made):
    "The settings of Quarto"
    return yaml.safe_load((made / "_quarto.yml").read_text())


@pytest.fixture(scope="module")
def nbdev(made):
    "The settings that nbdev writes"
    return yaml.safe_load((made / "nbdev.yml").read_text())


@pytest.fixture(scope="module")
def formats(nbdev, quarto):
    "The formats of the site"
    return nbdev.get("format", {}) | quarto["format"]


@pytest.fixture(scope="module")
def repo(nbdev):
    "The address of the repository"
    return nbdev["website"]["repo-url"].rstrip("/")


def fails_at_the_end(formats):
    "Whether Quarto renders these formats and then cannot rename the Markdown of a page"
    html = formats.get("html")
    kept = isinstance(html, dict) and html.get("keep-md") is True
    return "html" in formats and "commonmark" in formats and not kept


BESIDE = dict(commonmark="default")


@pytest.mark.parametrize(
    ("formats", "fails"),
    [
        (BESIDE | dict(html=dict(toc=True)), True),
        (BESIDE | dict(html="default"), True),
        (BESIDE | dict(html={"keep-md": True}), False),
        (dict(html=dict(toc=True)), False),
    ],
)
def test_formats_that_fail_are_found(formats, fails):
    """The render fails after the last page.

    With CommonMark beside HTML, Quarto writes `page.html.md` on the way to HTML, moves it away, and
    then cannot rename it for CommonMark.
    """
    assert fails_at_the_end(formats) is fails


def test_quarto_renders_to_the_end(formats):
    "`keep-md: true` under HTML avoids that; so does HTML alone, which is all that the site needs"
    todo = "In _quarto.yml give html keep-md: true, or take commonmark out"
    assert not fails_at_the_end(formats), f"{todo}: {formats}"


def test_every_source_is_a_page(pages):
    sources = {
        p.relative_to(root / "nbs").as_posix()
        for ending in ("ipynb", "qmd")
        for p in (root / "nbs").rglob(f"*.{ending}")
        if not any(part[0] in "._" for part in p.relative_to(root / "nbs").parts)
    }
    assert set(pages) == sources


def test_a_page_has_a_title_a_description_and_a_text(pages):
    bare = [
        p
        for p, (head, text) in pages.items()
        if not head.get("title") or not head.get("description") or len(text) < 200
    ]
    assert not bare, f"Without a title, a description or a text: {bare}"


@pytest.fixture(scope="module")
def outputs(pages):
    "The file that Quarto makes of each page"
    return {
        p: posixpath.join(posixpath.dirname(p), head.get("output-file", Path(p).stem + ".html"))
        for p, (head, _) in pages.items()
    }


def test_no_two_pages_have_one_address(pages, outputs):
    assert len(set(outputs.values())) == len(pages)


def listed(contents):
    "The pages of a part of the sidebar, in order"
    for entry in contents:
        if isinstance(entry, str):
            yield entry
        elif "href" in entry:
            yield entry["href"]
        else:
            yield from listed(entry["contents"])


@pytest.fixture(scope="module")
def sidebar(quarto):
    return quarto["website"]["sidebar"]["contents"]


@pytest.fixture(scope="module")
def sections(sidebar):
    "The parts of the sidebar: the story, then the wings"
    return [entry for entry in sidebar if isinstance(entry, dict) and "section" in entry]


@pytest.fixture(scope="module")
def story(sections):
    "The pages of the story"
    return list(listed(sections[0]["contents"]))


UNLISTED = re.compile("tests/|workflow/saved_models")


def test_every_page_is_in_the_sidebar_once(sidebar, pages):
    "But tests and what they need: other pages link to them, and the search leaves them out"
    order = list(listed(sidebar))
    twice = {p for p in order if order.count(p) > 1}
    assert not twice, f"Twice in the sidebar of _quarto.yml: {twice}"
    unlisted = {p for p in pages if UNLISTED.match(p)}
    assert set(order) == set(pages) - unlisted
    assert {p for p, (head, _) in pages.items() if head.get("search") is False} == unlisted
    assert order[:3] == ["index.ipynb", "getting_started.ipynb", "results.ipynb"]


def test_the_story_comes_first_in_its_order_and_open(sections, story, pages):
    "The wings behind it are folded"
    first, *wings = sections
    assert story == sorted(p for p in pages if p[0].isdigit())
    assert [entry["text"].split(" · ")[0] for entry in first["contents"]] == [
        str(int(p[:2])) for p in story
    ]
    assert first["expanded"] and not any(wing.get("expanded") for wing in wings)


def test_the_landing_page_links_to_the_story(pages, story):
    landing = pages["index.ipynb"][1]
    unlinked = [p for p in story if f"({p})" not in landing]
    assert not unlinked, f"Not linked on the landing page: {unlinked}"


def test_the_landing_page_names_every_profile(pages):
    landing = pages["index.ipynb"][1]
    profiles = [p.stem for p in (root / "nbs" / "profiles").glob("*.yml")]
    unnamed = [name for name in profiles if f"`{name}`" not in landing]
    assert not unnamed, f"Not named on the landing page: {unnamed}"


fenced = re.compile(r"```.*?```", re.S)
GUESSED = (
    r"^    \w+:(?:NoneType|function|builtin_function_or_method)=.*"
    r"|^    .*__main__\..*"
)


def jumps(text):
    "Headings more than one level below the one before"
    levels = [1, *(len(h) for h in re.findall(r"^(#+) \S", fenced.sub("", text), re.M))]
    return [(a, b) for a, b in zip(levels, levels[1:], strict=False) if b > a + 1]


def long_signatures(text):
    "Lines of signatures that nobody reads"
    signatures = re.findall(r"```python\ndef .*?```", text, re.S)
    return [line for code in signatures for line in code.split("\n") if len(line) > 300]


def guessed_types(text):
    "Types in signatures that the renderer guessed"
    return [m for code in fenced.findall(text) for m in re.findall(GUESSED, code, re.M)]


def nested_links(text):
    "Links within code or within links"
    inside = [m for code in fenced.findall(text) for m in re.findall(r"`\]\(https?:", code)]
    return inside + re.findall(r"\[\[`[^`]*`\]\(", text)


def test_jumps_are_found():
    assert jumps("## a\n\n### b\n\n## c") == []
    assert jumps("### a") == [(1, 3)]


@pytest.mark.parametrize("flaws", [jumps, long_signatures, guessed_types, nested_links])
def test_headings_signatures_and_links_are_well_formed(pages, flaws):
    found = {p: f for p, (_, text) in pages.items() if (f := flaws(text))}
    assert not found, f"{flaws.__doc__}: {found}"


@pytest.fixture(scope="module")
def neighbours(made, pages):
    "The signatures of each page, in its order"
    return {p: documented(made / p) for p in pages if p.endswith(".ipynb")}


def test_definitions_are_documented_in_the_order_of_the_source(neighbours):
    "Those that one cell exports, or neighbouring cells"
    backwards = {p: run for p, runs in neighbours.items() for run in runs if run != sorted(run)}
    assert not backwards, f"Documented in another order than defined: {backwards}"
    assert sum(map(len, neighbours.values())) > 100


def test_a_page_documents_one_module(neighbours):
    modules = {p: {file for run in runs for file, _ in run} for p, runs in neighbours.items()}
    assert not (mixed := {p: m for p, m in modules.items() if len(m) > 1}), f"Two modules: {mixed}"


def test_the_glossary_is_in_alphabetical_order(pages):
    terms = re.findall(r"(?m)^(\S.*)\n: ", pages["glossary.qmd"][1])
    assert terms == sorted(terms, key=str.lower)
    assert len(terms) > 30


def test_no_output_makes_quarto_load_a_widget(made, neighbours):
    "Quarto asks for jQuery and require.js wherever an output is HTML"
    kinds = {p: mime_types(made / p) for p in neighbours}
    taken = {"text/html", "application/javascript", "application/vnd.jupyter.widget-view+json"}
    widgets = [p for p, kind in kinds.items() if kind & taken]
    assert not widgets, f"With outputs that Quarto takes for widgets: {widgets}"


def test_nothing_is_fetched_from_another_site(pages):
    "No fonts, no scripts, no pictures"
    parts = r'<(?:img|script|link)[^>]*(?:src|href)="(?:https?:)?//[^"]*'
    fetched = {p: f for p, (_, text) in pages.items() if (f := re.findall(parts, text))}
    assert not fetched, f"Fetched from another site: {fetched}"


def test_the_browser_sets_formulas_and_fonts(made, files, formats):
    "Quarto asks for MathJax where a formula is not set by the browser"
    styles = {p: (made / p).read_text() for p in files if p.endswith(".scss")}
    assert formats["html"]["html-math-method"] == "mathml"
    themes = formats["html"]["theme"]
    assert set(styles) == {f for theme in themes.values() for f in theme if f.endswith(".scss")}
    assert all("$web-font-path: false" in text for text in styles.values())


def slug(heading):
    "The anchor that Pandoc gives to a heading"
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"\{[^}]*\}|[`*]", "", heading)).lower()
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s.-]", "", text).strip()).lstrip("-0123456789.")


def anchors(text):
    "All places of a page that a link may name"
    return {slug(h) for h in re.findall(r"^#+ (.+)$", text, re.M)} | {
        a.lower() for a in re.findall(r"\{#([\w.-]+)", text) + re.findall(r'id="([^"]+)"', text)
    }


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("Progress: how close is a *result*?", "progress-how-close-is-a-result"),
        ("`show`", "show"),
    ],
)
def test_a_heading_has_the_anchor_of_pandoc(heading, anchor):
    assert slug(heading) == anchor


@pytest.fixture(scope="module")
def site(nbdev):
    "The address of the site"
    return nbdev["website"]["site-url"].rstrip("/") + "/"


@pytest.fixture(scope="module")
def broken(files, pages, outputs, site, repo):
    "What says why a link leads nowhere"
    places = {p: anchors(text) for p, (_, text) in pages.items()}

    def broken(source, link):
        "Why a link leads nowhere; empty when it is good, or leads to another site"
        target, _, place = link.partition("#")
        by_output = {o: p for p, o in outputs.items()}
        if at := re.match(re.escape(repo) + r"/(?:blob|tree)/[^/]+/(.+)", target):
            return "" if (root / at[1]).exists() else "no such file in the repository"
        if target.startswith(site):
            name = by_output.get(target.removeprefix(site) or "index.html", "")
        elif re.match(r"[a-z]+:", target):
            return ""
        else:
            name = (
                posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
                if target
                else source
            )
        name = by_output.get(name, name)
        if name not in files:
            return "no such page"
        if place and place.lower() not in places.get(name, ()):
            return "no such place in the page"
        return ""

    return broken


def test_broken_links_are_found(broken, site, repo):
    bad = {
        "nowhere.ipynb": "no such page",
        "04_env.ipynb#nowhere": "no such place in the page",
        site + "nowhere.html": "no such page",
        repo + "/blob/main/nowhere": "no such file in the repository",
    }
    assert {link: broken("index.ipynb", link) for link in bad} == bad


def test_good_links_are_good(broken, site, repo):
    good = (
        "04_env.ipynb#actions",
        site + "env.html#sqlenvironment",
        repo + "/blob/main/LICENSE",
        "https://example.org",
    )
    assert [broken("index.ipynb", link) for link in good] == [""] * 4


def links_of(text):
    "What a page links to, outside of code"
    plain = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)
    found = re.findall(r"\]\(([^)\s]+)\)", plain) + re.findall(r'(?:href|src)="([^"]+)"', plain)
    return [link for link in found if not link.startswith(("data:", "attachment:"))]


def test_links_lead_to_pages_places_pictures_and_files(pages, broken, site):
    links = [(p, link) for p, (_, text) in pages.items() for link in links_of(text)]
    wrong = [(p, link, why) for p, link in links if (why := broken(p, link))]
    assert not wrong, wrong[:20]
    within = [link for _, link in links if not re.match("[a-z]+:", link) or link.startswith(site)]
    assert len(within) > 100


def test_the_bar_at_the_top_leads_somewhere(quarto, formats, broken, files, repo):
    bar = quarto["website"]["navbar"]
    unreachable = [
        (e["href"], why) for e in bar["left"] if (why := broken("index.ipynb", e["href"]))
    ]
    assert not unreachable, unreachable
    assert [e["href"] for e in bar["right"] if e["icon"] == "github"] == [repo]
    icon, style = quarto["website"]["favicon"], formats["html"]["css"]
    assert {icon, style} <= files


def test_a_name_is_linked_only_where_it_cannot_be_a_word(pages):
    "`clean` is a run, `train` a split"
    made_links = {
        name
        for _, text in pages.values()
        for name, address in re.findall(r"\[`([^`\s]+)`\]\(([^)]+)\)", text)
        if re.search(r"\.html#", address)
    }
    ordinary = [n for n in made_links if not re.search(r"\(\)$|\.|^[A-Z]\w*[a-z]", n)]
    assert not ordinary, f"Linked although they may be words: {ordinary}"
    assert "Episode" in made_links


def source_at(part, repo):
    "The five lines that a signature's source link leads to: decorators come before the name"
    at = re.search(re.escape(repo) + r"/blob/main/(sqlenv/[\w/]+\.py)#L(\d+)", part)
    if not at:
        return []
    lines = (root / at[1]).read_text(encoding="utf-8").split("\n")
    return lines[int(at[2]) - 1 :][:5]


def astray(text, repo):
    "Names in signatures whose link leads elsewhere, or that have none"
    for part in re.split(r"(?m)^<details ", text):
        for name in re.findall(r"```python\ndef (\w+)\(", part):
            if not any(
                re.match(rf"\s*(def|class) {name}\b", line) for line in source_at(part, repo)
            ):
                yield name


def test_every_signature_links_to_its_source_at_the_right_line(pages, repo):
    signed = [n for _, text in pages.values() for n in re.findall(r"```python\ndef (\w+)\(", text)]
    lost = {p: names for p, (_, text) in pages.items() if (names := list(astray(text, repo)))}
    assert not lost, f"Signatures whose source link is wrong or missing: {lost}"
    assert len(signed) > 200
    assert list(astray("```python\ndef nobody(\n```", repo)) == ["nobody"]


def test_the_training_notebook_says_what_to_watch_for():
    "Each of its sections that runs something; the last one only says where to go on"
    book = json.loads((root / "nbs" / "tutorials" / "train_grpo.ipynb").read_text(encoding="utf-8"))
    prose = ["".join(c["source"]) for c in book["cells"] if c["cell_type"] == "markdown"]
    sections = re.split(r"(?m)^## ", "\n\n".join(prose))[1:]
    unwatched = [s.split("\n")[0] for s in sections if "\n**What to watch for.**" not in s]
    assert unwatched == ["Where to go next"]
    assert len(sections) > 4


def test_the_citation_and_the_changelog_name_the_version(repo):
    citation = yaml.safe_load((root / "CITATION.cff").read_text())
    assert citation["version"] == sqlenv.__version__
    assert citation["repository-code"] == repo
    assert f"\n## {sqlenv.__version__}" in (root / "CHANGELOG.md").read_text()
