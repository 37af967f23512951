"""A training with trackio, with TensorBoard, and without either has the same numbers.

`make test-extra EXTRA=track` runs these, as they need both packages. Neither asks for an account or
for a network.
"""

import json
from importlib.util import find_spec

import pytest
from IPython.utils.capture import capture_output

from sqlenv.data import load_questions
from sqlenv.grpo import train_grpo
from sqlenv.sft import start_model, train_sft
from sqlenv.training.config import from_dict
from sqlenv.training.demonstrations import demonstrate
from sqlenv.training.models import quiet
from sqlenv.training.tracking import run_name
from sqlenv.workflow.pipeline import untimed_metrics

MISSING = [name for name in ("trackio", "tensorboard") if find_spec(name) is None]
pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {MISSING}; make test-extra"),
]

small = dict(
    model="tiny", hidden=64, vocab=400, sft_steps=4, sft_batch=2, prompts=2, group=2, grpo_steps=2
)
small |= dict(max_new_tokens=8, max_completion=200, save_every=1, eval_size=2, generated=0)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Run folder, configuration and weights of a training with each tracker.

    A small model, a few steps of SFT and two of GRPO, in run folders as `sqlenv train` makes them.
    """
    quiet()
    tmp = tmp_path_factory.mktemp("trackers").resolve()
    conversations, _ = demonstrate(load_questions("dev")[:4])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRACKIO_DIR", str(tmp / "trackio"))  # read when trackio is imported
        trackers = ("none", "trackio", "tensorboard")
        return {t: train(t, tmp / "runs" / t, conversations) for t in trackers}


def train(tracker, run, conversations):
    "The run folder, the configuration, the weights and the files of a training with this tracker"
    c = from_dict(small | dict(report_to=tracker))
    run.mkdir(parents=True)
    about = dict(profile="cpu", started="2026-11-22T15:08:29+00:00")
    (run / "run.json").write_text(json.dumps(about))
    with capture_output():
        model, tokenizer = start_model(c, conversations)
        train_sft(c, model, tokenizer, conversations, run / "sft")
        trainer = train_grpo(c, run / "sft", None, run)
    files = sorted(p.name for p in run.iterdir())
    return run, c, trainer.model.state_dict(), files


@pytest.mark.parametrize("tracker", ["trackio", "tensorboard"])
def test_a_tracker_changes_no_number(runs, tracker):
    (without, _, weights, _), (run, _, its_weights, _) = runs["none"], runs[tracker]
    assert untimed_metrics(run) == untimed_metrics(without)
    assert all((its_weights[k] == weights[k]).all() for k in weights)


def test_a_tracker_with_a_folder_of_its_own_writes_nothing_into_the_run(runs):
    assert runs["none"][3] == runs["trackio"][3]


def test_trackio_holds_each_stage_under_a_name_of_its_own(runs):
    "And the rewards of `metrics.jsonl`"
    from trackio.sqlite_storage import SQLiteStorage

    run, c, *_ = runs["trackio"]
    sft, grpo = (run_name(run, c, stage) for stage in ("sft", "grpo"))
    assert sorted(SQLiteStorage.get_runs("sqlenv")) == sorted([sft, grpo])
    logs = SQLiteStorage.get_logs("sqlenv", grpo)
    rewards = [row["train/reward"] for row in logs if "train/reward" in row]
    assert rewards == [row["reward"] for row in untimed_metrics(run)]


def test_tensorboard_holds_the_rewards(runs):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    run, c, *_ = runs["tensorboard"]
    held = EventAccumulator(str(run / "tensorboard" / run_name(run, c, "grpo"))).Reload()
    rewards = [event.value for event in held.Scalars("train/reward")]
    assert rewards == [row["reward"] for row in untimed_metrics(run)]
