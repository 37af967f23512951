"""A run that is killed goes on as if nothing had happened; every profile trains a saved Qwen3."""

import dataclasses
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import redirect_stdout
from pathlib import Path
from unittest.mock import patch

import pytest
import torch
from transformers import TrainerCallback

import sqlenv.grpo as grpo
from sqlenv.analysis import splits
from sqlenv.data import FINAL_SPLITS, data_folder, load_questions
from sqlenv.datasets.folders import ANSWERS
from sqlenv.grpo import make_trainer, train_grpo
from sqlenv.sft import start_model, train_sft, training_folder
from sqlenv.training import callbacks
from sqlenv.training.config import from_dict, load_profile, profiles_folder
from sqlenv.training.demonstrations import demonstrate
from sqlenv.training.models import load_model
from sqlenv.training.monitor import TIMED, read_metrics
from sqlenv.training.plots import read_evals
from sqlenv.training.preflight import last_checkpoint
from sqlenv.training.record import foreign_files

small = from_dict(
    dict(
        model="tiny",
        hidden=64,
        vocab=400,
        sft_steps=30,
        sft_batch=4,
        prompts=2,
        group=4,
        grpo_steps=6,
        max_new_tokens=24,
        max_completion=96,
        save_every=2,
        threads=1,
        eval_steps=2,
        eval_size=1,
        reward_funcs=[f"{Path(__file__).with_name('varied.py')}:varied"],
    )
)


@pytest.fixture(scope="module")
def asked():
    return load_questions("train")[:64]


@pytest.fixture(scope="module")
def conversations(asked):
    return demonstrate(asked)[0]


@pytest.fixture(scope="module")
def out(tmp_path_factory, conversations):
    """A folder with a small model, saved as `save_pretrained` leaves it.

    It is barely trained, so few of its turns are calls.
    """
    torch.set_num_threads(1)
    out = tmp_path_factory.mktemp("training")
    model, tokenizer = start_model(small, conversations)
    train_sft(small, model, tokenizer, conversations, out / "sft")
    return out


class Interrupt(TrainerCallback):
    "Ctrl-C in the second step."

    def on_step_end(self, args, state, control, **kwargs):
        if state.global_step == 2:
            raise KeyboardInterrupt


@pytest.mark.parametrize("processes", [1, 2])
def test_what_an_interrupted_warm_up_leaves_is_known_as_its_own(tmp_path, conversations, processes):
    config = dataclasses.replace(small, processes=processes)
    model, tokenizer = start_model(config, conversations)
    with pytest.raises(KeyboardInterrupt):
        train_sft(config, model, tokenizer, conversations, tmp_path / "sft", [Interrupt()])
    assert list(tmp_path.rglob("*.arrow"))
    assert foreign_files(tmp_path) == []


