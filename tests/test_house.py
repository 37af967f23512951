"""How modules and tools lean on each other: imports lead down, a name has one home."""

import ast
import json
import re
import shlex
import subprocess
import tomllib
from collections import defaultdict

import pytest
import typer
import yaml
from nbdev.config import get_config

from sqlenv.training.config import TrainConfig, of_today
from sqlenv.training.record import read_run, whole_config
from sqlenv.workflow.cli import app

# A module imports only from modules above it in this list. So nothing runs in a circle, and who
# reads the package from the top down meets nothing that was not explained before. A new module gets
# its place here. The Python of the page Play and the modules of `tools` come last: no module of the
# package needs them, so they are not in the wheel.
FLOORS = """
sql/answers  sql/guard  data  sql/linking  training/config
stats  sandbox  verifier  rewards  env  policies
datasets/schema  datasets/intents  datasets/draws  datasets/phrases  datasets/compose
datasets/sketch  datasets/databases  datasets/folders  datasets/spider
adapter
integrations/serving
integrations/inspect_task  integrations/verifiers_taskset  integrations/skyrl
training/record  training/models  training/demonstrations
training/muon  training/engine  training/ranks  training/rollout  training/trl_compat
training/tracking  training/preflight
training/monitor  training/plots  training/callbacks
sft  grpo  analysis  experiments/cells  collapse
experiments/studies
integrations/openenv  integrations/mcp
integrations/graders
workflow/viewer  workflow/report  workflow/pipeline  workflow/push
workflow/saved_models  workflow/ask  workflow/cli
integrations/gym
page_environment
tools/site  tools/search_index  tools/publish  tools/play_page
""".split()


nbs = get_config().nbs_path
package, root = get_config().lib_path, get_config().config_path
texts = {}
sources = {package: package.rglob("*.py"), root: (root / "tools").rglob("*.py")}
sources[nbs / "play"] = (nbs / "play").glob("*.py")  # below it lies what npm brings
for home, files in sources.items():
    for p in files:
        if p.name not in ("__init__.py", "_modidx.py"):
            texts[p.relative_to(home).with_suffix("").as_posix()] = p.read_text(encoding="utf-8")


def test_the_list_has_every_module():
    assert set(FLOORS) == set(texts)


def test_the_wheel_has_the_package_only():
    shipped = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "setuptools"
    ]
    assert {name.split(".")[0] for name in shipped["packages"]} == {"sqlenv"}


NAMED = re.compile(r"sqlenv\.([\w.]+):(\w+)")


def imported(module, text):
    """What a module imports from another, within functions too: pairs of module and name.

    A text such as "sqlenv.module:function", which is looked up when the program runs, imports too.
    """
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and (named := NAMED.fullmatch(str(node.value))):
            if (source := named[1].replace(".", "/")) != module:
                yield source, named[2]
        if not isinstance(node, ast.ImportFrom):
            continue
        path = node.module.split(".") if node.module else []
        if node.level:
            path = module.split("/")[: -node.level] + path
        elif path[0] == "sqlenv":
            path = path[1:]
        elif path[0] not in ("page_environment", "tools"):
            continue
        for alias in node.names:
            whole = "/".join([*path, alias.name])
            yield (whole, "") if whole in texts else ("/".join(path), alias.name)


@pytest.mark.parametrize(
    ("module", "text", "found"),
    [
        (
            "workflow/cli",
            "from ..data import Question\nfrom .ask import _read",
            [("data", "Question"), ("workflow/ask", "_read")],
        ),
        ("env", "from .sql import guard", [("sql/guard", "")]),
        ("env", "from tools import site", [("tools/site", "")]),
        ("training/ranks", 'run("sqlenv.sft:fit")', [("sft", "fit")]),
        ("sft", '"sqlenv.sft:fit"\n"as sqlenv.sft:fit"', []),
    ],
)
def test_imports_are_found(module, text, found):
    assert list(imported(module, text)) == found


fetched = [(m, *pair) for m, text in texts.items() for pair in imported(m, text)]


def runs_up(module, source):
    "Does an import lead to a module that is not above in the list?"
    return source in FLOORS and FLOORS.index(source) >= FLOORS.index(module)


def test_imports_lead_down():
    up = [f"{m} imports {name} from {source}" for m, source, name in fetched if runs_up(m, source)]
    assert up == []


