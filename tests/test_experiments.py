"The experiments can be run: every method of a seed, with few questions."

import contextlib
import json
import shlex
import shutil
from pathlib import Path
from unittest.mock import patch

import pytest
import yaml
from execnb.shell import CaptureShell
from nbdev.config import get_config
from papermill.iorw import load_notebook_node
from papermill.parameterize import parameterize_notebook

from sqlenv.data import FINAL_SPLITS, DataError
from sqlenv.experiments.cells import Cells, check_names, kept_results

SIZES = dict(shown=8, asked=3, fresh=3, rewarded=1, known=4, new=1, deeper=1, others=4)
SIZES |= dict(several=0, teach=2, more=4, brief=2, grpo=2, longer=3, tries=3)
RECIPE = dict(prompts=2, group=2, micro_batch=2, budget=4, max_completion=300, max_new_tokens=40)
RECIPE |= dict(sft_batch=4, eval_size=1)
STEPS = dict.fromkeys(("grpo", "muon", "brief", "sparse", "positive", "negative"), 2)
STEPS |= dict(longer=3)  # of the methods that sample
METHODS = (
    "warm_up",
    "more",
    "repeated",
    "labels",
    "matched",
    "both",
    "rejection",
    "gentle",
    *STEPS,
)


def runs_of(tmp_path, name, last, values):
    "Runs an experiment's page up to the cell that trains; what is kept, by name."
    page = get_config().nbs_path / "experiments" / f"{name}.ipynb"
    nb = load_notebook_node(str(page))
    end = next(i for i, cell in enumerate(nb.cells) if cell.id == last) + 1
    nb.cells = [cell for cell in nb.cells[:end] if not cell.id.endswith("-shown")]
    values |= dict(work=str(tmp_path), kept=str(tmp_path / "kept"))

    def run(**changes):
        shell = CaptureShell(mpl_format=None)
        with contextlib.chdir(page.parent):
            for cell in parameterize_notebook(nb, values | changes).cells:
                if cell.cell_type == "code":
                    shell.run(cell.source)
                    if shell.exc:
                        raise shell.exc
        return {p.name: p for p in (tmp_path / "kept").glob("*.json")}

    return run


@pytest.fixture
def train(tmp_path):
    values = dict(seeds=[7], held=[2], sizes=SIZES, recipe=RECIPE)
    return runs_of(tmp_path, "price_of_an_answer", "pr-run", values)


