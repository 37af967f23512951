"""Two processes, each with half of every matrix, play what one process plays with all of them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from accelerate.commands.config.config_args import load_config_from_file
from accelerate.utils import DeepSpeedPlugin, FullyShardedDataParallelPlugin

from sqlenv.training.config import profiles_folder

TESTS = Path(__file__).parent
PATH = os.pathsep.join([str(TESTS.parent), str(TESTS)])  # for programs of their own

PROGRAM = """
import sys

import torch
import torch.distributed as dist
import trl.chat_template_utils  # which a rollout imports
from torch.distributed.device_mesh import init_device_mesh
from accelerate import Accelerator
from accelerate.utils import DistributedType, FullyShardedDataParallelPlugin
from torch.distributed.fsdp import fully_shard

from sqlenv.adapter import factory
from sqlenv.data import load_questions
from sqlenv.training.preflight import check_sharing
from sqlenv.training.config import TrainConfig
from sqlenv.training.engine import Engine
from sqlenv.training.models import tiny_tokenizer
from sqlenv.training.ranks import fork_ranks, destroy_group
from sqlenv.training.rollout import Sampling, begin_rollouts
from scripted import scripted_model


def work():
    questions = load_questions("dev")[:7]
    tokenizer = tiny_tokenizer([q.question for q in load_questions("train")[:200]], 512)
    tables = sorted({t for q in questions for t in q.tables})
    examples = {"describe": tables, "answer": ["42", "7"]}
    model = scripted_model(tokenizer, {"describe": 2, "answer": 1}, examples, loudness=2.5, seed=52)

    def played(asked):
        rollouts = begin_rollouts(tokenizer, factory(budget=5), asked, Sampling(0.0, 24, 450))
        Engine(model, tokenizer.eos_token_id, 0.0, 4).run(rollouts)
        return [p.completion for p in rollouts]

    alone = played(questions)
    whole = {name: w.clone() for name, w in model.state_dict().items()}
    dist.init_process_group("gloo")
    mesh = init_device_mesh("cpu", (2,))
    for layer in model.model.layers:
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    mine = slice(0, 2) if dist.get_rank() == 0 else slice(2, 7)

    def in_parts():
        return all(p.to_local().numel() < p.numel() for p in model.parameters())

    assert in_parts()
    assert played(questions[mine]) == alone[mine]
    assert in_parts()  # as before, so a training step can follow
    model.train()
    model(input_ids=torch.ones(1, 4, dtype=torch.long)).logits.sum().backward()
    assert any(p.grad is not None and p.grad.to_local().abs().sum() > 0 for p in model.parameters())
    assert played([]) == []  # a process may have nothing to play

    accelerator = Accelerator(cpu=True)  # does not take FSDP without GPUs, so it is told
    accelerator.state._shared_state["distributed_type"] = DistributedType.FSDP
    accelerator.state._shared_state["fsdp_plugin"] = FullyShardedDataParallelPlugin(fsdp_version=2)
    assert check_sharing(TrainConfig(weight_averaging=0.0), accelerator)
    saved = accelerator.get_state_dict(model)
    assert dist.get_rank() or all(torch.equal(saved[name], w) for name, w in whole.items())
    # in one write, as two processes print
    print(f"{len(questions[mine])} played\\n", end="", flush=True)
    destroy_group()


fork_ranks(work, "2", sys.argv[1])
"""


def test_two_processes_play_what_one_plays(tmp_path):
    """On processors and over gloo, as accelerate switches FSDP2 on for GPUs only.

    So the model is shared out with PyTorch's `fully_shard` itself. One process plays two
    conversations and the other five: were the weights gathered at every forward pass, the second
    would wait for the first for ever. Both are forked from a process that has imported everything.
    """
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, str(file), str(tmp_path / "logs")],
        env=os.environ | dict(OMP_NUM_THREADS="1", PYTHONPATH=PATH),
        capture_output=True,
        text=True,
        timeout=3000,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert sorted(done.stdout.splitlines()) == ["2 played", "5 played"]


def plugin_of(read):
    "What accelerate makes of a file: it refuses names and values that it does not know."
    if read.deepspeed_config:
        return DeepSpeedPlugin(**read.deepspeed_config)
    given = {k.removeprefix("fsdp_"): v for k, v in read.fsdp_config.items()}
    given["fsdp_version"], given["cpu_offload"] = given.pop("version"), given.pop("offload_params")
    return FullyShardedDataParallelPlugin(**given)


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize(
    "file", sorted((profiles_folder() / "accelerate").glob("*.yml")), ids=lambda p: p.stem
)
def test_accelerate_reads_its_configurations(file):
    "By its own reader and by the classes that it makes of them"
    read = load_config_from_file(str(file))
    plugin = plugin_of(read)
    assert (read.mixed_precision, read.num_machines) == ("bf16", 1)
    if type(plugin).__name__ == "DeepSpeedPlugin":
        zero = plugin.deepspeed_config["zero_optimization"]
        assert zero["stage"] == (2 if file.stem == "zero2" else 3)
        offloaded = zero["offload_optimizer"]["device"] == "cpu"
        assert offloaded == file.stem.endswith("offload")
    else:
        assert (plugin.fsdp_version, plugin.reshard_after_forward) == (2, True)