def test_no_module_imports_a_private_name():
    private = [
        f"{m} imports {name} from {source}" for m, source, name in fetched if name[:1] == "_"
    ]
    assert private == []


def defined(body):
    "The names that statements define"
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in getattr(node, "targets", None) or [node.target]:
                found = [n for n in ast.walk(target) if isinstance(n, ast.Name)]
                yield from (n.id for n in found if isinstance(n.ctx, ast.Store))


def is_method(node):
    "Whether a statement patches a method into a class"
    return "patch" in map(ast.unparse, getattr(node, "decorator_list", []))


def public(text):
    "The public names that a module defines, in `__all__` or not"
    body = [node for node in ast.parse(text).body if not is_method(node)]
    return {name for name in defined(body) if name[:1] != "_"}


def test_public_names_are_found():
    assert public("a = b, c = d, [e for e in f]\n@patch\ndef g(self: H): i = 1\n_j: int = 0") == {
        *"abc"
    }


homes = defaultdict(list)
for module, text in texts.items():
    for name in public(text):
        homes[name].append(module)


def test_a_name_comes_from_the_module_that_defines_it():
    guests = [
        f"{m} imports {name} from {source}; its home is {homes[name]}"
        for m, source, name in fetched
        if name in homes and source in texts and source not in homes[name]
    ]
    assert guests == []


REASONS = {"main": "what `python -m` runs"}


def test_a_public_name_means_one_thing():
    "Two modules define the same name only where there is a reason"
    same = {name: where for name, where in homes.items() if len(where) > 1 and name not in REASONS}
    assert same == {}


def modules_with(text):
    "The modules that have this text as a string of its own, or at the beginning of a name in one"
    found = set()
    for module, code in texts.items():
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Constant) and node.value == text:
                found.add(module)
            elif isinstance(node, ast.JoinedStr) and f"{text}{{" in ast.unparse(node):
                found.add(module)
    return found


IN_RUN = "run.json metrics.jsonl evals.jsonl eval.json gains.json results.md episodes.jsonl"


@pytest.mark.parametrize(
    ("text", "module"),
    [("generated_", "datasets/databases"), *((n, "training/record") for n in IN_RUN.split())],
)
def test_what_several_modules_rely_on_is_written_in_one(text, module):
    "Sentences and docstrings may mention it"
    assert modules_with(text) == {module}


def long_lines(text):
    "The lines over 100 columns"
    code = re.sub(r"^__all__ = \[.*?\]$", "", text, flags=re.M | re.S)
    return [line for line in code.split("\n") if len(line) > 100]


def test_long_lines_are_found():
    assert len(long_lines(f'"""{"a" * 95}"""\n# {"b" * 99}\n__all__ = ["{"c" * 99}"]')) == 2


def test_lines_have_at_most_100_columns():
    "But for the names that nbdev lists in `__all__`"
    long = {m: lines for m, text in texts.items() if (lines := long_lines(text))}
    assert long == {}


PROFILES = {path.stem for path in (nbs / "profiles").glob("*.yml")}
FIELDS = set(TrainConfig.__dataclass_fields__)
PROGRAMS = ("sqlenv", "python -m", "papermill", "make", "nbdev_test")


def at(commit, *paths):
    "The text of the first of these files that a commit has; without a commit, of those here."
    if not commit:
        return next((texts[p] for p in paths if p in texts), None)
    for path in (f"sqlenv/{p}.py" for p in paths):
        shown = subprocess.run(["git", "show", f"{commit}:{path}"], cwd=root, capture_output=True)
        if not shown.returncode:
            return shown.stdout.decode().replace("'", '"')
    return None


def profiles_at(commit):
    "The profiles that a commit has, or those here"
    if not commit:
        return PROFILES
    listed = ["git", "ls-tree", "--name-only", commit, "nbs/profiles/"]
    files = subprocess.run(listed, cwd=root, capture_output=True, text=True, check=True).stdout
    return {path.rsplit("/", 1)[-1].removesuffix(".yml") for path in files.split()}


def fields_at(commit):
    "The fields of `TrainConfig` that a commit has, or those here"
    if not commit:
        return FIELDS
    return set(re.findall(r"^    (\w+): ", at(commit, "training/config", "config"), flags=re.M))


def parameters_of(page):
    "The names that the cell of a page sets for which papermill has other values"
    cells = json.loads((nbs.parent / page).read_text(encoding="utf-8"))["cells"]
    tagged = [c for c in cells if "parameters" in c["metadata"].get("tags", [])]
    return set(defined(ast.parse("".join(tagged[0]["source"])).body)) if tagged else set()


