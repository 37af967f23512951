"""What is kept of a run: small files, the outputs of its notebooks, the model that ships."""

import json
import re
import shutil
from pathlib import Path

import pytest

from sqlenv.analysis import measure_floor
from sqlenv.data import embedded_folder, load_questions, shipped
from sqlenv.policies import pick
from sqlenv.training.config import TrainConfig
from sqlenv.training.models import load_model, save_model
from sqlenv.training.record import RunError, read_run, write_record
from sqlenv.workflow.saved_models import open_model
from tools.publish import (
    WIDGET,
    compact,
    described,
    endings,
    joined,
    keep_model,
    keep_run,
    take_outputs,
)
from tools.publish import main as publish

EVALUATED = dict(
    policy="sft",
    split="eval",
    mode="greedy",
    n=3,
    correct={"b": True, "a": False, "c": True},
    database_of=dict(a="shop", b="shop", c="lab"),
)


def test_an_evaluation_is_kept_as_a_digit_a_question():
    kept = dict(policy="sft", split="eval", mode="greedy", n=3, right=dict(lab="1", shop="01"))
    assert compact(EVALUATED) == kept and list(compact(EVALUATED)["right"]) == ["lab", "shop"]


def test_shares_of_several_samples_are_kept_as_numbers():
    several = EVALUATED | dict(correct={"b": 0.75, "a": 0.0, "c": 1.0})
    assert compact(several)["right"] == dict(lab=[1.0], shop=[0.0, 0.75])


def test_the_ends_of_all_episodes_are_counted(tmp_path):
    questions = pick(load_questions("dev"), 40)
    path = tmp_path / "episodes.jsonl"
    floor = measure_floor("dev", questions, embedded_folder(), TrainConfig(), path)
    became = endings(tmp_path)
    assert list(became) == [("random", "dev", "sampled")]
    ends = became["random", "dev", "sampled"]["ends"]
    assert sum(ends.values()) == 40 and ends["right"] == round(40 * floor.success)


@pytest.mark.parametrize(
    ("data", "files"),
    [
        (None, ["eval.json", "run.json", "transcripts.txt"]),
        ("data/spider", ["eval.json", "run.json"]),  # transcripts show rows
    ],
)
def test_only_small_files_without_rows_of_others_or_folders_are_kept(tmp_path, data, files):
    run, kept = tmp_path / "run", tmp_path / "kept" / "run"
    run.mkdir()
    record = dict(config=dict(data=data), command="sqlenv train --data /home/me/shop")
    for name, text in (
        ("run.json", json.dumps(record)),
        ("eval.json", json.dumps([EVALUATED])),
        ("transcripts.txt", "rows"),
        ("report.html", "large"),
    ):
        (run / name).write_text(text)
    keep_run(run, kept)
    assert sorted(p.name for p in kept.iterdir()) == files
    assert read_run(kept)["command"] == "sqlenv train --data shop"
    assert json.loads((kept / "eval.json").read_text()) == [compact(EVALUATED)]
    assert [p.name for p in kept.parent.iterdir()] == ["run"]  # nothing half written


def commands(value):
    "The command lines in a kept result"
    if isinstance(value, dict):
        yield from filter(lambda text: isinstance(text, str), [value.get("command")])
        value = list(value.values())
    for part in value if isinstance(value, list) else []:
        yield from commands(part)


def test_no_result_that_is_kept_names_a_folder_of_a_machine():
    found = set()
    for path in (embedded_folder() / "results").rglob("*.json"):
        found |= {(path.stem, text) for text in commands(json.loads(path.read_text()))}
    assert len(found) > 20
    assert [pair for pair in found if re.search(r"(?<![\w:/.])/\w", pair[1])] == []


