"""TRL trains through a served environment: its own trainer, OpenEnv's client, a real server.

`make test-extra EXTRA=serve` runs it.
"""

import re
import subprocess
import sys
from types import SimpleNamespace

import pytest

pytest.importorskip("openenv", reason="needs sqlenv[serve] beside sqlenv[train]")
pytest.importorskip("trl", reason="needs sqlenv[train] beside sqlenv[serve]")

import torch
from datasets import Dataset
from nbdev.config import get_config
from trl import GRPOConfig, GRPOTrainer

from sqlenv.adapter import prompt, template_options, tool_of
from sqlenv.integrations.openenv import SQLEnvClient
from sqlenv.training.models import load_model

AGENT = get_config().config_path / "data" / "models" / "agent" / "model"


@pytest.fixture(scope="module")
def url():
    "The address of a server in a process of its own"
    command = [sys.executable, "-m", "sqlenv.workflow.cli", "serve", "--port", "0"]
    command += ["--marks", "--step-rewards"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield re.search(r"http://\S+", process.stdout.readline())[0]
        finally:
            process.kill()


def environment(url):
    "The class that a trainer is given: the tools of training, and the server acts"

    class Served:
        made, _strict = [], False
        describe, sample = tool_of("DESCRIBE"), tool_of("SAMPLE")
        query, answer = tool_of("QUERY"), tool_of("ANSWER")

        def __init__(self):
            self._client, self._earned, self._steps = SQLEnvClient(url).sync(), 0.0, 0
            self.env = SimpleNamespace(step=self._step, observe=lambda: self._seen)
            self.made.append(self)

        def reset(self, question_id, **row):
            result = self._client.reset(question_id=question_id)
            self._earned, self._seen = result.reward, result.observation

        def _step(self, action):
            result = self._client.step(action)
            self._earned, self._steps = self._earned + result.reward, self._steps + 1
            self._seen = result.observation
            return self._seen

        def _count(self, malformed):
            "The server keeps no count of calls"

    return Served


def earned(environments, **columns):
    "What the server has paid for each episode"
    return [e._earned for e in environments]


def test_trl_trains_through_a_served_environment(url, tmp_path):
    torch.set_num_threads(1)
    questions = []
    with SQLEnvClient(url).sync() as env:
        for seed in range(2):
            text = env.reset(seed=seed).observation.text
            row = dict(question_id=env.state().question_id)
            questions.append(row | dict(prompt=prompt(text, **row)))
    served, (model, tokenizer) = environment(url), load_model(str(AGENT))
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    config = GRPOConfig(
        str(tmp_path),
        max_steps=2,
        per_device_train_batch_size=4,
        num_generations=4,
        learning_rate=1e-4,
        max_completion_length=440,
        max_tool_calling_iterations=3,
        generation_kwargs=dict(max_new_tokens=112),
        chat_template_kwargs=template_options(tokenizer),
        save_strategy="no",
        logging_steps=1,
        report_to="none",
        use_cpu=True,
    )
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        args=config,
        train_dataset=Dataset.from_list(questions),
        reward_funcs=earned,
        environment_factory=served,
    )
    trainer.train()
    log = [row for row in trainer.state.log_history if "reward" in row]
    print([(round(row["reward"], 3), round(row["reward_std"], 3)) for row in log])
    assert len(log) == 2 and any(row["reward_std"] > 0 for row in log)
    assert sum(e._steps for e in served.made) >= 8  # tools were called on the server
    moved = [n for n, p in model.named_parameters() if not torch.equal(p, before[n])]
    assert moved
