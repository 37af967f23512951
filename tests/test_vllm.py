"""TRL's own way to vLLM, in one process and in two: each episode gets the tokens made for it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from trl import GRPOConfig

TESTS = Path(__file__).parent
PATH = os.pathsep.join([str(TESTS.parent), str(TESTS)])  # for programs of their own


# vLLM itself needs CUDA. What can go wrong before it does not: TRL gathers the prompts of all
# processes, sends them in one call, and gives each process its slice of the completions, by the
# number of its own prompts. So everything of TRL is real here, collectives, slices, synchronised
# weights and importance sampling; only the two objects that TRL drives are stand-ins, a server's
# client and an engine in the process. Both generate with a copy of the model that gets its weights
# from TRL alone.

# The model is untrained and scripted: it makes calls, ends some of its episodes early, and what it
# writes depends on everything that it has read. One process runs the program below, and two.


SETUP = """
import copy, json, os, sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import torch
import trl.generation.vllm_generation as vllm_generation
import trl.trainer.grpo_trainer as grpo_trainer
from transformers import Qwen3ForCausalLM

from sqlenv.adapter import factory, rows
from sqlenv.data import load_questions
from sqlenv.grpo import make_trainer
from sqlenv.training.config import from_dict
from sqlenv.training.engine import Engine
from sqlenv.training.models import quiet, tiny_config, tiny_tokenizer
from sqlenv.training.ranks import destroy_group
from sqlenv.training.rollout import Sampling, begin_rollouts
from scripted import scripted_model

quiet()
questions = load_questions("dev")[:12]
tokenizer = tiny_tokenizer([q.question for q in load_questions("train")[:200]], 512)
tables = sorted({t for q in questions for t in q.tables})
examples = {
    "describe": tables,
    "query": [f"SELECT COUNT(*) FROM {t}" for t in tables] + ["SELECT name FROM nowhere"],
    "answer": ["42", "7", "unknown"],
    "": ["I do not know", "Done."],
}
tools = {"describe": 2, "query": 2, "answer": 0.5, "": 0.3}
model = scripted_model(tokenizer, tools, examples, loudness=2.5, seed=58)
"""


# `SamplingParams` is a dataclass with the fields that vLLM's has, and like vLLM's it refuses any
# other. The client takes the arguments of TRL's `VLLMClient.generate`, the engine those of vLLM's
# `LLM.generate`.


STAND_IN = """
@dataclass
class SamplingParams:
    n: int
    repetition_penalty: float
    temperature: float
    top_p: float
    top_k: int
    min_p: float
    max_tokens: int
    logprobs: int


class OneTurn:
    def __init__(self, prompt, most):
        self.read, self.max_new_tokens = prompt, most
        self.new, self.logps = [], []

    def reply(self, new, logps):
        self.new, self.logps = new, logps


class Served:
    "A model behind vLLM's interfaces."

    def __init__(self, model):
        self.model, self.greedy, self.rows = copy.deepcopy(model), False, []

    def turns(self, prompts, params):
        self.rows.append(len(prompts))
        turns = [OneTurn(p, params.max_tokens) for p in prompts]
        temperature = 0.0 if self.greedy else params.temperature
        Engine(self.model, tokenizer.eos_token_id, temperature, 8).run(turns)
        return turns

    def load_weights(self, named):
        with torch.no_grad():
            for name, weights in named:
                self.model.get_parameter(name).copy_(weights)

    def reset_prefix_cache(self):
        pass


class Client(Served):
    "In place of TRL's `VLLMClient`."

    def get_server_info(self):
        return dict(model_config=dict(logprobs_mode="processed_logprobs"))

    def update_named_params(self, metadata, named):
        self.load_weights(named)

    def generate(
        self, prompts, features, structured_outputs_regex, generation_kwargs, **params
    ):
        turns = self.turns(prompts, SamplingParams(**params | generation_kwargs))
        return dict(
            prompt_ids=prompts,
            completion_ids=[t.new for t in turns],
            logprobs=[[[x] for x in t.logps] for t in turns],
        )