def test_cells_are_trained_and_kept_and_not_trained_again(train, tmp_path):
    kept = train()
    assert set(kept) == {f"seed7-2-{method}.json" for method in METHODS}
    cells = {
        method: json.loads(kept[f"seed7-2-{method}.json"].read_text("utf-8")) for method in METHODS
    }
    for method, cell in cells.items():
        assert (cell["seed"], cell["n"], cell["method"]) == (7, 2, method)
        for name in ("new", "deeper", "others"):
            assert set("".join(cell[name]["right"].values())) <= {"0", "1"}
        assert (cell["moved"] > 0) == (method != "warm_up")
        # AdamW moves the weights so little in two steps that rounding hides what it changes
        assert (cell["divergence"] > 1e-6) == (method != "warm_up") or cell["moved"] < 1e-4
        assert cell["divergence"] > -1e-6
        assert cell["commit"] and "seeds: [7]" in cell["command"]
        assert len(cell.get("sampled", [])) == STEPS.get(method, 0)
    assert cells["muon"]["moved"] > 3 * cells["grpo"]["moved"]
    kept = train(again={1.0: 2, 0.4: 3}, sizes=SIZES | dict(several=1))
    for temperature, samples in ((1.0, 2), (0.4, 3)):
        cell = json.loads(kept[f"again2-seed7-{temperature}x{samples}.json"].read_text("utf-8"))
        assert f"held: [2], again: {{{temperature}: {samples}}}" in cell["command"]
        assert set(cell["right"]) == {"warm_up", "labels", "muon"}
        for found in cell["right"].values():
            counts = [right for of_kind in found.values() for right in of_kind.values()]
            assert counts and 0 <= min(counts) <= max(counts) <= samples
    kept = train(once=[1], sizes=SIZES | dict(teach=4))
    for method in ("warm_up", "muon", "labels"):
        cell = json.loads(kept[f"once1-seed7-{method}.json"].read_text("utf-8"))
        assert (cell["moved"] > 0) == (method != "warm_up")  # from the warm-up of its own
        assert f"once: [1], methods: [{method}]" in cell["command"]
    written = {name: path.stat().st_mtime_ns for name, path in kept.items()}
    kept["seed7-2-labels.json"].unlink()
    shutil.rmtree(tmp_path / "seed7" / "2")  # as in a checkout, which has cells and no models
    kept = train(sizes=SIZES | dict(several=1))
    again = {name: path.stat().st_mtime_ns for name, path in kept.items()}
    changed = {
        name for name in METHODS if again[f"seed7-2-{name}.json"] != written[f"seed7-2-{name}.json"]
    }
    assert changed == {"labels"}
    cell = json.loads(kept["seed7-2-labels.json"].read_text("utf-8"))
    counts = [right for of_kind in cell["tries"].values() for right in of_kind.values()]
    assert counts and 0 <= min(counts) <= max(counts) <= 8


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (dict(methods=["grop"]), "There is no method 'grop'. Methods: warm_up, more"),
        (dict(again={0: 8}), "A temperature is above 0, found 0 in `again`"),
        (dict(held=[50]), "8 databases have fewer than 50 questions of each new kind"),
        (dict(once=[1]), "2 steps read 8 conversations, so not 12 once each"),
    ],
)
def test_what_cannot_be_trained_is_refused(train, tmp_path, changes, says):
    with pytest.raises(DataError, match=says):
        train(**changes)
    assert not list(tmp_path.glob("kept/*"))


def test_what_a_model_from_nothing_is_built_with_is_taken_away(tmp_path):
    recipe = dict(generated=2, composed=1, per_database=2, written=False)
    recipe |= dict(sft_steps=2, vocab=600)
    sizes = dict(fresh=2, each=2, known=4, likely=2)
    values = dict(seeds=[7], sizes=sizes, recipe=recipe)
    train = runs_of(tmp_path, "from_nothing", "fn-run", values)
    kept = train()
    assert set(kept) == {f"seed7-{variant}.json" for variant in ("whole", "circuit", "words")}
    for path in kept.values():
        record = json.loads(path.read_text("utf-8"))
        asked = {name: record[name]["right"].values() for name in ("known", "fresh")}
        assert sum(map(len, asked["known"])) == 4 and len(asked["fresh"]) == 2
        assert min(record[name]["nats"] for name in ("known", "fresh")) > 10
        assert record["command"].endswith("-y 'seeds: [7]'")


def test_help_at_inference_is_measured_and_kept(tmp_path):
    measure = runs_of(tmp_path, "inference", "in-run", dict(most=3))
    kept = measure(rows=["columns", "looked", "scoped"])
    assert set(kept) == {"columns.json", "looked.json", "scoped.json"}
    for path in kept.values():
        record = json.loads(path.read_text("utf-8"))
        asked = [n for part in record["parts"].values() for n in part["right"].values()]
        assert sum(map(len, asked)) == 3 and record["stuck"] == 0
        assert not {*record["parts"]} & {*FINAL_SPLITS}  # a trial
        assert record["command"].endswith(f"-y 'rows: [{record['row']}]'")
    with pytest.raises(
        DataError, match="There is no row 'shipped'. Rows: ships, columns, unmarked"
    ):
        measure(rows=["shipped"])


@pytest.fixture
def study(tmp_path):
    return Cells("experiments/scaling", tmp_path / "kept", "{size[0]}x{size[1]}-{budget}.json")


VARIED = dict(size=[[64, 2], [128, 2]], budget=[5, 0.5])