program = """
import json, os, sys, torch
from pathlib import Path
from trl import GRPOTrainer  # which a training imports
from sqlenv.training.config import from_dict
from sqlenv.data import data_folder
from sqlenv.grpo import train_grpo
torch.set_num_threads(1)
for line in sys.stdin:
    pid = os.fork()  # before anything was computed: imports are all that it shares
    if not pid:
        os.dup2(2, 1)
        config, start, run = json.loads(line)
        train_grpo(from_dict(config), Path(start), data_folder(None), Path(run))
        os._exit(0)
    print(pid, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


def killed_at(launcher, run, step):
    "Start a run and kill it in the step after this one; its exit code"
    run.mkdir(exist_ok=True)
    job = [dataclasses.asdict(small), str(run.parent / "sft"), str(run)]
    print(json.dumps(job), file=launcher.stdin, flush=True)
    pid = int(launcher.stdout.readline())
    while max([m["step"] for m in read_metrics(run)], default=0) < step:
        os.kill(pid, 0)  # raises if it has ended
        time.sleep(0.02)
    os.kill(pid, signal.SIGKILL)
    return int(launcher.stdout.readline())


def finished(run, config=small):
    "Train from the last checkpoint to the end; returns what is printed."
    run.mkdir(exist_ok=True)
    with redirect_stdout(io.StringIO()) as said:
        train_grpo(config, run.parent / "sft", data_folder(None), run)
    return said.getvalue()


def curve(run):
    "The metrics of a run but for times."
    return [{k: v for k, v in m.items() if k not in TIMED} for m in read_metrics(run)]


@pytest.fixture(scope="module")
def whole(out):
    "A run that is left alone"
    finished(out / "whole")
    return out / "whole"


@pytest.fixture(scope="module")
def killed(out):
    """A run that was killed in steps 4 and 6 and then went on to its end.

    Each time in a process of its own; both are forked from one that has imported everything.
    SIGKILL leaves them no time to save anything: the run falls back to its last checkpoint. What
    goes on from there, and the run that is left alone, are played here.
    """
    run = out / "killed"
    start = [sys.executable, "-c", program]
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with subprocess.Popen(start, **pipes) as launcher:
        assert [killed_at(launcher, run, step) for step in (3, 5)] == [-signal.SIGKILL] * 2
    assert "resuming from checkpoint-4" in finished(run)
    return run


def test_a_killed_run_has_the_metrics_of_one_that_was_left_alone(killed, whole):
    assert curve(killed) == curve(whole)
    assert len({m["reward"] for m in curve(whole)}) > 1
    assert all(m["grad_norm"] > 0 for m in curve(whole))


def test_a_killed_run_has_the_evaluations_of_one_that_was_left_alone(killed, whole):
    assert read_evals(killed) == read_evals(whole)
    assert [e["step"] for e in read_evals(whole)] == [0, 2, 4, 6]


@pytest.mark.parametrize(
    ("name", "steps"),
    [("metrics.jsonl", [1, 2, 3, 4, 5, 6]), ("evals.jsonl", [0, 2, 4, 6])],
)
def test_a_killed_run_writes_no_step_twice(killed, name, steps):
    assert [json.loads(line)["step"] for line in (killed / name).open()] == steps


def test_a_killed_run_has_the_weights_of_one_that_was_left_alone(killed, whole):
    a, b = (load_model(str(run / "grpo"))[0].state_dict() for run in (whole, killed))
    assert all((a[k] == b[k]).all() for k in a)


@pytest.fixture(scope="module")
def watched(out):
    "A run of another seed, and the splits that it has read."
    read = []

    def noted(split="train", data=None):
        "Load questions, and note of which split"
        read.append(split)
        return load_questions(split, data)

    with (
        patch.object(grpo, "load_questions", noted),
        patch.object(callbacks, "load_questions", noted),
    ):
        finished(out / "watched", dataclasses.replace(small, seed=1))
    return out / "watched", read


def test_training_reads_no_split_that_the_model_is_measured_on(watched):
    _, read = watched
    assert read and not set(read) & set(FINAL_SPLITS)


def test_nothing_is_chosen_by_a_split_that_the_model_is_measured_on(out):
    def peek(split, data):
        return load_questions("eval", data)

    with (
        patch.object(callbacks, "load_questions", peek),
        pytest.raises(Exception, match="Nothing may be chosen by 'eval'"),
    ):
        finished(out / "peeks", dataclasses.replace(small, seed=2))


def test_a_run_repeats_itself_to_the_last_digit(out, whole):
    finished(out / "again")
    assert curve(out / "again") == curve(whole)


def test_another_seed_has_another_run(watched, whole):
    assert curve(watched[0]) != curve(whole)


def spoilt(*args, **kwargs):
    "A trainer whose loss is NaN in step 4"
    trainer = make_trainer(*args, **kwargs)
    right = trainer.compute_loss
    trainer.compute_loss = lambda *a, **k: (
        right(*a, **k) * (float("nan") if trainer.state.global_step == 3 else 1)
    )
    return trainer


def test_a_loss_that_is_no_number_stops_the_run_before_its_checkpoint(out, whole):
    "From the checkpoint before, the same run reaches the end as if nothing had been"
    run = out / "nan"
    run.mkdir()
    with (
        patch.object(grpo, "make_trainer", spoilt),
        pytest.raises(Exception, match="Stopped at step 4 by the gate 'not a number'"),
    ):
        train_grpo(small, out / "sft", data_folder(None), run)
    assert [m["step"] for m in read_metrics(run)] == [1, 2, 3, 4]
    assert Path(last_checkpoint(run / "checkpoints")).name == "checkpoint-2"
    assert not (run / "grpo").exists()
    assert "resuming from checkpoint-2" in finished(run)
    assert curve(run) == curve(whole)


PROFILES = sorted(p.stem for p in profiles_folder().glob("*.yml"))


def short(profile, out):
    "The configuration of a profile, cut to one step on a saved model."
    values = load_profile(profile)
    values["bf16"] = (
        values.get("bf16", False) and torch.cuda.is_available()
    )  # the Trainer takes it on a GPU only
    return from_dict(
        values
        | dict(
            model=str(out / "sft"),
            sft_steps=1,
            grpo_steps=1,
            prompts=1,
            ranks=1,
            save_every=1,
            max_new_tokens=8,
            max_completion=64,
        )
    )


def one_step(profile, out, conversations):
    "Train a step of SFT and of GRPO"
    c, run = short(profile, out), out / profile
    run.mkdir()
    model, tokenizer = start_model(c, conversations)
    train_sft(c, model, tokenizer, conversations, run / "sft")
    trainer = train_grpo(c, run / "sft", None, run)
    assert trainer.ref_model is None  # a second model in memory
    return dict(
        trained=sum(p.numel() for g in trainer.optimizer.param_groups for p in g["params"]),
        metrics=read_metrics(run)[-1]["step"],
        kl=read_metrics(run)[-1].get("kl"),
    )


@pytest.fixture(scope="module")
def built(out, conversations):
    """One step of each profile: LoRA, recomputed activations, micro batches.

    With a stand-in for its model; no hub is asked.
    """
    return {p: one_step(p, out, conversations) for p in PROFILES}


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_trains_a_step(built, profile):
    "In its first step a policy is its reference, and only `l4` has a KL term"
    made = built[profile]
    assert made["metrics"] == 1
    assert abs(made["kl"]) < 1e-3 if profile == "l4" else made["kl"] is None


def test_only_adapters_learn_with_lora(built):
    assert 0 < built["colab"]["trained"] < built["cpu"]["trained"]


def test_the_reference_of_l4_is_its_model_without_the_adapter(out, built, asked):
    "Whatever the adapter has learned: one model is in memory"
    c = short("l4", out)
    trainer = make_trainer(
        c, *load_model(str(out / "l4" / "sft")), asked[:4], None, out / "reference"
    )
    assert c.beta > 0 and trainer.ref_model is None
    ids = torch.arange(20, 60)[None]
    before = load_model(str(out / "l4" / "sft"))[0](ids).logits
    for name, p in trainer.model.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(p)
    with torch.no_grad(), trainer.model.disable_adapter():
        assert (trainer.model(ids).logits - before).abs().max().item() == 0.0
    with torch.no_grad():
        assert (trainer.model(ids).logits - before).abs().max() > 0.1


def test_a_folder_of_generated_databases_alone_is_measured(tmp_path):
    "That of the profile quick: what it shows, what it asks once, and what it measures"
    c = dataclasses.replace(from_dict(load_profile("quick")), generated=2, processes=1)
    folder = training_folder(c, tmp_path)
    train = load_questions("train", folder)
    kinds = Counter(q.kind for q in train)
    assert kinds[ANSWERS] == c.prompts * c.grpo_steps  # each is asked once
    new = {k: n for k, n in kinds.items() if k != ANSWERS and not k.startswith("depth")}
    assert set(new.values()) == {16} and len(new) == 12
    measured = splits(c, folder)
    assert {split: len(asked) for split, asked in measured.items()} == dict.fromkeys(
        ("train", "eval", "unseen"), c.eval_n
    )
    shown = {q.db_id for q in train}
    assert not shown & {q.db_id for q in measured["eval"] + load_questions("dev", folder)}
