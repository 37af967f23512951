"""How notebooks become pages: what is linked, what is folded, how definitions are ordered.

nbdev turns a notebook into what Quarto renders, in steps that it calls processors. `settings.ini`
adds `SitePage` at the end (`procs`), leaves out nbdev's own links (`skip_procs`) and names
`Documented` as the `renderer` of signatures.
"""

import ast
import posixpath
import re
from base64 import b64decode, b64encode
from html import escape
from importlib import import_module
from io import BytesIO
from itertools import groupby
from pathlib import Path

from execnb.nbio import mk_cell
from nbdev.config import get_config
from nbdev.doclinks import NbdevLookup
from nbdev.process import Processor
from nbdev.showdoc import BasicMarkdownRenderer, showdoc_nm
from PIL import Image


def address_of(
    name: str,  # in the package: `evaluate`, `Episode.to_dict`
    page: str,  # that links to it, as a path below `nbs`
    lookup: NbdevLookup,  # nbdev's table of names
) -> str:  # relative to the page; empty when the site does not document the name
    "Where the site documents a name; of a method, its class."
    found = lookup.doc(name)
    if not found:
        return ""
    config = get_config()
    target, _, place = found.partition("#")
    target = target.removeprefix(config.doc_host + config.doc_baseurl).lstrip("/")
    return posixpath.relpath(target, posixpath.dirname(page) or ".") + "#" + place.split(".")[0]


# nbdev links whatever is called like a function of the package: the run `clean`, the split
# `train`. Here a name is linked where it cannot mean anything else: a call, a name with a dot,
# or a class; and within this copy of the site.
CLASS = r"[A-Z]\w*[a-z]\w*"
NAME = rf"`((?:[a-zA-Z]\w*\.)+[a-zA-Z]\w*(?:\(\))?|[a-zA-Z]\w*\(\)|{CLASS})`"
CODE_BLOCK = r"^```.*?^```"
LINK = r"\[[^\]]*\]\([^)]*\)"


def link_names(
    text: str,  # Markdown
    page: str = "",  # the page, as a path below `nbs`
    lookup=None,  # nbdev's table of names; of this package when left out
) -> str:
    "Link calls, dotted names and classes in backticks, outside of code blocks and other links."
    lookup = lookup or NbdevLookup()

    def linked(match):
        "A name as a link, where the site documents it"
        address = address_of(match[1].removesuffix("()"), page, lookup)
        return f"[{match[0]}]({address})" if address else match[0]

    parts = re.split(f"(?ms)({CODE_BLOCK}|{LINK})", text)  # every second one stays as it is
    return "".join(part if i % 2 else re.sub(NAME, linked, part) for i, part in enumerate(parts))


# nbdev guesses the type of an untyped parameter from its default, and names the module of a
# class, which for the notebook itself is `__main__`. Readers need neither.
GUESSED = r":(?:NoneType|function|builtin_function_or_method)(?==)"
LONG_DEFAULT = r"=(\w+)\(\w+=[^()\n]{60,}\)"  # an instance with all its fields
PYTHON_BLOCK = r"(?ms)^```python\n.*?^```"


def plain_signature(
    text: str,  # Markdown with a signature in a block of Python
) -> str:
    "The signature without guessed types, the notebook as a module and the fields of a default."

    def bare(match):
        "One block without them"
        plain = re.sub(GUESSED, "", match[0]).replace("__main__.", "")
        return re.sub(LONG_DEFAULT, r"=\1(…)", plain)

    return re.sub(PYTHON_BLOCK, bare, text)


# nbdev runs the cells that define a class once more and documents the result, whose source
# cannot be found, so the comments of its fields are lost. The class of the same name in the
# package has a source file.
def in_package(
    sym,  # what is to be documented
):  # a class whose source can be read, where the package has one
    "The package's class in place of one that a notebook has just defined."
    from sqlenv._modidx import d

    if not isinstance(sym, type) or sym.__module__ != "__main__":
        return sym
    for module, names in d["syms"].items():
        if f"{module}.{sym.__qualname__}" in names:
            found = getattr(import_module(module), sym.__qualname__)
            if found.__doc__ == sym.__doc__:
                return found
    return sym


class Documented(BasicMarkdownRenderer):
    "Signatures with the comments of fields."

    def __init__(
        self,
        sym,  # what is to be documented
        **options,  # of nbdev's own renderer
    ):
        found = in_package(sym)
        super().__init__(found, **options)
        if found is not sym:
            self.fn = self.nm  # without a module nbdev knows the line