class Colocated(Served):
    "In place of vLLM's `LLM`."

    def __init__(self, model):
        super().__init__(model)
        runner = SimpleNamespace(model=self)
        worker = SimpleNamespace(model_runner=runner)
        executor = SimpleNamespace(driver_worker=worker)
        self.llm_engine = SimpleNamespace(model_executor=executor)

    def generate(self, prompts, sampling_params, use_tqdm):
        asked = [p["prompt_token_ids"] for p in prompts]
        found = []
        for ids, turn in zip(asked, self.turns(asked, sampling_params), strict=True):
            logprobs = [
                {i: SimpleNamespace(rank=1, logprob=x)}
                for i, x in zip(turn.new, turn.logps, strict=True)
            ]
            output = SimpleNamespace(token_ids=turn.new, logprobs=logprobs)
            found.append(SimpleNamespace(prompt_token_ids=ids, outputs=[output]))
        return found


class Generation(vllm_generation.VLLMGeneration):
    "TRL's own, where it does not start vLLM."

    def _init_vllm(self):
        if self.mode == "colocate":
            self.llm = Colocated(self.model)
        elif self.accelerator.is_main_process:
            self.vllm_client = Client(self.model)


vllm_generation.SamplingParams = SamplingParams
grpo_trainer.VLLMGeneration = Generation
"""


# Each process plays its part of the questions greedily, then all of them sampled. At last a model
# without a script trains two steps, for a reward that varies.


RUN = """
mode, out = sys.argv[1], Path(sys.argv[2])
rank, ranks = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
values = dict(prompts=6, group=2, grpo_steps=2, budget=6, max_new_tokens=24, max_completion=450)
values |= dict(slots=4, use_vllm=True, vllm_mode=mode, threads=1, marks=False)


def trainer_for(model, **more):
    c = from_dict(values | more)
    rewards = [varied] if "grpo_lr" in more else None
    return make_trainer(c, model, tokenizer, questions, None, out / "t", reward_funcs=rewards)


def varied(completion_ids, **kwargs):
    return [sum(ids) % 7.0 for ids in completion_ids]


def engine_of(trainer):
    served = trainer.vllm_generation
    return getattr(served, "llm", None) or getattr(served, "vllm_client", None)


rollouts = begin_rollouts(tokenizer, factory(budget=6), questions, Sampling(0.0, 24, 450))
Engine(model, tokenizer.eos_token_id, 0.0, 4).run(rollouts)
alone = {p.episode.question.question_id: p for p in rollouts}
questions.sort(key=lambda q: alone[q.question_id].turns)  # the last process plays longer

trainer = trainer_for(model)
served = engine_of(trainer)
if served:
    served.greedy = True
mine = questions[rank * len(questions) // ranks : (rank + 1) * len(questions) // ranks]
got = trainer.rollout_func([r["prompt"] for r in rows(mine)], trainer)
right = []
for q, ids, mask in zip(got["question_id"], got["completion_ids"], got["env_mask"], strict=True):
    right.append(ids == alone[q].completion and mask == alone[q].mask)

trainer = trainer_for(model)
torch.manual_seed(rank)
got = trainer.rollout_func([r["prompt"] for r in rows(mine)], trainer)
worst = 0.0
for p in trainer.rollout_func.rollouts:
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([p.prompt + p.completion])).logits[0]
    own = torch.log_softmax(logits.float(), -1)[len(p.prompt) - 1 : -1]
    own = own.gather(1, torch.tensor([p.completion]).T)[:, 0]
    off = (own - torch.tensor(p.logps)).abs() * torch.tensor(p.mask)
    worst = max(worst, off.max().item())

trainer = trainer_for(Qwen3ForCausalLM(tiny_config(tokenizer, 32, 1, 2, 16)), grpo_lr=1e-2)
trainer.train()
report = dict(
    right=right,
    turns=[alone[q.question_id].turns for q in mine],
    rows=served.rows if served else [],
    off=worst,
    log=[h for h in trainer.state.log_history if "reward" in h],
)
(out / f"{mode}-{ranks}-{rank}.json").write_text(json.dumps(report))
destroy_group()
os._exit(0)  # threads of gloo may abort a process that ends by itself
"""


LAUNCH = """
import socket, traceback