COMMANDS = typer.main.get_command(app)
TARGETS = set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text(encoding="utf-8"), re.M))


def broken_here(words):
    "What is wrong with a command of `sqlenv` or a target of `make`; None where nothing is"
    if words[0] == "make":
        return None if {*words} & TARGETS else "no target"
    command = COMMANDS
    for word in words[1:]:
        if word not in getattr(command, "commands", {}):
            break
        command = command.commands[word]
    own = {o for p in command.params for o in p.opts + p.secondary_opts} | {"--help"}
    strange = [w for w in words if w[:2] == "--" and w.split("=")[0] not in own]
    if hasattr(command, "commands") and not {*words} & own:
        return "no command"
    return f"no option {strange[0]}" if strange else None


def broken(command, commit=None):
    "What is wrong with a command of this project, here or at a commit; None where nothing is."
    words = [w for w in shlex.split(command) if not re.fullmatch(r"[A-Z_]+=.*", w)]
    if not " ".join(words).startswith(PROGRAMS):
        return "no command"
    if words[:2] == ["python", "-m"]:
        module = words[2].removeprefix("sqlenv.").replace(".", "/")
        code = at(commit, module)
        if code is None or 'if __name__ == "__main__"' not in code:
            return f"{words[2]} does nothing when it is run"
        strange = [w for w in words if w[:2] == "--" and f'"{w}"' not in code]
        return f"no option {strange[0]}" if strange else None
    if words[:2] == ["sqlenv", "train"]:
        fields = [words[i + 1].split("=")[0] for i, w in enumerate(words) if w == "--set"]
        profile = words[words.index("--profile") + 1] if "--profile" in words else "cpu"
        if strange := [f for f in fields if f not in fields_at(commit)]:
            return f"no field {strange[0]}"
        if profile not in profiles_at(commit):
            return f"no profile {profile}"
    if words[0] in ("sqlenv", "make") and not commit:
        return broken_here(words)
    paths = [w for w in words if w.endswith(".ipynb") and w.startswith("nbs/")]
    if gone := [p for p in paths if not (nbs.parent / p).exists()]:
        return f"no page {gone[0]}"
    if words[0] == "papermill":
        given = {words[i + 1] for i, w in enumerate(words) if w == "-p"}
        given |= {k for i, w in enumerate(words) if w == "-y" for k in yaml.safe_load(words[i + 1])}
        strange = sorted(given - parameters_of(paths[0]))
        return f"no parameter {strange[0]}" if strange else None
    return None


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("python -m sqlenv.collapse --seeds 0", "does nothing"),
        ("python -m sqlenv.training.monitor --nothing", "no option"),
        ("sqlenv train --profile none", "no profile"),
        ("sqlenv train --profil cpu", "no option"),
        ("sqlenv data spider --sauce x.zip", "no option"),
        ("sqlenv data bake", "no command"),
        ("sqlenv trane", "no command"),
        ("make traim PROFILE=cpu", "no target"),
        ("papermill nbs/experiments/none.ipynb out.ipynb", "no page"),
        ("papermill nbs/experiments/scaling.ipynb out.ipynb -y 'seeds: [0]'", "no parameter"),
        ("GRPO of the page from_nothing", "no command"),
    ],
)
def test_broken_commands_are_found(command, why):
    assert why in broken(command)


def commands_in(x):
    "Every `command` of a kept record"
    if isinstance(x, dict):
        own = [x["command"]] if isinstance(x.get("command"), str) else []
        return own + [c for v in x.values() for c in commands_in(v)]
    return [c for v in x for c in commands_in(v)] if isinstance(x, list) else []


RESULTS = nbs.parent / "data" / "results"
KEPT = {}
for path in RESULTS.rglob("*.json"):
    KEPT |= dict.fromkeys(commands_in(json.loads(path.read_text(encoding="utf-8"))), path)
OLD = sorted(c for c, path in KEPT.items() if RESULTS / "templates" in path.parents)


@pytest.mark.parametrize("command", OLD)
def test_commands_of_older_results_ran_at_the_commit_they_name(command):
    "The code of today cannot make a result of the recipe `templates`"
    words, commit = re.fullmatch(r"(.+) at commit ([0-9a-f]{7})", command).groups()
    known = ["git", "cat-file", "-e", f"{commit}:sqlenv"]
    if subprocess.run(known, cwd=root, capture_output=True).returncode:
        pytest.skip(f"the history here does not have {commit}")
    assert broken(words, commit) is None