# Where a cell exports several definitions, nbdev documents the last one first. By the time a
# processor runs, the cells that define them are gone, so their order is read when nbdev makes
# the processor.
def defined_names(
    nb,  # a notebook, before nbdev has taken away the cells that define
) -> list[str]:  # `rollout`, `Episode`, `Episode.to_dict` for a method that is patched in
    "The names of all functions and classes, as they are documented."
    trees = [tree for cell in nb.cells for tree in cell.parsed_() or []]
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [showdoc_nm(tree) for tree in trees if isinstance(tree, definitions)]


def documented_name(
    cell,  # that nbdev inserted
) -> str:
    "What a cell documents."
    return re.search(r"(?m)^show_doc\((.+)\)", cell.source)[1]


def in_order(
    cells: list,  # of a page
    names: list[str],  # from `defined_names`
) -> list:  # the same cells
    "Put neighbouring cells that nbdev inserted to document names into the order of the names."
    place = {name: i for i, name in enumerate(names)}
    found = []
    for inserted, group in groupby(cells, key=lambda cell: getattr(cell, "has_sd", False)):
        neighbours = list(group)
        if inserted:
            neighbours.sort(key=lambda cell: place[documented_name(cell)])
        found += neighbours
    return found


# Several modules have a `main`. nbdev knows names without their module and links to the first
# that it finds.
def page_lookup(
    nb,  # a notebook as nbdev reads it
) -> NbdevLookup:
    "nbdev's table of names, in which the notebook's own stand before those of other modules."
    lookup, library = NbdevLookup(), get_config().lib_name
    exported = [c.directives_["default_exp"][0] for c in nb.cells if "default_exp" in c.directives_]
    for module in (f"{library}.{name}" for name in exported):
        names = lookup.entries[library]["syms"].get(module, {})
        lookup.syms.update({name.removeprefix(f"{module}."): at for name, at in names.items()})
    return lookup


def own_source(
    text: str,  # the documentation of a name, as `show_doc` writes it
    name: str,  # what is documented
    lookup: NbdevLookup,  # from `page_lookup`
) -> str:
    "The same with a link to the source in the module that the page is about."
    address = lookup.code(name) or ""
    found = re.search(r"#L\d+$", address)
    return re.sub(r"(?m)(?<=^\[source\]\()[^)]+", address, text, count=1) if found else text


# Imports and settings of the display are not shown, but on pages that are typed along. A long
# cell that makes a figure or a table is folded, and so is a very long one; the code of a cell
# that makes a paragraph is hidden: the reader came for the result.
TYPED_ALONG = "index", "getting_started", "tutorials/"
SETTINGS = {"figure_style", "quiet", "set_option"}
LONG = 8  # lines of code that a figure or a table may have above it
TOO_LONG = 40  # lines of code that are folded whatever they make, as in lists of cases
TABLE = re.compile(r"\|\s*:?--")  # the line below the headings of a Markdown table
PICTURES = {"image/png", "image/svg+xml", "text/html"}


def prepares(
    statement: ast.stmt,  # of a cell of code
) -> bool:
    "Whether a statement imports something, says from where, or sets how things are shown."
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        called = ast.unparse(statement.value.func)
        return called == "sys.path.insert" or called.split(".")[-1] in SETTINGS
    return isinstance(statement, ast.Import | ast.ImportFrom)


def only_prepares(
    source: str,  # of a cell of code
) -> bool:
    "Whether a cell has imports and settings and nothing else."
    try:
        statements = ast.parse(source).body
    except SyntaxError:  # a command of the notebook, such as %%time
        return False
    return bool(statements) and all(map(prepares, statements))


def display_option(
    source: str,  # of a cell of code
    outputs: list,  # of the cell, as in the notebook's file
) -> str:  # for Quarto; empty when the code is shown as it is
    "How the code of a cell is shown, by what it puts out."
    data = [output["data"] for output in outputs if "data" in output]
    texts = ["".join(d["text/markdown"]) for d in data if "text/markdown" in d]
    pictures = any(PICTURES & d.keys() for d in data)
    lines = [line for line in source.splitlines() if line.strip() and not line.startswith("#|")]
    if re.search(r"(?m)^#\|\s*(echo|code-fold):", source):
        return ""
    if texts and not pictures and not any(map(TABLE.search, texts)):
        return "#| echo: false\n"
    shown = LONG if texts or pictures else TOO_LONG
    return "#| code-fold: true\n" if len(lines) > shown else ""


