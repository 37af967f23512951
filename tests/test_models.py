"""What is refused before a model is loaded, and how often the Hub is asked."""

import re
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from huggingface_hub import constants

from sqlenv.adapter import tool_schemas
from sqlenv.env import SQLAction, SQLEnvironment
from sqlenv.policies import OraclePolicy, rollout
from sqlenv.training.config import ConfigError, find_model
from sqlenv.training.demonstrations import messages
from sqlenv.training.models import constants as words_of_conversations
from sqlenv.training.models import load_model, tiny_tokenizer


def refused(words):
    "An error that says this"
    return pytest.raises(ConfigError, match=re.escape(words))


@pytest.mark.parametrize(
    "name",
    ["nope", "random", "./nope", "../nope", "a/b/c", "/no/such/folder", "", "tiny", "Q 3/x"],
)
def test_what_is_no_model_is_refused_with_what_can_be_passed(name):
    with refused("or a Hugging Face id such as Qwen/Qwen3-0.6B."):
        find_model(name)


@pytest.mark.parametrize(
    "name, others, words",
    [
        ("nope", (), "There is no model 'nope'."),
        ("./nope", (), "There is no folder './nope'."),
        ("tiny", (), "tiny has no trained weights."),
        ("nope", ("random", "oracle"), "0.6B, or random, or oracle."),
    ],
)
def test_a_refusal_says_why(name, others, words):
    with refused(words):
        find_model(name, others)


def test_an_id_of_the_hub_is_taken():
    assert find_model("Qwen/Qwen3-0.6B") == "Qwen/Qwen3-0.6B"


@pytest.fixture
def trained(tmp_path, monkeypatch):
    "The working folder, with six trained models"
    monkeypatch.chdir(tmp_path)
    for i in range(6):
        Path(f"runs/seed{i}/grpo").mkdir(parents=True)
        Path(f"runs/seed{i}/grpo/config.json").write_text("{}")


def test_a_run_before_there_is_any(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with refused("There is no folder 'runs/cpu'."):
        find_model("runs/cpu")


def test_a_folder_becomes_an_absolute_path(trained):
    "The notebooks of a run work in a folder of their own"
    assert find_model("./runs/seed1/grpo") == str(Path("runs/seed1/grpo").resolve())


@pytest.mark.parametrize(
    "name, words",
    [
        ("runs/seed1", "Pass one of its folders: runs/seed1/grpo."),
        ("runs/other", "There is no folder 'runs/other'."),
        ("runs/seed1/grpo/config.json", "runs/seed1/grpo/config.json is a file: pass the folder"),
        ("nope", "Trained here: runs/seed0/grpo, runs/seed1/grpo,"),
        ("nope", "runs/seed3/grpo and "),
    ],
)
def test_a_refusal_names_what_was_trained_here(trained, name, words):
    with refused(words):
        find_model(name)


@pytest.fixture
def hub(monkeypatch):
    "Answers every request with `not found`, as the Hub does, and keeps its path"

    class NoHub(BaseHTTPRequestHandler):
        asked = []

        def do_GET(self):
            self.asked.append(self.path)
            self.send_response(404)
            kind = "RevisionNotFound" if "old" in self.path else "RepoNotFound"
            self.send_header("X-Error-Code", kind)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_HEAD = do_GET

        def log_message(self, *args):
            pass

    with HTTPServer(("127.0.0.1", 0), NoHub) as server:
        Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        yield NoHub
        server.shutdown()


@pytest.mark.parametrize(
    "revision, words, path",
    [
        ((), "is not on the Hub, or is private.", "/api/models/nobody/nothing"),
        (
            ("float32", "old"),
            "has no revision 'old'",
            "/api/models/nobody/nothing/revision/old",
        ),
    ],
    ids=["model", "revision"],
)
def test_the_hub_is_asked_once(hub, revision, words, path):
    "transformers alone would ask for each file of a model, and for each several times"
    with refused(words):
        load_model("nobody/nothing", *revision)
    assert [p for p in hub.asked if "nobody" in p] == [path]


def test_a_hub_that_does_not_answer(monkeypatch):
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        closed = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(constants, "ENDPOINT", closed)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    with refused("the Hub could not be asked"):
        load_model("nobody/nothing")


def test_texts_with_a_token_of_their_own_occur_in_conversations():
    "A token whose sentence the environment no longer says would be of no use"
    env, tokenizer = SQLEnvironment(budget=16), tiny_tokenizer(["SELECT name FROM books"], 300)
    schemas, seen = tool_schemas(), []
    for q in [*env.questions("train")[::200], *env.questions("dev")[::200]]:
        seen.append((rollout(env, OraclePolicy(), q), env.task))
        env.reset(question=q)
        first, *_, last = env.box.tables
        column = env.box.describe(last).columns[0].name
        for action in (
            *(SQLAction("DESCRIBE", table) for table in (*env.box.tables, "nothing")),
            SQLAction("QUERY", f"SELECT singers FROM {first}"),
            SQLAction("QUERY", f"SELECT {first}.singers FROM {first}"),
            SQLAction("QUERY", f"SELECT {last}.{column} FROM {first}"),
            *[SQLAction("SAMPLE", first)] * 16,
        ):
            if not env.episode.done:
                env.step(action)
        seen.append((env.episode, env.task))
    text = ""
    for i, (e, task) in enumerate(seen):
        chat = messages(e, task)
        ends = [n for n, m in enumerate(chat, 1) if m["role"] == "assistant"]
        for end in ends if i < 2 else ends[-1:]:  # Qwen3 shows the thoughts of the last turn alone
            text += tokenizer.apply_chat_template(chat[:end], tools=schemas, tokenize=False)
    assert [words for words in words_of_conversations() if words not in text] == []
