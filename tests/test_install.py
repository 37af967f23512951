"""What `import sqlenv` loads, and what works with nothing but the package and its base packages.

A wheel is built from a copy of the repository and installed with its base dependencies into an
empty environment. Where pip reaches no package index, the tests of it are skipped.
"""

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def python(code):
    "What a fresh process prints"
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()


FOREIGN = """
import sys

before = set(sys.modules)
import sqlenv.env

print(*sorted({m.split(".")[0] for m in set(sys.modules) - before} - sys.stdlib_module_names))
"""


def test_the_environment_loads_fastcore_and_nothing_else():
    assert python(FOREIGN) == ["fastcore", "sqlenv"]


@pytest.mark.parametrize(
    "code, loaded",
    [
        ("import sqlenv.workflow.cli", []),
        ("from sqlenv.stats import bootstrap; bootstrap({1: [0, 1]})", ["numpy"]),
        ("from sqlenv.verifier import is_ordered; is_ordered('SELECT 1 ORDER BY 1')", []),
        (
            "from sqlenv.verifier import is_ordered; is_ordered('SELECT 1 ORDER BY 1 LIMIT 2 - 1')",
            ["sqlglot"],
        ),
    ],
    ids=["command line", "interval", "ordered gold", "ordered gold with a limit to compute"],
)
def test_a_package_is_loaded_where_it_is_used(code, loaded):
    heavy = "{'torch', 'numpy', 'sqlglot', 'pandas'} & set(sys.modules)"
    assert python(f"{code}; import sys; print(*sorted({heavy}))") == loaded


ORACLE = """
import sys


class Only:
    "Everything but the standard library, fastcore and sqlglot cannot be imported"

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] not in sys.stdlib_module_names | {"fastcore", "sqlglot", "sqlenv"}:
            raise ModuleNotFoundError(name=name)


sys.meta_path.insert(0, Only())
from sqlenv import OraclePolicy, SQLEnvironment, load_questions
from sqlenv.policies import rollout

for split in ("train", "eval", "unseen"):
    for question in load_questions(split)[:100]:
        if not rollout(SQLEnvironment(), OraclePolicy(), question).correct:
            print(question.question_id)
"""


def test_the_oracle_plays_with_fastcore_and_sqlglot_alone():
    "As in a browser; what is printed was answered wrong"
    assert python(ORACLE) == []


CLEAN = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "SQLENV"))}


def pip(*argv):
    "Run pip, which leaves it to each module's first import to compile it; what failed"
    done = subprocess.run(
        [sys.executable, "-m", "pip", *argv, "--quiet", "--disable-pip-version-check"],
        capture_output=True,
        text=True,
        env=CLEAN | dict(PIP_COMPILE="0"),
    )
    return done.stderr if done.returncode else ""


@pytest.fixture(scope="module")
def env(tmp_path_factory):
    "The folder of an environment with the wheel and nothing else"
    room = tmp_path_factory.mktemp("install")
    source, env = room / "source", room / "env"
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "results")
    for folder in ("sqlenv", "data"):
        shutil.copytree(ROOT / folder, source / folder, ignore=ignored)
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, source)
    problem = pip("wheel", str(source), "--no-deps", "--wheel-dir", str(room))
    if not problem:
        venv.create(env)
        (wheel,) = room.glob("*.whl")
        problem = pip("--python", str(env / "bin" / "python"), "install", str(wheel))
    if problem:
        assert "No matching distribution found" in problem or "Connection" in problem, problem
        pytest.skip("pip reaches no package index")
    return env


@pytest.fixture
def sqlenv(env, tmp_path):
    "Runs the installed command"

    def sqlenv(*argv, typed="", code=0):
        "What it prints, on either stream"
        done = subprocess.run(
            [env / "bin" / "sqlenv", *argv],
            input=typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=tmp_path,
            env=CLEAN,
        )
        assert done.returncode == code, done.stdout
        return " ".join(done.stdout.split())

    return sqlenv


def test_the_wheel_brings_its_base_packages(env):
    packages = {p.name for p in env.glob("lib/*/site-packages/*")}
    assert "sqlglot" in packages and not packages & {"torch", "transformers", "pandas"}


@pytest.mark.parametrize(
    "argv, typed, said",
    [
        (["--help"], "", "Measure a model"),
        (["eval", "--model", "oracle", "-n", "40"], "", "100.0%"),
        (["play", "--seed", "3"], "select 1\nanswer 1\n", "Reward"),
    ],
    ids=["help", "eval", "play"],
)
def test_a_command_that_works_with_the_base(sqlenv, argv, typed, said):
    assert said in sqlenv(*argv, typed=typed)


def test_data_are_checked_with_the_base(sqlenv, env, tmp_path):
    """A database and twenty questions.

    The files in the wheel are those of the repository, which a page checks all (`workflow/cli`).
    """
    (embedded,) = env.glob("lib/*/site-packages/sqlenv/embedded")
    data = ROOT / "data"
    for file in [*data.glob("databases/*/*"), *data.glob("questions/*.json")]:
        assert (embedded / file.relative_to(data)).read_bytes() == file.read_bytes()
    few = json.loads((embedded / "questions" / "unseen.json").read_text())[:20]
    (db_id,) = {q["db_id"] for q in few}
    small = tmp_path / "small"
    shutil.copytree(embedded / "databases" / db_id, small / "databases" / db_id)
    (small / "questions").mkdir()
    (small / "questions" / "unseen.json").write_text(json.dumps(few))
    assert "1 database, all readable" in sqlenv("data", "check", "--data", str(small))


@pytest.fixture
def given(env, tmp_path):
    "What the arguments of a command stand for"
    model = tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text("{}")
    return dict(
        MODEL=model,
        DATABASE=next(env.glob("lib/*/site-packages/sqlenv/embedded/databases/*/*.sqlite")),
        PAGE=tmp_path / "page",
        RUN=ROOT / "data" / "results" / "templates" / "seed0",
    )


@pytest.mark.parametrize(
    "command, extra",
    [
        ("eval --model MODEL", 'pip install "sqlenv[train]"'),
        ("ask How_many? --db DATABASE --model MODEL", 'pip install "sqlenv[train]"'),
        ("eval --model oracle --report PAGE", 'pip install "sqlenv[eval]"'),
        ("report RUN", 'pip install "sqlenv[eval]"'),
        ("serve", 'pip install "sqlenv[serve]", in an environment'),
        ("mcp", 'pip install "sqlenv[mcp]"'),
    ],
)
def test_a_command_that_needs_more_names_the_extra_that_brings_it(sqlenv, given, command, extra):
    argv = [str(given.get(word, word)) for word in command.split()]
    assert extra in sqlenv(*argv, code=1)