# Quarto takes any output in HTML for a widget that needs jQuery and require.js, and has the
# page fetch both from another site. HTML inside Markdown is not taken for one. The badge of
# Colab would come from another site as well.
BADGE = r'<img src="https://colab\.[^"]*" alt="Open in Colab">'


def html_in_markdown(
    html: str,  # an output
) -> str:  # Markdown
    "HTML as a raw block, with a fence longer than any inside."
    ticks = max([2, *map(len, re.findall(r"`+", html))]) + 1
    return f"{'`' * ticks}{{=html}}\n{html}\n{'`' * ticks}\n"


# Matplotlib saves 32 bits a pixel, of which a figure with a handful of colours needs eight.
def light_picture(
    png: str,  # in base64, as a notebook keeps it
) -> str:  # the same where it has a palette or transparent parts, or would not become smaller
    "A figure with a palette of 256 colours: it looks the same and takes fewer bytes."
    picture = Image.open(BytesIO(b64decode(png)))
    transparent = picture.mode == "RGBA" and picture.getextrema()[3][0] < 255
    if picture.mode == "P" or transparent:
        return png
    about = {"dpi": picture.info["dpi"]} if "dpi" in picture.info else {}
    saved = BytesIO()
    palette = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    palette.save(saved, "PNG", optimize=True, **about)
    return min(b64encode(saved.getvalue()).decode(), png, key=len)


# A page is read for what it says. So a signature is one line that opens, and so is a section below
# a comment `<!-- fold -->`, which neither Jupyter nor GitHub shows.
FOLD, UNFOLD = re.compile(r"<!-- fold(?:: (.+))? -->"), "<!-- unfold -->"
HEADING = re.compile(r"(#+) (.+)")
FOLDED = 'class="no-anchor"'  # a heading in a summary: what opens a fold holds no link
TITLED = 9  # a fold with a title of its own, which any heading ends
WIDEST = 60  # characters of a call before its last parameters are left out
CLOSED = "```{=html}\n</details>\n```"


def inline_html(
    text: str,  # Markdown of one line
) -> str:
    "Code as code, links as their text: a line that opens something holds no other control."
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(plain, quote=False))


def opened(
    kind: str,  # class of the element
    place: str,  # what links name
    summary: str,  # HTML
) -> str:  # Markdown
    "The beginning of what a reader opens."
    line = f'<details class="{kind}" id="{place}"><summary>{summary}</summary>'
    return f"```{{=html}}\n{line}\n```"


def place_of(
    heading: str,  # Markdown
) -> str:
    "The anchor that Pandoc gives to a heading."
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s.-]", "", text).strip()).lstrip("-0123456789.")


def parameters_of(
    block: str,  # a signature as nbdev writes it
) -> list[str]:
    "The names of its parameters; comments, types and defaults are for who opens it."
    listed = re.sub(r"(?m)#.*$|'[^']*'", "", block.partition("(")[2].rpartition(")")[0])
    while listed != (plain := re.sub(r"[(\[{][^()\[\]{}]*[)\]}]", "", listed)):
        listed = plain
    names = re.findall(r"(?:^|,)\s*(\*{0,2}\w+)", listed)
    return [] if names == ["*args", "**kwargs"] else names  # of a class without its own


def folded_signature(
    text: str,  # the documentation of a name, as `show_doc` writes it
) -> str:
    "A name with its parameters and what it does, in one line; the signature is below it."
    heading, block = re.search(r"(?m)^#+ (.+)$", text), re.search(PYTHON_BLOCK, text)
    if not heading or not block:
        return text
    name, parameters = heading[1].strip(), parameters_of(block[0])
    while len(call := f"{name}({', '.join(parameters)})") > WIDEST:
        parameters = parameters[: -2 if parameters[-1] == "…" else -1] + ["…"]
    body = text[heading.end() :].strip()
    doc = re.search(r"(?m)^\*(.+?)\*$", text[block.end() :])
    if doc and "](" not in doc[1]:
        body = body.replace(doc[0], "", 1).strip()
    source = re.search(r"(?m)^\[source\].*$", text)
    line = f"<code>{escape(call)}</code> {inline_html(doc[1]) if doc else ''}"
    start = opened("signature", name.lower(), line.strip())
    return "\n\n".join([start, *([source[0]] if source else []), body, CLOSED]) + "\n"


