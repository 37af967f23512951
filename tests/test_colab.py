"""The set-up cell, what it changes in Colab, and every page with a badge on Colab's versions."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from execnb.nbio import read_nb
from nbdev.config import get_config

root, nbs = get_config().config_path, get_config().nbs_path
badge = "colab-badge"
pages = [
    p
    for p in sorted(nbs.glob("*.ipynb")) + sorted((nbs / "tutorials").glob("*.ipynb"))
    if badge in read_nb(p).cells[1].source
]
TAKEN_FOR_COLAB = "import sys; sys.modules['google.colab'] = sys\n"


def set_up(page, project, repository):
    "The source of a page's set-up cell, for another repository and folder"
    source = read_nb(page).cells[2].source
    source = source.replace(get_config().git_url, repository)
    return source.replace("/content/project", str(project))


def in_colab(python, source):
    "Run code as in Colab; its exit code and what it prints"
    inner = ("PYTHONPATH", "IN_TEST", "VIRTUAL_ENV")
    done = subprocess.run(
        [str(python), "-c", TAKEN_FOR_COLAB + source],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={k: v for k, v in os.environ.items() if k not in inner},
    )
    return done.returncode, done.stdout


def test_a_repository_that_is_not_there_is_said_and_leaves_nothing_behind(tmp_path):
    "The set-up cell, in a process that takes itself for Colab; test_notebooks has its likeness"
    project, nowhere = tmp_path / "project", f"{tmp_path}/nowhere"
    status, said = in_colab(sys.executable, set_up(pages[0], project, nowhere))
    assert (status, project.exists()) == (1, False)
    assert "Name another above" in said and "Traceback" not in said, said


def chosen(gpu, bfloat16=False, **given):
    "The profile and the run folder, and what of Drive was mounted"
    train_page = read_nb(nbs / "tutorials" / "train_grpo.ipynb").cells
    (choosing,) = [c.source for c in train_page if c.source.startswith("if profile is None")]
    cuda = SimpleNamespace(
        is_available=lambda: gpu, is_bf16_supported=lambda including_emulation: bfloat16
    )
    mounted = []
    colab = SimpleNamespace(drive=SimpleNamespace(mount=mounted.append))
    names = dict(profile=None, run_dir=None, drive=False, push_to=None, Path=Path)
    names |= dict(torch=SimpleNamespace(cuda=cuda)) | given
    with patch.dict(sys.modules, {"google": SimpleNamespace(colab=colab), "google.colab": colab}):
        exec(choosing, names)
    return names["profile"], names["run_dir"], mounted


DRIVE = Path("/content/drive/MyDrive/sqlenv/colab")


@pytest.mark.parametrize(
    ("machine", "choice"),
    [
        (dict(gpu=False), ("quick", None, [])),
        (dict(gpu=True), ("colab", None, [])),
        (dict(gpu=True, bfloat16=True), ("l4", None, [])),
        (dict(gpu=True, drive=True), ("colab", DRIVE, ["/content/drive"])),
    ],
)
def test_train_an_agent_takes_the_profile_of_the_card(machine, choice):
    "And keeps the run on Google Drive; card and Drive are played by objects"
    assert chosen(**machine) == choice


# Colab publishes the list of its packages as `pip-freeze.gpu.txt` in
# https://github.com/googlecolab/backend-info. `make test-colab FREEZE=pip-freeze.gpu.txt` builds
# two environments from it: one with the names and versions of all packages, to ask pip what the
# set-up cell would change; and one with the packages that matter here, to run the pages. It takes
# minutes and gigabytes, so it needs the variable `COLAB_FREEZE`. `COLAB_PYTHON` names a Python of
# the version that Colab has.
freeze = os.environ.get("COLAB_FREEZE")
python = os.environ.get("COLAB_PYTHON", sys.executable)
listed_by_colab = pytest.mark.skipif(not freeze, reason="see make test-colab")


NEEDED = """accelerate aiohttp astunparse click datasets entrypoints fastcore huggingface_hub
ipykernel ipython ipywidgets Jinja2 jupyter_client matplotlib nbclient nbconvert nbformat numpy
packaging pandas peft pillow psutil pyarrow pytest PyYAML pyzmq requests rich safetensors setuptools
sqlglot tenacity tokenizers torch torchao torchvision tornado tqdm traitlets transformers
typer""".split()
KEPT = re.compile("torch|torchvision|torchaudio|numpy|pyarrow|triton|(nvidia|cuda|cudf|jax).*")


def normal(name):
    "The name of a package as the index has it"
    return re.sub(r"[-_.]+", "-", name).lower()


def listed(file):
    "Package -> version, without what says where it was built (`+cu128`)"
    found = {}
    for line in Path(file).read_text().splitlines():
        version = re.match(
            r"([\w.-]+)(?:==| @ .*?[-_](?=\d+\.))(\d[\w.]*?)(?:\.tar.*|\+\w+)?$", line
        )
        if version:
            found[normal(version[1])] = version[2]
    return found


def environment(folder):
    "A new environment with a pip as old as Colab's; its Python"
    subprocess.run([python, "-m", "venv", folder], check=True)
    return folder / "bin" / "python"


def pip(where, *argv):
    "Run pip; an error with what it says when it fails"
    done = subprocess.run(
        [where, "-m", "pip", *map(str, argv)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert not done.returncode, done.stderr[-2000:]


def test_a_list_of_packages_is_read_without_where_they_were_built(tmp_path):
    example = tmp_path / "freeze.txt"
    example.write_text(
        "torch==2.11.0+cu128\ngoogle-colab @ file:///dist/google_colab-1.0.0.tar.gz\n# x\n"
    )
    assert listed(example) == {"torch": "2.11.0", "google-colab": "1.0.0"}


def changes(have, folder):
    "What the set-up cell's installations change: (name, before, after, megabytes)"
    where = environment(folder)
    site = next(folder.glob("lib/python*/site-packages"))
    for name, version in have.items():
        if name != "pip":
            info = site / f"{name.replace('-', '_')}-{version}.dist-info"
            info.mkdir(exist_ok=True)
            text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
            (info / "METADATA").write_text(text)
            (info / "INSTALLER").write_text("pip\n")
            (info / "RECORD").write_text("")
    rows = []
    for argv in (f"{root}[colab]",), ("--no-deps", "trl~=1.16.0"):
        report = folder / "report.json"
        pip(where, "install", "--dry-run", "--quiet", "--report", report, *argv)
        for item in json.loads(report.read_text())["install"]:
            name, version = normal(item["metadata"]["name"]), item["metadata"]["version"]
            if name != "sqlenv":
                rows.append(
                    (name, have.get(name), version, megabytes(item["download_info"]["url"]))
                )
    return sorted(rows)


def megabytes(url):
    "The size of a file on an index, or here"
    from urllib.request import Request, url2pathname, urlopen

    if url.startswith("file:"):
        return os.path.getsize(url2pathname(url.removeprefix("file://"))) / 1e6
    with urlopen(Request(url, method="HEAD")) as answer:
        return int(answer.headers["Content-Length"]) / 1e6


@pytest.fixture(scope="module")
def tmp(tmp_path_factory):
    return tmp_path_factory.mktemp("colab").resolve()


@pytest.fixture(scope="module")
def tried():
    "What is kept of all of this, in `data/results/colab.json`"
    return {}


@listed_by_colab
def test_the_set_up_cell_replaces_no_torch_cuda_numpy_or_pyarrow(tmp, tried):
    "By what pip would install in Colab"
    have = listed(freeze)
    rows = changes(have, tmp / "names")
    for name, before, after, size in rows:
        print(f"{name:24} {before or '-':10} -> {after:10} {size:7.2f} MB")
    assert not [row for row in rows if row[1] and KEPT.fullmatch(row[0])]
    assert sum(row[3] for row in rows) < 400
    tried |= dict(packages=len(have), changes=rows)


def copy_of_the_project(folder):
    "A repository with the files of the working tree, as they are now"
    made = (".*", "runs", "_proc", "_docs", "build", "dist", "spider", "node_modules")
    shutil.copytree(root, folder, ignore=shutil.ignore_patterns(*made), symlinks=True)
    who = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    for argv in ("init", "-q", "-b", "main"), ("add", "-f", "."):
        subprocess.run(["git", *argv], cwd=folder, check=True)
    commit = ("commit", "-q", "--no-gpg-sign", "-m", "test")
    subprocess.run(["git", *who, *commit], cwd=folder, check=True)
    return folder.as_uri()


VERSIONS = """import platform; from importlib.metadata import distributions
print(platform.python_version(), *(d.name + "==" + d.version for d in distributions()))"""


@pytest.fixture(scope="module")
def colab(tmp):
    "The Python of an environment with the packages that matter, for real"
    colab, have = environment(tmp / "colab"), listed(freeze)
    pip(colab, "install", "-q", *(f"{k}=={have[k]}" for k in map(normal, NEEDED) if k in have))
    return colab


@pytest.fixture(scope="module")
def ready(tmp, colab):
    """The address of the repository, where the set-up cell has run twice.

    With a clone of this repository, and on what is there. The second time no folder is made within
    the folder.
    """
    address = copy_of_the_project(tmp / "repository")
    trains = next(p for p in pages if "trains = True" in read_nb(p).cells[2].source)
    for _ in range(2):
        status, said = in_colab(colab, set_up(trains, tmp / "project", address))
        assert status == 0, said
    assert "$ git" not in said and not list((tmp / "project").glob("**/project"))
    return address


@listed_by_colab
def test_the_package_works_in_colab_with_the_versions_that_colab_has(tmp, colab, ready, tried):
    have = listed(freeze)
    called = [tmp / "colab" / "bin" / "sqlenv", "eval", "--model", "oracle", "-n", "9"]
    called += ["--split", "dev"]
    assert "100.0%" in subprocess.run(called, capture_output=True, text=True).stdout
    there, *versions = in_colab(colab, VERSIONS)[1].split()
    versions = dict(v.split("==") for v in versions)
    kept = {k: v for k, v in have.items() if k in map(normal, NEEDED) and KEPT.fullmatch(k)}
    assert {k: versions[k].split("+")[0] for k in kept} == kept
    shown = [normal(k) for k in ("trl", *NEEDED)]
    versions = {k: v for k, v in sorted(versions.items()) if normal(k) in shown}
    tried |= dict(python=there, versions=versions, date=time.strftime("%Y-%m-%d"))


def kernel(tmp):
    "Where Jupyter finds a kernel of Colab's environment; it has the module google.colab"
    site = next((tmp / "colab").glob("lib/python*/site-packages"))
    (site / "taken_for_colab.pth").write_text(
        'import sys; exec(\'if "ipykernel_launcher" in sys.orig_argv: '
        'sys.modules["google.colab"] = sys\')\n'
    )
    colab, folder = tmp / "colab" / "bin" / "python", tmp / "jupyter"
    argv = [str(colab), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = folder / "kernels" / "colab"
    spec.mkdir(parents=True)
    env = dict(PATH=f"{colab.parent}{os.pathsep}{os.environ['PATH']}")
    about = dict(argv=argv, display_name="colab", language="python", env=env)
    (spec / "kernel.json").write_text(json.dumps(about))


def seconds_in_colab(page, tmp, address):
    "Run a page in Colab's environment; how long it takes"
    import nbformat

    nb = nbformat.read(page, 4)
    for cell in nb.cells:
        if cell.cell_type != "code":
            continue
        cell.source = cell.source.replace(get_config().git_url, address)
        cell.source = cell.source.replace("/content/project", str(tmp / "project"))
        trains = re.search(r"^#\| eval: false", cell.source, re.M)
        if trains and re.match(r"\d\d_", page.name):
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), "skip-execution"]
    folder = tmp / "out" / page.stem
    folder.mkdir(parents=True)
    nbformat.write(nb, folder / page.name)
    papermill = [sys.executable, "-m", "papermill", "--no-progress-bar", "-k", "colab"]
    return seconds_of(page.relative_to(nbs), [*papermill, page.name, "executed.ipynb"], folder, tmp)


def seconds_of_test(file, tmp):
    "Run a file of tests in Colab's environment, with what is installed there; how long it takes"
    folder = tmp / "out" / file.stem
    folder.mkdir(parents=True)
    shutil.copy(file, folder)
    colab = tmp / "colab" / "bin" / "python"
    return seconds_of(file.relative_to(root), [str(colab), "-m", "pytest", file.name], folder, tmp)


def seconds_of(name, argv, folder, tmp):
    "Run a command in a folder; how long it takes, or None when it fails"
    began = time.time()
    inner = ("PYTHONPATH", "IN_TEST", "VIRTUAL_ENV")
    outside = {k: v for k, v in os.environ.items() if k not in inner}
    outside["PATH"] = f"{tmp / 'colab' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        argv,
        cwd=folder,
        env=outside | dict(JUPYTER_PATH=str(tmp / "jupyter")),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    seconds = round(time.time() - began)
    print(f"{name}: {'failed' if done.returncode else 'ran'} in {seconds} s", flush=True)
    if done.returncode:
        print(done.stdout[-2000:])
    return None if done.returncode else seconds


@listed_by_colab
def test_every_page_with_a_badge_runs_in_colab(tmp, colab, ready, tried):
    """From its set-up cell to its end, each in a kernel that takes itself for Colab.

    The three notebooks of the story that train run their training within the page *Train an
    agent*, which has no GPU here and so takes the profile `ci`; on their own pages, those cells are
    skipped.
    `COLAB_PAGES` names some pages only. The command from beginning to end, tests/test_run.py, runs
    too: it trains a Qwen3 with LoRA and recomputed activations, is interrupted, and goes on.
    """
    kernel(tmp)
    named = os.environ.get("COLAB_PAGES", "").split()
    asked = [p for p in pages if not named or p.stem in named]
    took = {
        p.relative_to(nbs).with_suffix("").as_posix(): seconds_in_colab(p, tmp, ready)
        for p in asked
    }
    if not named or "test_run" in named:
        took["tests/test_run"] = seconds_of_test(root / "tests" / "test_run.py", tmp)
    if not named and {"changes", "versions"} <= tried.keys():
        tried |= dict(command="make test-colab FREEZE=pip-freeze.gpu.txt", pages=took)
        kept = root / "data" / "results" / "colab.json"
        kept.write_text(json.dumps(tried, indent=1) + "\n")
    failed = [name for name, seconds in took.items() if seconds is None]
    assert not failed, failed
