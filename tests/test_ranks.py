"""Two processes train what one trains; they end together, and any number of them goes on."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import pytest
import torch
from IPython.utils.capture import capture_output

from sqlenv.data import embedded_folder, load_questions
from sqlenv.grpo import train_grpo, train_on_ranks
from sqlenv.sft import start_model, train_sft
from sqlenv.training.config import from_dict
from sqlenv.training.demonstrations import demonstrate
from sqlenv.training.models import load_model
from sqlenv.training.monitor import TIMED, read_metrics
from sqlenv.training.plots import read_evals
from sqlenv.training.preflight import last_checkpoint
from sqlenv.training.ranks import RankError, first_failure

# A reward function that notes which questions its rank was asked


NOTED = """
import json
import os
from pathlib import Path

import torch

from sqlenv.training.ranks import rank


def earned(environments, trainer_state, question_id, **kwargs):
    folder, step = Path(os.environ["NOTES"]), trainer_state.global_step
    (folder / f"pid_{rank()}").write_text(str(os.getpid()))
    with (folder / f"asked_{rank()}.jsonl").open("a") as f:
        f.write(json.dumps([step, question_id]) + "\\n")
    if rank() == 1 and step == 1 and (folder / "no_memory").exists():
        (folder / "no_memory").unlink()
        raise torch.OutOfMemoryError("provoked")
    return [e.episode.reward.total for e in environments]