run = compile(Path(sys.argv[2]).read_text(), "run.py", "exec")
for mode, ranks in json.loads(sys.argv[1]):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    children = []
    for rank in range(ranks):
        child = os.fork()  # before anything was computed: imports are all that it shares
        if child == 0:
            try:
                if ranks > 1:
                    at = dict(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
                    at |= dict(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(ranks))
                    os.environ.update(at)
                sys.argv[1:] = [mode, sys.argv[3]]
                exec(run, globals())
            except BaseException:
                traceback.print_exc()
            os._exit(1)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * ranks, (mode, ranks)
"""


WAYS = [("colocate", 1), ("server", 1), ("server", 2), ("colocate", 2)]


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    "What each process reports, of each way: all are forked from one that has imported everything"
    folder = tmp_path_factory.mktemp("vllm")
    (folder / "program.py").write_text(SETUP + STAND_IN + LAUNCH)
    (folder / "run.py").write_text(RUN)
    env = os.environ | dict(
        ACCELERATE_USE_CPU="true",
        OMP_NUM_THREADS="1",
        PYTHONPATH=PATH,
        TRL_EXPERIMENTAL_SILENCE="1",
    )
    arguments = [json.dumps(WAYS), str(folder / "run.py"), str(folder)]
    done = subprocess.run(
        [sys.executable, str(folder / "program.py"), *arguments],
        env=env,
        capture_output=True,
        text=True,
        timeout=3000,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return {
        (mode, ranks): [
            json.loads((folder / f"{mode}-{ranks}-{rank}.json").read_text())
            for rank in range(ranks)
        ]
        for mode, ranks in WAYS
    }


EACH = pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}-{way[1]}")


@EACH
def test_greedy_episodes_are_those_of_our_engine(reports, way):
    "Token by token, in every process"
    for rank, r in enumerate(reports[way]):
        assert all(r["right"]), rank


def living(turns):
    "Episodes that are not over, turn by turn."
    return [sum(t > i for t in turns) for i in range(max(turns))]


@pytest.fixture(scope="module")
def unlike(reports):
    "The episodes of two processes that are not over, which differ turn by turn"
    one, two = (living(r["turns"]) for r in reports["server", 2])
    assert len(one) != len(two)
    assert any(a != b for a, b in zip(one, two, strict=False))
    return one, two


def test_the_last_process_to_finish_has_others_that_fill_the_call_up(reports, unlike):
    one, two = unlike
    more, less = sorted((one, two), key=len, reverse=True)
    less = less + [0] * (len(more) - len(less))
    assert reports["server", 2][0]["rows"] == [
        2 * max(pair) for pair in zip(more, less, strict=True)
    ]
    assert reports["server", 2][1]["rows"] == []  # only the first process talks to the server


def test_a_process_with_an_engine_of_its_own_waits_for_nobody(reports, unlike):
    assert [r["rows"] for r in reports["colocate", 2]] == [*unlike]


@EACH
def test_sampled_episodes_have_the_models_own_log_probabilities(reports, way):
    "So no episode got those of another"
    assert max(r["off"] for r in reports[way]) < 1e-4


def test_trls_importance_sampling_keeps_its_default():
    """TRL weighs each episode by the ratio of its own probabilities and vLLM's.

    It leaves out those beyond its bound, by default over the whole episode.
    """
    assert GRPOConfig.vllm_importance_sampling_mode == "sequence_mask"
    assert GRPOConfig.vllm_importance_sampling_correction


MEAN, MOST = "sampling/importance_sampling_ratio/mean", "sampling/sampling_logp_difference/max"


@EACH
def test_the_ratio_is_one_in_every_step(reports, way):
    "The log-probabilities belong to their tokens, after the weights have changed too"
    first = reports[way][0]
    assert len(first["log"]) == 2
    assert any(row["grad_norm"] > 0 for row in first["log"])
    for row in first["log"]:
        assert abs(row[MEAN] - 1) < 1e-3 and row[MOST] < 1e-3