def train_missing(study, stop_at=None):
    "Keeps what is missing, up to a cell at which the program ends; the cells that were trained."
    done = []
    for cell in study.missing(**VARIED):
        if len(done) == stop_at:
            raise KeyboardInterrupt
        study.keep(cell, dict(steps=7), sizes=[cell["size"]], budgets=[cell["budget"]])
        done.append((*cell["size"], cell["budget"]))
    return done


def test_a_study_that_was_stopped_continues_with_what_is_missing(study):
    with pytest.raises(KeyboardInterrupt):
        train_missing(study, stop_at=3)
    first = {p.name: p.stat().st_mtime_ns for p in study.folder.iterdir()}
    assert set(first) == {"64x2-5.json", "64x2-0.5.json", "128x2-5.json"}
    assert train_missing(study) == [(128, 2, 0.5)]
    assert train_missing(study) == []
    assert first.items() <= {p.name: p.stat().st_mtime_ns for p in study.folder.iterdir()}.items()
    found = [(*cell["size"], cell["budget"], cell["steps"]) for cell in kept_results(study.folder)]
    assert sorted(found) == [(64, 2, 0.5, 7), (64, 2, 5, 7), (128, 2, 0.5, 7), (128, 2, 5, 7)]


def test_a_cell_that_another_process_kept_meanwhile_is_not_trained_again(study):
    cells = study.missing(**VARIED)
    assert next(cells)["budget"] == 5
    study.keep(dict(size=[64, 2], budget=0.5), {})
    assert next(cells) == dict(size=[128, 2], budget=5)


def test_a_cell_is_kept_whole_or_not_at_all(study):
    cell = dict(size=[64, 2], budget=5)
    cut = patch.object(Path, "write_text", lambda self, text, **kw: cut_after(self, text[:20]))
    with cut, pytest.raises(OSError, match="No space left"):
        study.keep(cell, dict(steps=7), budgets=[5])
    assert list(study.folder.iterdir()) == [] and next(study.missing(**VARIED)) == cell
    with pytest.raises(TypeError):
        study.keep(cell, dict(steps={1, 2}), budgets=[5])  # JSON has no sets
    assert list(study.folder.iterdir()) == []


def cut_after(path, text):
    with path.open("w") as file:
        file.write(text)
    raise OSError(28, "No space left on device")


def test_a_cell_has_the_command_that_makes_it(study, tmp_path):
    given = dict(sizes=[[64, 2]], budgets=[0.5], asked={0.4: 3}, model="it's")
    study.keep(dict(size=[64, 2], budget=5), {}, **given)
    study.keep(dict(size=[64, 2], budget=0.5), {}, asked={0.4: {"n": 3}})
    study.keep(dict(size=[128, 2], budget=5), {}, work=f"{tmp_path}/runs/scaling")
    (alone, whole, elsewhere) = (
        shlex.split(json.loads((study.folder / f"{name}.json").read_text("utf-8"))["command"])
        for name in ("64x2-0.5", "64x2-5", "128x2-5")
    )
    page = "papermill nbs/experiments/scaling.ipynb out.ipynb --cwd nbs/experiments -y".split()
    assert [alone[:-1], whole[:-1], elsewhere[:-1]] == 3 * [page]
    assert yaml.safe_load(whole[-1]) == given
    assert alone[-1] == "asked: {0.4: {n: 3}}"
    assert elsewhere[-1] == "work: runs/scaling"  # no folder of this machine
    record = json.loads((study.folder / "64x2-5.json").read_text("utf-8"))
    assert {"size", "budget", "commit", "versions", "python", "platform", "started"} <= set(record)


def test_an_unknown_name_is_refused():
    check_names("method", [], ["sft"])
    check_names("method", ["sft"], dict(sft="SFT", grpo="GRPO"))
    with pytest.raises(DataError, match=r"^There is no method 'grop'. Methods: sft, grpo\.$"):
        check_names("method", ["sft", "grop"], dict(sft="SFT", grpo="GRPO"))
