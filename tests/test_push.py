"""A run sent to a stand-in of the Hugging Face Hub, by the Hub's own client."""

import base64
import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from huggingface_hub import ModelCard

from sqlenv.data import embedded_folder
from sqlenv.training.config import TrainConfig
from sqlenv.training.models import save_model, tiny_model, tiny_tokenizer
from sqlenv.training.record import load_record, write_record


class Hub(BaseHTTPRequestHandler):
    """Speaks as much of the Hub's HTTP as an upload needs: make a repository, say how each file is
    to be sent, take a commit. All files come inside the commit; the real Hub asks for weights by a
    protocol of its own, which the client speaks by itself. It refuses tokens that it does not know,
    and notes every request."""

    def log_message(self, *args):
        pass

    def reply(self, status=200, **data):
        body = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def take(self, method):
        self.server.requests.append(f"{method} {self.path}")
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def do_GET(self):
        self.take("GET")
        self.reply(404, error="Repository not found")

    def do_POST(self):
        body, self.here = self.take("POST"), f"http://{self.headers['Host']}"
        if self.path == "/api/validate-yaml":
            self.reply(errors=[], warnings=[])
        elif self.headers.get("Authorization") != "Bearer hf_good":
            self.reply(401, error="Invalid username or password.")
        elif self.path == "/api/repos/create":
            self.create(json.loads(body))
        elif "/preupload/" in self.path:
            paths = [f["path"] for f in json.loads(body)["files"]]
            found = [dict(path=p, uploadMode="regular", shouldIgnore=False) for p in paths]
            self.reply(files=found)
        else:
            self.commit([json.loads(line) for line in body.splitlines()])

    def create(self, asked):
        name = f"{asked['organization']}/{asked['name']}"
        folder = self.server.root / name
        if folder.exists():
            return self.reply(409, error="You have this already", url=f"{self.here}/{name}")
        folder.mkdir(parents=True)
        (folder / ".asked").write_text(json.dumps(asked))
        self.reply(url=f"{self.here}/{name}")

    def commit(self, lines):
        name = self.path.split("/api/models/")[1].split("/commit/")[0]
        for key, value in ((line["key"], line["value"]) for line in lines):
            if key == "file":
                content = base64.b64decode(value["content"])
                (self.server.root / name / value["path"]).write_bytes(content)
        self.reply(success=True, commitUrl=f"{self.here}/{name}/commit/1", commitOid="1")


@contextmanager
def serving(root, port=0):
    "A stand-in that keeps its repositories in a folder"
    with ThreadingHTTPServer(("127.0.0.1", port), Hub) as server:
        server.root, server.requests = root, []
        Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        yield server
        server.shutdown()


COMMANDS = """
import json, os, sys
from sqlenv.workflow.cli import printed
for line in sys.stdin:
    token, *argv = json.loads(line)
    os.environ.pop("HF_TOKEN", None)
    if token:
        os.environ["HF_TOKEN"] = token
    print(json.dumps(printed("push", *argv)), flush=True)
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    "The port of the Hub, and a process for commands: its client reads the address on import"
    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as found:
        port = found.server_port
    env = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "HUGGING_FACE"))}
    env["HF_ENDPOINT"] = f"http://127.0.0.1:{port}"
    env["HF_HOME"] = str(tmp_path_factory.mktemp("home"))
    argv = [sys.executable, "-W", "ignore", "-c", COMMANDS]
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with subprocess.Popen(argv, env=env, **pipes) as process:
        yield port, process


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    "A finished run: the records of a published one, around a model that was never trained"
    run = tmp_path_factory.mktemp("finished") / "cpu"
    shutil.copytree(embedded_folder() / "results" / "templates" / "seed0", run)
    tokenizer = tiny_tokenizer(["How many products are there?"], 300)
    save_model(tiny_model(tokenizer, 16, 1), tokenizer, run / "grpo", TrainConfig())
    return run


@pytest.fixture
def run(finished, tmp_path):
    return shutil.copytree(finished, tmp_path / "runs" / "cpu")


@pytest.fixture
def hub(client, tmp_path):
    (tmp_path / "hub").mkdir()
    with serving(tmp_path / "hub", client[0]) as server:
        yield server


@pytest.fixture
def push(client, run):
    "What `sqlenv push` prints, and its exit code"

    def push(*argv, token="hf_good"):
        _, process = client
        print(json.dumps([token, str(run), *argv]), file=process.stdin, flush=True)
        return json.loads(process.stdout.readline())

    return push


def test_nothing_is_sent_unasked(hub, push, run):
    text, code = push("--to", "someone/tiny", token=None)
    assert (code, hub.requests) == (0, [])
    assert "Nothing was sent" in text and (run / "push" / "README.md").is_file()


@pytest.mark.parametrize(
    "to, token, whole",
    [("someone/tiny", None, True), ("tiny", "hf_good", True), ("someone/tiny", "hf_good", False)],
    ids=["no token", "a name without a user", "a run that is not finished"],
)
def test_what_cannot_be_sent_is_refused_before_anything_is(hub, push, run, to, token, whole):
    if not whole:
        write_record(run, load_record(run) | dict(notebooks={}))
    text, code = push("--to", to, "--upload", token=token)
    assert (code, text.count("\n"), hub.requests) == (1, 1, [])


def test_a_token_that_the_hub_refuses(hub, push):
    text, code = push("--to", "someone/tiny", "--upload", token="hf_bad")
    assert (code, text.count("\n")) == (1, 1)
    assert not [r for r in hub.requests if "commit" in r or "preupload" in r]
    assert list(hub.root.iterdir()) == []


def test_the_upload(hub, push, run):
    "The client makes the repository and sends everything in one commit"
    text, code = push("--to", "someone/tiny", "--upload", "--private")
    assert code == 0
    assert f"Sent: http://127.0.0.1:{hub.server_port}/someone/tiny/commit/1" in text
    assert sum("/commit/" in r for r in hub.requests) == 1
    repo = hub.root / "someone" / "tiny"
    asked = json.loads((repo / ".asked").read_text())
    assert asked.get("private") or asked.get("visibility") == "private"
    for sent in (run / "push").iterdir():
        assert (repo / sent.name).read_bytes() == sent.read_bytes()
    card = ModelCard.load(repo / "README.md")
    assert card.data.model_name == "tiny" and card.data.eval_results
    assert load_record(run)["data"] in card.text and "[Every episode" in card.text


def test_a_second_push_goes_into_the_same_repository(hub, push):
    for _ in range(2):
        text, code = push("--to", "someone/tiny", "--upload")
        assert code == 0 and "/someone/tiny/commit/1" in text


def test_a_hub_that_does_not_answer(push):
    text, code = push("--to", "someone/tiny", "--upload")
    assert (code, text.count("\n")) == (1, 1)