def test_a_model_ships_in_half_precision_beside_its_record(tmp_path):
    run, out = tmp_path / "run", tmp_path / "models" / "toy"
    save_model(*open_model("agent"), run / "sft", TrainConfig())
    write_record(run, dict(config=dict(data=None), notebooks={}))
    keep_model(run, out)
    assert [p.name for p in sorted(out.iterdir())] == ["model", "run.json"]
    half, whole = (
        next((p / "model").glob("*.safetensors")).stat().st_size
        for p in (out, shipped("models") / "agent")
    )
    assert half == whole
    before, after = (load_model(str(folder))[0] for folder in (run / "sft", out / "model"))
    for x, y in zip(before.parameters(), after.parameters(), strict=True):
        assert (x - y).abs().max().item() < 1e-2


def test_bars_and_figures_without_words_are_left_out():
    figure, said = dict(data={"image/png": "…"}), dict(text=["1"])
    bar = dict(data={"text/plain": "50%", WIDGET: {}})
    assert described("draw()", [bar, figure, said]) == [said]
    assert described("#| fig-alt: a line\ndraw()", [bar, figure, said]) == [figure, said]


def line(text, name="stdout"):
    return dict(output_type="stream", name=name, text=text)


def test_lines_of_one_stream_are_one_output():
    printed = [line("one\n"), line(["two\n", "three\n"]), line("oh\n", "stderr")]
    assert joined(printed) == [line(["one\n", "two\n", "three\n"]), line("oh\n", "stderr")]


def cell(source, *outputs, **more):
    about = dict(cell_type="code", id="a", metadata=dict(tags=["parameters"], secret=1))
    return about | dict(source=source, outputs=list(outputs), execution_count=None) | more


def write(folder, *cells):
    folder.mkdir(exist_ok=True, parents=True)
    nb = dict(cells=cells, metadata={}, nbformat=4, nbformat_minor=5)
    (folder / "07_sft.ipynb").write_text(json.dumps(nb))


@pytest.fixture
def project(tmp_path):
    "The notebooks of a project, and a run of its cell that trains"
    nbs, run = tmp_path / "project" / "nbs", tmp_path / "runs" / "cpu"
    write(nbs, cell("train()"), cell("1", line(["kept"]), id="b", metadata={}))
    said = line([f"model in {tmp_path.resolve()}/project/runs/cpu"])
    figure = dict(output_type="display_data", data={"image/png": "…"}, metadata={})
    write(run, cell("train()", said, figure))
    return nbs, run


def test_outputs_are_carried_without_the_folder_of_the_machine(project):
    nbs, run = project
    take_outputs(run, nbs, ("07_sft",))
    taken, test = json.loads((nbs / "07_sft.ipynb").read_text())["cells"]
    assert [o["text"] for o in taken["outputs"]] == [["model in runs/cpu"]]
    assert taken["metadata"] == {"tags": ["parameters"]}
    assert test["outputs"][0]["text"] == ["kept"]  # a run does not execute tests


def test_outputs_of_code_that_has_changed_are_refused(project):
    nbs, run = project
    write(nbs, cell("train(more)"))
    with pytest.raises(RunError, match="07_sft has changed since"):
        take_outputs(run, nbs, ("07_sft",))


def test_a_folder_that_is_no_finished_run_is_refused(tmp_path, capsys):
    assert publish([f"{tmp_path}/nothing", "--out", f"{tmp_path}/out"]) == 1
    assert not Path(tmp_path, "out", "nothing").exists()
    said = capsys.readouterr().err.replace(str(tmp_path), "FOLDER")
    assert said.startswith("Error: There is no run folder FOLDER/nothing: name one that")


def test_a_kept_run_of_another_recipe_is_not_replaced(tmp_path, capsys):
    published = embedded_folder() / "results" / "cpu" / "seed0"
    run, kept = tmp_path / "runs" / "mine", tmp_path / "kept" / "cpu" / "seed0"
    shutil.copytree(published, kept)
    shutil.copytree(published, run)
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    record["config"]["sft_steps"] = 7
    (run / "run.json").write_text(json.dumps(record))
    before = (kept / "run.json").read_bytes()
    assert publish([str(run), "--out", str(tmp_path / "kept")]) == 1
    assert "another recipe (sft_steps 200, here 7)" in capsys.readouterr().err
    assert (kept / "run.json").read_bytes() == before