"""


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    "A folder with a small model, barely trained"
    out = tmp_path_factory.mktemp("ranks")
    torch.set_num_threads(1)
    (out / "noted.py").write_text(NOTED)
    conversations, _ = demonstrate(load_questions("train")[:64])
    c = small(out)
    model, tokenizer = start_model(c, conversations)
    with capture_output():
        train_sft(c, model, tokenizer, conversations, out / "sft")
    return out


def small(out, ranks=1):
    "Two passes a step in each of two ranks, four in one process"
    return from_dict(
        dict(
            model="tiny",
            hidden=64,
            vocab=400,
            sft_steps=30,
            sft_batch=4,
            sft_lr=4e-3,
            muon_lr=0.0,
            learn_mistakes=True,
            marks=False,
            prompts=4,
            group=4,
            grpo_steps=6,
            grpo_lr=1e-3,
            micro_batch=4,
            max_new_tokens=24,
            max_completion=96,
            save_every=2,
            threads=1,
            eval_steps=3,
            eval_size=3,
            ranks=ranks,
            reward_funcs=[f"{out / 'noted.py'}:earned"],
        )
    )


def trained(run, ranks):
    "Train, or go on; what is printed"
    out, c = run.parent, small(run.parent, ranks)
    run.mkdir(exist_ok=True)
    for part, place in (("sft", out / "sft"), ("data", embedded_folder())):
        if not (run / part).exists():
            (run / part).symlink_to(place)
    with capture_output() as said, patch.dict(os.environ, NOTES=str(run)):  # figures too
        if ranks > 1:
            train_on_ranks(c, run)
        else:
            train_grpo(c, run / "sft", run / "data", run)
    return said.stdout


def weights(run, stage="grpo"):
    return load_model(str(run / stage))[0].state_dict()


def apart(run, other):
    "The greatest difference between the weights of two runs"
    a, b = weights(run), weights(other)
    return max((a[k] - b[k]).abs().max().item() for k in a)


def curve(run):
    "The metrics of a run but for times"
    return [{k: v for k, v in m.items() if k not in TIMED} for m in read_metrics(run)]


def asked(run, rank):
    "The questions of a rank, by step"
    return [json.loads(line) for line in (run / f"asked_{rank}.jsonl").open()]


def untimed(said):
    "What is said without the seconds left, line by line"
    return [line.rpartition(",")[0] if " s left" in line else line for line in said.splitlines()]


@pytest.fixture(scope="module")
def one(out):
    "The run of one process, and what it printed"
    return out / "one", trained(out / "one", 1)


@pytest.fixture(scope="module")
def two(out):
    "The run of two ranks, and what they printed"
    return out / "two", trained(out / "two", 2)


def test_the_first_rank_is_asked_the_first_half_of_each_step(one, two):
    parts = zip(asked(two[0], 0), asked(two[0], 1), strict=True)
    together = [[step, first + second] for (step, first), (_, second) in parts]
    assert together == asked(one[0], 0)


def test_two_ranks_have_the_weights_of_one_process(one, two):
    "Beside how far they have moved from the model after SFT"
    before, after = weights(one[0], "sft"), weights(one[0])
    moved = max((after[k] - before[k]).abs().max().item() for k in after)
    assert apart(one[0], two[0]) < 1e-5 < moved / 100


def test_two_ranks_have_the_metrics_of_one_process(one, two):
    "But for the entropy: TRL logs a mean over passes, which hold other episodes here"
    for a, b in zip(curve(one[0]), curve(two[0]), strict=True):
        assert a.keys() == b.keys()
        compared = a.keys() - {"entropy"}
        off = {k: (a[k], b[k]) for k in compared if abs(a[k] - b[k]) > 1e-4 * max(1, abs(a[k]))}
        assert not off, off


def test_two_ranks_have_the_evaluations_of_one_process(one, two):
    assert read_evals(one[0]) == read_evals(two[0])
    assert [e["step"] for e in read_evals(two[0])] == [0, 3, 6]


def test_every_line_is_printed_once(one, two):
    "By the first rank: what one process prints, times and the greeting aside"
    assert untimed(two[1])[1:] == untimed(one[1])


@pytest.mark.parametrize("name", ["metrics.jsonl", "evals.jsonl"])
def test_every_row_is_written_once(two, name):
    steps = [json.loads(line)["step"] for line in (two[0] / name).open()]
    assert steps == sorted(set(steps))


@pytest.fixture(scope="module")
def killed(out):
    "`kill -9` of the second rank after the third step"
    run = out / "killed"
    run.mkdir()
    with ThreadPoolExecutor(1) as thread:
        job = thread.submit(trained, run, 2)
        while not job.done() and max([m["step"] for m in read_metrics(run)], default=0) < 3:
            time.sleep(0.05)
        first, second = (int((run / f"pid_{r}").read_text()) for r in (0, 1))
        os.kill(second, signal.SIGKILL)
        error = job.exception()
    return run, first, error, last_checkpoint(run / "checkpoints")


def test_all_ranks_end_with_one_that_is_killed(killed):
    "With one sentence"
    run, first, error, checkpoint = killed
    assert type(error) is RankError
    with pytest.raises(ProcessLookupError, match="No such process"):
        os.kill(first, 0)
    assert Path(checkpoint).name == "checkpoint-2"


def test_an_error_that_is_half_written_is_passed_over(tmp_path):
    "A rank may be ended while it writes why it fails"
    written = json.dumps(dict(message=dict(message="ValueError: too long")))
    for rank, text in (("0", ""), ("1", written[:20]), ("2", written)):
        (tmp_path / rank).mkdir()
        (tmp_path / rank / "error.json").write_text(text)
    said = "Root Cause (first observed failure):\n  rank      : 1 (local_rank: 1)\n"
    said += "  exitcode  : -9 (pid: 1)\n"
    assert str(first_failure(tmp_path, said)) == "Rank 2: ValueError: too long"
    (tmp_path / "2" / "error.json").write_text("")
    assert str(first_failure(tmp_path, said)).startswith("Rank 1 ended with -9")


def test_any_number_of_ranks_goes_on_from_the_checkpoint(killed, one, two):
    """Two end with the weights of the run that was left alone, to the bit.

    Here torchrun starts them, as on GPUs; all others are forked.
    """
    run = killed[0]
    alone = run.parent / "alone"
    shutil.copytree(run, alone, symlinks=True)
    with patch.object(sys, "platform", "darwin"):
        assert "resuming from checkpoint-2" in trained(run, 2)
    assert "resuming from checkpoint-2" in trained(alone, 1)
    assert curve(run) == curve(two[0])
    assert apart(run, two[0]) == 0.0
    assert apart(alone, one[0]) < 1e-5


def test_all_go_on_with_smaller_passes_when_one_runs_out_of_memory(out, one):
    "The second rank does in the second step, once; the weights are those of the first run"
    run = out / "scarce"
    run.mkdir()
    (run / "no_memory").touch()
    said = trained(run, 2)
    gone = "rank 1 ran out of memory in step 2; continuing with 2 episodes in a pass, 4 passes"
    assert gone in said
    assert apart(run, one[0]) < 1e-5


SLEEPY = """
import os, time
from sqlenv.training.ranks import rank

def sleep(folder, config):
    (folder / f"pid_{rank()}").write_text(str(os.getpid()))
    time.sleep(600)
"""


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("platform", ["linux", "darwin"])  # forked, and by torchrun
def test_ranks_end_when_the_process_that_started_them_is_killed(tmp_path, platform):
    (tmp_path / "sleepy.py").write_text(SLEEPY)
    start = f"""
import sys
from pathlib import Path
import torch  # before the platform is another one
from sqlenv.training.ranks import run_ranks

sys.platform = {platform!r}
run_ranks("sleepy:sleep", [{str(tmp_path)!r}], 2, Path({str(tmp_path / "errors.log")!r}))
"""
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    parent = subprocess.Popen([sys.executable, "-c", start], env=os.environ | dict(PYTHONPATH=path))
    pids = [tmp_path / f"pid_{r}" for r in (0, 1)]
    while not all(p.exists() and p.read_text() for p in pids):
        assert parent.poll() is None
        time.sleep(0.05)
    parent.kill()
    parent.wait()
    while any(alive(int(p.read_text())) for p in pids):  # they have 600 seconds
        time.sleep(0.05)