COMMAND = re.compile(
    r"^(?:python -m (?:sqlenv|tools)|(?:sqlenv|make) [a-z]|papermill)[^#`\n|>&]*", flags=re.M
)


def test_commands_of_results_and_pages_exist():
    """A kept result names the command that makes it, and pages and modules print such commands.

    The module is there and acts when it is run, the options are its own, a profile and its fields
    exist, a page has the parameters.
    """
    kept = {c: why for c in KEPT if c not in OLD and (why := broken(c))}
    assert kept == {}
    printed = {}
    for path in [*nbs.glob("*.ipynb"), *nbs.glob("[a-z]*/*.ipynb")]:
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            shown = "".join(cell["source"]) if cell["cell_type"] == "markdown" else ""
            printed |= {line.strip(): path.name for line in COMMAND.findall(shown)}
    for module, text in texts.items():
        printed |= {line.strip(): module for line in COMMAND.findall(text)}
    assert "python -m tools.publish runs/cpu --outputs" in printed
    found = {c: broken(c) for c in printed if not re.search(r"[A-Z]{3,}|…|\\$", c)}
    assert {c: why for c, why in found.items() if why} == {}


RECORDS = sorted((nbs.parent / "data" / "results").rglob("run.json"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.parent.name)
def test_every_kept_record_loads(path):
    "With the values it was made with, though some of its fields are gone"
    record = read_run(path.parent)
    config = whole_config(record["config"])
    kept = {k: v for k, v in of_today(record["config"]).items() if k in config}
    assert kept and {k: config[k] for k in kept} == kept


DRAWS = set("plot bar barh scatter errorbar hlines fill_between step imshow boxplot hist".split())


def written(node):
    "Whether a list or tuple of numbers is written out in an expression"
    kinds = ast.List, ast.Tuple
    lists = [x.elts for x in ast.walk(node) if isinstance(x, kinds) and len(x.elts) > 1]
    return any(
        all(isinstance(e, ast.Constant) and isinstance(e.value, int | float) for e in elements)
        for elements in lists
    )


def invented(cells):
    "Calls that draw numbers which stand in the cells"
    body = [node for source in cells for node in ast.walk(ast.parse(source))]
    given = {
        target.id
        for node in body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List | ast.Tuple)
        for target in node.targets
        if isinstance(target, ast.Name) and written(node.value)
    }
    calls = [n for n in body if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    for call in (c for c in calls if c.func.attr in DRAWS):
        drawn = [*call.args, *(k.value for k in call.keywords if k.arg in ("x", "y", "width"))]
        names = {n.id for a in drawn for n in ast.walk(a) if isinstance(n, ast.Name)}
        if any(map(written, drawn)) or names & given:
            yield ast.unparse(call)


@pytest.mark.parametrize("path", sorted(root.glob("constraints*.txt")), ids=lambda p: p.stem)
def test_constraints_pin_versions(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert any("==" in line for line in lines), f"{path.name} pins nothing"


def test_invented_numbers_are_found():
    assert list(invented(["shown = [26, 28]", "ax.plot(steps, shown)"])) == [
        "ax.plot(steps, shown)"
    ]
    assert len([*invented(["ax.bar([1, 2], heights)", "ax.plot(kept.x, kept.y)"])]) == 1


def test_figures_draw_what_was_kept_or_computed():
    "The page of the report draws two points to show what becomes of a figure"
    pages = {}
    for path in [*nbs.glob("*.ipynb"), *nbs.glob("[a-z]*/*.ipynb")]:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
        code = [source for source in code if not re.search("^[%!]", source, flags=re.M)]
        if found := list(invented(code)):
            pages[path.stem] = found
    assert pages == {"report": ["ax.plot([1, 2], [0, 1], color=INK)"]}


def test_no_page_shows_a_traceback_or_a_folder_of_its_machine():
    found = []
    for path in [*nbs.glob("*.ipynb"), *nbs.glob("[a-z]*/*.ipynb")]:
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for output in cell.get("outputs", []):
                shown = json.dumps(output)
                if (
                    output["output_type"] == "error"
                    or str(nbs.parent) in shown
                    or "/root/" in shown
                ):
                    found.append((path.name, cell["id"]))
    assert found == []