class Folds:
    "Sections that are folded, cell by cell: one may begin in one cell and end in another."

    def __init__(self):
        self.level = 0  # of the heading whose section is folded; 0 for none

    def close(self):
        "The end of what is folded, if anything is"
        was, self.level = self.level, 0
        return [CLOSED, ""] if was else []

    def line(self, line, marked):
        "What becomes of a line outside of code, where it is a heading or a mark"
        mark, heading = FOLD.fullmatch(line), HEADING.fullmatch(line)
        if line == UNFOLD:
            return self.close()
        if mark and mark[1]:
            lines, self.level = self.close(), TITLED
            return [*lines, opened("fold", place_of(mark[1]), inline_html(mark[1]))]
        if not heading:
            return [line]
        level, title = len(heading[1]), inline_html(heading[2])
        lines = self.close() if level <= self.level else []
        if marked:
            self.level = level
            return [
                *lines,
                opened("fold", place_of(heading[2]), f"<h{level} {FOLDED}>{title}</h{level}>"),
            ]
        if self.level:  # Pandoc would begin a section here and end it outside of the fold
            element = f'<h{level} id="{place_of(heading[2])}">{title}</h{level}>'
            return [*lines, html_in_markdown(element)]
        return [*lines, line]

    def text(self, text):
        "Markdown of a cell with its folds"
        lines, marked, code = [], False, False
        for line in text.split("\n"):
            code ^= line.startswith("```")
            if not code and line == "<!-- fold -->":
                marked = True
                continue
            lines += [line] if code else self.line(line, marked)
            marked = marked and not line.startswith("#")
        return "\n".join(lines)


def with_folds(
    cells: list,  # of a page
) -> list:
    "The cells, with what is marked as folds."
    folds = Folds()
    for cell in cells:
        if cell.cell_type == "markdown":
            cell.source = folds.text(cell.source)
    return [*cells, mk_cell(CLOSED, "markdown")] if folds.level else cells


def own_badge(
    text: str,  # Markdown
    page: str,  # as a path below `nbs`
) -> str:
    "The badge that opens a page in Colab, with a picture from this site."
    picture = posixpath.relpath("colab.svg", posixpath.dirname(page) or ".")
    return re.sub(BADGE, f'<img src="{picture}" width="117" height="20" alt="Open in Colab">', text)


def page_of(
    nb,  # a notebook as nbdev reads it
) -> str:  # its path below `nbs`; empty when it is no file
    "The page that a notebook becomes."
    folder = get_config().nbs_path.resolve()
    return Path(nb.path_).resolve().relative_to(folder).as_posix() if "path_" in nb else ""


class SitePage(Processor):
    "What nbdev's steps leave, as the page that a reader wants."

    def __init__(self, nb):
        super().__init__(nb)
        self.page, self.names = page_of(nb), defined_names(nb)
        self.lookup = page_lookup(nb)

    def begin(self):
        self.nb.metadata.pop("widgets", None)
        self.nb.cells = with_folds(in_order(self.nb.cells, self.names))

    def show(self, data, name=""):
        "One output, of a name if it documents one: its Markdown linked, its HTML as Markdown"
        if "image/png" in data:
            data["image/png"] = light_picture("".join(data["image/png"]))
        if "text/markdown" in data:
            text = link_names("".join(data["text/markdown"]), self.page, self.lookup)
            text = own_source(text, name, self.lookup) if name else text
            text = plain_signature(text)
            data["text/markdown"] = (folded_signature(text) if name else text).splitlines(True)
        elif "text/html" in data:
            html = "".join(data.pop("text/html"))
            data["text/markdown"] = html_in_markdown(html).splitlines(True)

    def cell(self, cell):
        if cell.cell_type == "markdown":
            text = link_names(cell.source, self.page, self.lookup)
            cell.source = own_badge(text, self.page)
        if cell.cell_type != "code":
            return
        if only_prepares(cell.source) and not self.page.startswith(TYPED_ALONG):
            del cell["source"]
            return
        name = documented_name(cell) if getattr(cell, "has_sd", False) else ""
        if not name:
            cell.source = display_option(cell.source, cell.outputs) + cell.source
        for output in cell.outputs:
            self.show(output.get("data", {}), name)
