"""The loop that plays a model behind a chat API: the oracle, and `transformers serve`."""

import json
import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from urllib.request import urlopen

import pytest
import torch
from oracle_api import OracleAPI, serve_oracle

from sqlenv import load_questions
from sqlenv.adapter import factory, prompt, run_calls, tool_schemas
from sqlenv.sft import start_model
from sqlenv.training.config import from_dict
from sqlenv.training.demonstrations import demonstrate
from sqlenv.training.models import load_model
from sqlenv.workflow.saved_models import rollout_model, run_config

PAGE = Path(__file__).parent.parent / "nbs" / "integrations" / "inspect_task.ipynb"
TRAINED = os.environ.get("SQLENV_TRAINED")
serve = pytest.mark.skipif(
    not (find_spec("fastapi") and find_spec("uvicorn")), reason="fastapi and uvicorn are needed"
)


@pytest.fixture(scope="module")
def play_simply():
    "The loop that a reader is shown; its code is taken from the page"
    cells = json.loads(PAGE.read_text(encoding="utf-8"))["cells"]
    (text,) = [s for cell in cells if "def play_simply" in (s := "".join(cell["source"]))]
    names = dict(json=json, prompt=prompt, run_calls=run_calls, tool_schemas=tool_schemas)
    exec(text, names)
    return names["play_simply"]


def client_of(url):
    "A client that takes no error for the last word"
    openai = pytest.importorskip("openai")  # here, as its import takes a second
    return openai.OpenAI(base_url=url, api_key="none", max_retries=3, timeout=60)


def test_the_oracle_is_right(play_simply):
    questions = load_questions("unseen")[:20]
    api = OracleAPI(questions)
    client, env = client_of(serve_oracle(api)), factory(budget=10)()
    played = [play_simply(client, "oracle", env, q) for q in questions]
    api.server.shutdown()
    assert {(e.correct, e.malformed) for e in played} == {(True, 0)}


@contextmanager
def served(folder):
    "The address of transformers serve with a saved model"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "transformers.cli.transformers", "serve", str(folder)]
    command += ["--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as server:
        try:
            wait_for(f"http://127.0.0.1:{port}/health", server)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.kill()


def wait_for(url, server, seconds=300):
    "Wait until a server answers"
    for _ in range(seconds):
        assert server.poll() is None, "the server has ended"
        try:
            return urlopen(url)
        except OSError:
            time.sleep(1)
    raise AssertionError(f"no answer from {url}")


def said_here(model, tokenizer, messages, n):
    "The greedy turn of a model that is loaded here"
    ids = tokenizer.apply_chat_template(
        messages, tools=tool_schemas(), add_generation_prompt=True, return_tensors="pt"
    )["input_ids"]
    with torch.no_grad():
        new = model.generate(ids, max_new_tokens=n, do_sample=False)[0, ids.shape[1] :]
    return tokenizer.decode(new, skip_special_tokens=True).strip()


@serve
def test_a_real_server_says_what_the_model_says_here(tmp_path, play_simply):
    """`transformers serve` with a small, untrained model of the project's architecture.

    Its first turn is, to the token, what the model says here when it reads the same messages and
    tools, and its conversations run to their end.
    """
    folder = tmp_path / "model"
    small = from_dict(dict(model="tiny", hidden=64, vocab=400, threads=1))
    questions, env = load_questions("eval")[:3], factory(budget=2)()
    model, tokenizer = start_model(small, demonstrate(load_questions("dev")[:6])[0])
    for part in (model, tokenizer):
        part.save_pretrained(folder)
    with served(folder) as url:
        client = client_of(url)
        for q in questions:
            assert not play_simply(client, str(folder), env, q, max_tokens=12).correct
            messages = prompt(env.env.reset(question=q).text)
            sent = dict(model=str(folder), messages=messages, tools=tool_schemas(), temperature=0)
            reply = client.chat.completions.create(**sent, max_tokens=12).choices[0].message
            said = (reply.content or "").strip()
            assert said == said_here(model, tokenizer, messages, 12)


class Bounded:
    "A client whose turns and episodes may have as many tokens as they have here"

    def __init__(self, client, folder):
        self.tokenizer, self.limits = load_model(folder)[1], run_config(folder)
        self.send, self.began = client.chat.completions.create, 0
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self.create))

    def create(self, messages, tools, **settings):
        "A turn with what is left of the episode"
        about = dict(tools=tools, add_generation_prompt=True)
        length = len(self.tokenizer.apply_chat_template(messages, **about)["input_ids"])
        if len(messages) == 2:  # an episode begins
            self.began = length
        room = self.limits.max_completion - (length - self.began)
        if room <= 0:
            said = SimpleNamespace(tool_calls=None, to_dict=dict)
            return SimpleNamespace(choices=[SimpleNamespace(message=said)])
        longest = min(self.limits.max_new_tokens, room)
        return self.send(messages=messages, tools=tools, max_tokens=longest, **settings)


def acted(episode):
    "What was done, and whether it was right"
    return [turn.action for turn in episode.turns], episode.correct


@serve
@pytest.mark.skipif(not TRAINED, reason="SQLENV_TRAINED names no trained model")
def test_a_trained_model_acts_there_as_it_does_here(play_simply):
    "`SQLENV_TRAINED=runs/cpu/grpo` names one, and CI the one that it has trained"
    openai = pytest.importorskip("openai")
    folder, n = str(Path(TRAINED).resolve()), 40
    budget, marks = run_config(folder).budget, run_config(folder).marks
    env, questions = factory(budget=budget, marks=marks)(), load_questions("dev")[:n]
    here = rollout_model(folder, env.env, questions)
    there, unread = [], {}
    with served(folder) as url:
        client = Bounded(client_of(url), folder)
        for i, q in enumerate(questions):
            try:
                there.append(play_simply(client, folder, env, q))
            except openai.InternalServerError:
                # a call that is cut off; here such a turn ends the episode as one without a call
                there.append(env.episode)
                unread[i] = here[i].reason
    cut = [reason == "a turn without a tool call" for reason in unread.values()]
    left_out = len(unread) - sum(cut)  # other calls that it cannot read: here they are refused
    same = sum(acted(a) == acted(b) for a, b in zip(here, there, strict=True))
    print(f"{same} of {n} episodes are the same; cut off: {sum(cut)}, not read: {left_out}")
    assert left_out <= n // 4
    assert same >= 0.9 * (n - left_out)  # rounding may decide between nearly as likely tokens
