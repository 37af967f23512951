"""Real servers and clients of OpenEnv: remote equals local, what a hostile client achieves.

`make test-extra EXTRA=serve` runs these, in an environment of its own: the packages of a server
cannot be installed beside those of training.
"""

import pytest

pytest.importorskip("openenv", reason="make test-extra EXTRA=serve")

import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psutil
from fastmcp import Client
from nbdev.config import get_config
from openenv.cli._cli_utils import validate_env_structure
from openenv.core.env_server.serialization import serialize_observation
from openenv.core.env_server.types import WSObservationResponse
from openenv.validation import ProviderCapability, run_validation
from openenv.validation.parsers.openenv_yaml import OpenEnvYamlParser
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

import sqlenv
from sqlenv import OraclePolicy, RandomPolicy, SQLEnvironment
from sqlenv.adapter import CALLS
from sqlenv.data import load_questions
from sqlenv.integrations.openenv import SQLEnvClient, served
from sqlenv.integrations.serving import NO_MCP, PATHS, WAITING
from sqlenv.workflow.cli import printed

BLOCKED = """
import asyncio, sys, time
from sqlenv.integrations.openenv import SQLEnvClient, SQLAction

async def play(url):
    async with SQLEnvClient(base_url=url) as env:
        await env.reset(seed=0)
        time.sleep(45)  # the loop answers no ping, as during a step of training
        print((await env.step(SQLAction(kind="DESCRIBE", argument="x"))).observation.text)

asyncio.run(play(sys.argv[1]))
"""


class Server:
    "A server in a process of its own"

    def __init__(self, *options, command="serve", **environment):
        command = [sys.executable, "-m", "sqlenv.workflow.cli", command, *options]
        if "--port" not in options:
            command += ["--port", "0"]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=os.environ | environment
        )
        self.url = re.search(r"http://\S+", self.process.stdout.readline())[0]
        self.port = int(self.url.rpartition(":")[2])

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def cpu(self):
        "Seconds of processor time that it has used"
        return sum(psutil.Process(self.process.pid).cpu_times()[:2])

    def socket(self, path="/ws", **headers):
        "An open socket"
        url = f"ws://127.0.0.1:{self.port}{path}"
        options = dict(proxy=None, compression=None, open_timeout=20, close_timeout=1)
        return connect(url, additional_headers=headers, **options)

    def request(self, path, body=None, **headers):
        "Status and text of a request"
        data = None if body is None else body.encode()
        head = {"Content-Type": "application/json"} | headers
        try:
            with urlopen(Request(self.url + path, data, head), timeout=20) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as e:
            return e.code, e.read().decode()


def ask(ws, kind, data=None):
    "Send a message; the answer as it came"
    ws.send(json.dumps(dict(type=kind) | ({} if data is None else dict(data=data))))
    return ws.recv(timeout=30)


def step(ws, kind, argument):
    "A step; the answer as an object"
    return json.loads(ask(ws, "step", dict(kind=kind, argument=argument)))


def code(answer):
    "The code of an error"
    found = json.loads(answer)
    return found["type"] == "error" and found["data"]["code"]


def message(obs):
    "What the server should send"
    return WSObservationResponse(data=serialize_observation(served(obs))).model_dump_json()


def same_episode(env, ws, policy, seed):
    "Play an episode here and there; how many messages were compared"
    split = ("train", "eval", "unseen", "human")[seed % 4]
    obs = env.reset(seed=seed, split=split)
    assert ask(ws, "reset", dict(seed=seed, split=split)) == message(obs)
    policy.begin(env, seed)
    while not obs.done:
        action = policy.act(obs)
        obs = env.step(action)
        sent = dict(kind=action.kind, argument=action.argument)
        assert ask(ws, "step", sent) == message(obs)
    return obs.step_count + 1


@pytest.fixture(scope="module", autouse=True)
def blocked():
    "What a client prints whose loop is blocked for 45 seconds, while the other tests run"
    with Server() as server:
        command = [sys.executable, "-c", BLOCKED, server.url]
        pipes = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with subprocess.Popen(command, **pipes) as process:
            yield process
            process.kill()


def test_remote_is_local():
    "Two hundred seeded episodes, by the oracle and at random, byte for byte"
    with Server() as server, server.socket() as ws:
        env, policies = SQLEnvironment(), (OraclePolicy(), RandomPolicy())
        assert sum(same_episode(env, ws, policies[seed % 2], seed) for seed in range(200)) >= 400


async def awaited(url):
    async with SQLEnvClient(url) as env:
        first = await env.reset(seed=7, episode_id="seven")
        await env.step("nonsense")
        return first.observation, await env.state()


def test_the_client_awaited_and_not():
    "Steps before `reset` and after the end are errors, not the end of the session"
    with Server() as server:
        obs, state = asyncio.run(awaited(server.url))
        assert (state.episode_id, state.step_count, state.budget) == ("seven", 1, 15)
        with SQLEnvClient(server.url).sync() as env:
            assert env.reset(seed=7).observation == obs
            assert env.reset(question_id=state.question_id).observation.text == obs.text
        with server.socket() as ws:
            assert (
                code(ask(ws, "step", dict(kind="QUERY", argument="SELECT 1"))) == "EXECUTION_ERROR"
            )
            assert code(ask(ws, "reset", dict(split="nowhere"))) == "EXECUTION_ERROR"
            for _ in range(6):  # a session may begin again in the middle of an episode
                assert json.loads(ask(ws, "reset", dict(seed=1)))["type"] == "observation"
                assert step(ws, "describe", "x")["data"]["observation"]["step_count"] == 1
            assert step(ws, "ANSWER", "?")["data"]["done"] is True
            assert "did nothing" in step(ws, "ANSWER", "?")["data"]["observation"]["error"]


HOSTILE = [
    "5", "null", "[]", '"reset"', "", "{", "NaN", "[" * 30_000, '{"a":' * 10_000, "9" * 6_000,
    json.dumps(dict(type="reset", data=dict(database="/etc/passwd"))),
    json.dumps(dict(type="reset", data=dict(question=dict(gold_sql="SELECT 1")))),
    json.dumps(dict(type="reset", data=[["seed", 1]])),
    json.dumps(dict(type="reset", data=dict(seed=1.5))),
    json.dumps(dict(type="mcp", data=dict(jsonrpc="2.0", method="openenv/session/create", id=1))),
    json.dumps(dict(type="step", data=dict(kind="DROP", argument="x"))),
    json.dumps(dict(type="step", data=dict(kind="QUERY"))),
    json.dumps(dict(type="step", data=dict(kind="QUERY", argument="x" * 100_000))),
    json.dumps(dict(type="step", data=dict(kind=["QUERY"], argument="x"))),
    json.dumps(dict(type="step", data=dict(kind="QUERY", argument="x", timeout_s=1))),
    json.dumps(dict(type={}, data={})),
    b"\x00\xff", b'{"type": "state"}',
]  # fmt: skip


def test_a_hostile_message_costs_an_error():
    "The session goes on where it was"
    with Server() as server, server.socket() as ws:
        ask(ws, "reset", dict(seed=5))
        step(ws, "QUERY", "SELECT 1")
        before = ask(ws, "state")
        for text in HOSTILE:
            ws.send(text)
            assert code(ws.recv(timeout=30)), text[:80]
            assert ask(ws, "state") == before
        for argument in ("\ud800", "\x00", "\u202e" * 5_000, "SELECT '" + "(" * 9_000):
            shown = step(ws, "QUERY", argument)
            assert shown["type"] == "observation"
        with contextlib.suppress(ConnectionClosed):  # what is far too large is not even read
            ws.send(json.dumps(dict(type="state", x="x" * (2 << 20))))
            ws.recv(timeout=30)
        assert server.request("/health")[0] == 200


def handshake(server, **options):
    "Status of a handshake"
    try:
        with server.socket(**options):
            return 101
    except InvalidStatus as e:
        return e.response.status_code


def test_who_may_connect():
    with Server("--allow-origin", "https://a.example", SQLENV_TOKEN="sesame") as server:
        bearer = dict(Authorization="Bearer sesame")
        assert handshake(server) == 401
        assert handshake(server, Authorization="Bearer wrong") == 401
        assert handshake(server, **bearer) == 101
        assert handshake(server, Origin="https://a.example", **bearer) == 101
        assert handshake(server, Origin="https://b.example", **bearer) == 403
        assert handshake(server, path="/mcp", **bearer) == 404
        assert server.request("/schema")[0] == 401
        assert server.request("/schema", **bearer)[0] == 200
        assert server.request("/schema", Host="b.example", **bearer)[0] == 421
        assert server.request("/health")[0] == 200
        with SQLEnvClient(server.url, headers=bearer).sync() as env:
            assert env.reset(seed=1).done is False
        for command, said in (
            ("serve --host 0.0.0.0", "SQLENV_TOKEN"),
            (f"serve --port {server.port}", f"Cannot listen on 127.0.0.1, port {server.port}"),
            (f"mcp --http --port {server.port}", "Cannot listen"),
            ("serve --data nowhere", "no data folder"),
            ("serve --idle 0", "--idle"),
            ("mcp --split nowhere", "nowhere"),
        ):
            text, returned = printed(*command.split())
            assert (returned, text.count("\n"), said in text) == (1, 1, True)


def everything(server):
    "All that the server says to a stranger"
    spec = json.loads(server.request("/openapi.json")[1])
    paths = {*spec["paths"], *PATHS["http"], "/docs", "/redoc", "/web", "/web/state", "/ws", "/"}
    for path in sorted(p.replace("{env_name}", "sqlenv") for p in paths):
        for body in (None, "", "{}", '{"split": "eval", "index": 0}', '{"action": {"kind": "x"}}'):
            for query in ("", "?session_id=1", "?database=/etc/passwd"):
                yield f"{path}{query} {body}", *server.request(path + query, body)


def test_nothing_shows_an_episode_to_a_stranger():
    """Two sessions are in the middle of an episode, and a stranger asks every path in every way.

    The server shows them nothing of each other and the stranger nothing at all: not the question,
    not a result, not how far it is, and of no question the gold query.
    """
    with Server("--budget", "9", WEB_TOKEN="x", ENABLE_WEB_INTERFACE="true") as server:
        with server.socket() as a, server.socket() as b:
            asked = []
            for ws, name in ((a, "one"), (b, "two")):
                ask(ws, "reset", dict(seed=name, split="eval", episode_id=f"secret-{name}"))
                step(ws, "QUERY", f"SELECT '{name}-result'")
                asked.append(json.loads(ask(ws, "state"))["data"]["question_id"])
            step(b, "QUERY", "SELECT 1")
            questions = [SQLEnvironment().find(q) for q in asked]
            assert asked[0] != asked[1]
            gold = [q.gold_sql for q in questions]
            hidden = ["one-result", "two-result", "secret-one", "secret-two", *asked, *gold]
            seen, statuses = 0, set()
            for where, status, text in everything(server):
                assert not [h for h in hidden if h in text], where
                assert status < 500, (where, status, text)
                seen, statuses = seen + 1, statuses | {status}
            assert server.request("/web")[0] == 404
            assert json.loads(server.request("/mcp", "{}")[1])["error"]["message"] == NO_MCP
            states = [json.loads(ask(ws, "state"))["data"] for ws in (a, b)]
            assert [(s["step_count"], s["budget"]) for s in states] == [(1, 9), (2, 9)]
            mine = json.dumps([json.loads(ask(a, "state")), step(a, "QUERY", "SELECT 2")])
            assert "two-result" not in mine and questions[1].question not in mine
            assert not [g for g in gold if g in mine] and "action_history" not in mine


def opened(server, n, seconds=20):
    "Open sockets, waiting for sessions to become free"
    found, end = [], time.monotonic() + seconds
    while len(found) < n and time.monotonic() < end:
        try:
            found.append(server.socket())
        except InvalidStatus:
            time.sleep(0.05)
    assert len(found) == n
    return found


def test_a_session_is_free_again_when_its_client_closes_or_vanishes():
    with Server("--sessions", "3") as server:
        sockets = opened(server, 3)
        assert handshake(server) == 503
        for ws in sockets:
            ask(ws, "reset", dict(seed=1))
        ask(sockets[0], "state")
        sockets[0].close()
        sockets[1].socket.shutdown(socket.SHUT_RDWR)  # no closing handshake
        sockets[2].send(json.dumps(dict(type="close")))
        opened(server, 3)
        assert handshake(server) == 503


def test_a_client_that_falls_silent_frees_its_session():
    with Server("--sessions", "1", "--idle", "0.3") as server:
        (ws,) = opened(server, 1)
        try:
            ws.recv(timeout=20)
        except ConnectionClosed as e:
            assert "No message for 0.3 seconds" in str(e)
        opened(server, 1)


def test_connections_that_ask_for_nothing_are_closed_and_bounded():
    "A silent one, half a request, and half a second one; a socket beside them is not touched"
    with Server("--sessions", "1") as server:
        half = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(3)]
        silent[1].sendall(half)
        silent[2].sendall(half + b"\r\n")
        assert silent[2].recv(4096).startswith(b"HTTP/1.1 200")
        silent[2].sendall(half)
        (ws,) = opened(server, 1)
        for connection in silent:
            connection.settimeout(30)
            with contextlib.suppress(ConnectionResetError):
                while connection.recv(4096):  # what is left of the answer, then the end
                    pass
        assert json.loads(ask(ws, "reset", dict(seed=0)))["type"] == "observation"
        many = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(WAITING + 40)]
        time.sleep(1)
        ended = 0
        for connection in many:
            connection.setblocking(False)
            try:
                ended += connection.recv(1) == b""
            except BlockingIOError:
                pass
            except ConnectionResetError:
                ended += 1
            connection.close()
        assert ended >= 30


SLOW = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def test_a_server_that_is_stopped_answers_the_step_under_way():
    "And no new session begins"
    with Server() as server, server.socket() as busy, server.socket() as idle:
        for ws in (busy, idle):
            ask(ws, "reset", dict(seed=1))
        before = server.cpu()
        busy.send(json.dumps(dict(type="step", data=dict(kind="QUERY", argument=SLOW))))
        end = time.monotonic() + 10
        while server.cpu() < before + 0.05 and time.monotonic() < end:  # until the query runs
            time.sleep(0.01)
        server.process.send_signal(signal.SIGTERM)
        answered = json.loads(busy.recv(timeout=30))["data"]["observation"]
        assert answered["step_count"] == 1
        for ws in (busy, idle):
            with contextlib.suppress(ConnectionClosed):
                ws.recv(timeout=30)
            assert ws.protocol.close_code == 1012
        assert server.process.wait(30) == -signal.SIGTERM


def workers(server):
    "The processes of the workers, with the sessions of each"
    found = {}
    for child in psutil.Process(server.process.pid).children():
        here = [c for c in child.net_connections() if c.laddr and c.laddr.port == server.port]
        if here:  # not the process that cleans up
            found[child.pid] = sum(c.status == "ESTABLISHED" for c in here)
    return found


def sessions(server):
    "How many are taken, as the server says"
    return json.loads(server.request("/health")[1])["sessions"]


def metrics(server):
    "What `/metrics` says"
    lines = server.request("/metrics")[1].splitlines()
    return {k: float(v) for k, v in (line.split() for line in lines if line[0] != "#")}


def test_workers_share_the_sessions():
    "The limit is one for all; a killed worker gives its sessions back; all drain"
    with Server("--workers", "2", "--sessions", "8") as server:
        sockets = opened(server, 8)
        shares = workers(server)
        print("sessions of each worker:", *shares.values())
        assert len(shares) == 2
        assert (sum(shares.values()), handshake(server)) == (8, 503)
        assert (server.request("/health")[0], server.request("/ready")[0]) == (200, 503)
        for seed, ws in enumerate(sockets):
            ask(ws, "reset", dict(seed=seed))
        said = metrics(server)
        assert (said["sqlenv_sessions"], said["sqlenv_sessions_limit"]) == (8, 8)
        assert (said["sqlenv_episodes_total"], said["sqlenv_refused_total"]) == (8, 1)

        killed = max(shares, key=shares.get)
        os.kill(killed, signal.SIGKILL)
        taken = 8
        while taken > 8 - shares[killed]:  # until another has taken its place
            time.sleep(0.2)
            with contextlib.suppress(OSError):  # what the killed one had not accepted yet
                taken = sessions(server)
        left = []
        for ws in sockets:
            with contextlib.suppress(ConnectionClosed):
                assert json.loads(ask(ws, "state"))["data"]["step_count"] == 0
                left.append(ws)
        assert len(left) == 8 - shares[killed]

        sockets = left + opened(server, shares[killed])
        assert handshake(server) == 503
        busy = sockets[0], sockets[-1]  # of the old worker and of the new one
        for ws in busy:
            ask(ws, "reset", dict(seed=1))
            ws.send(json.dumps(dict(type="step", data=dict(kind="QUERY", argument=SLOW))))
        time.sleep(0.2)
        server.process.send_signal(signal.SIGTERM)
        for ws in busy:
            assert json.loads(ws.recv(timeout=60))["data"]["observation"]["step_count"] == 1
        for ws in sockets:
            with contextlib.suppress(ConnectionClosed):
                ws.recv(timeout=30)
            assert ws.protocol.close_code == 1012
        assert server.process.wait(60) == 0


def test_workers_end_when_the_process_that_started_them_is_killed():
    with Server("--workers", "2") as server:
        running = [psutil.Process(pid) for pid in workers(server)]
        server.process.kill()
        assert not psutil.wait_procs(running, timeout=60)[1]


def test_what_a_reset_may_ask_for():
    "A difficulty, a kind, a depth"
    with Server() as server:
        with server.socket() as ws:
            for wanted in (
                dict(difficulty="hard"),
                dict(kind="written", split="train"),
                dict(depth=4, difficulty="extra", split="eval"),
            ):
                ask(ws, "reset", dict(seed=3) | wanted)
                state = json.loads(ask(ws, "state"))["data"]
                question = SQLEnvironment().find(state["question_id"])
                found = dict(vars(question), depth=int(question.kind.partition(" ")[2] or 0))
                assert {k: found[k] for k in wanted} == wanted
            assert "there are kind answers" in ask(ws, "reset", dict(kind="nothing"))
            assert code(ask(ws, "reset", dict(depth="4"))) == "VALIDATION_ERROR"
        assert metrics(server)["sqlenv_episodes_total"] == 4


def test_a_client_begins_again_once_a_killed_server_is_back():
    with Server() as server:
        client, port = SQLEnvClient(server.url).sync(), str(server.port)
        first = client.reset(seed=4).observation
        server.process.kill()
        server.process.wait()
        try:
            client.step("SELECT 1")
            raise AssertionError("a step without a server")
        except (ConnectionError, ConnectionClosed) as e:
            print(e)
    with Server("--port", port) as server:
        assert client.reset(seed=4).observation == first
        client.close()


def play_all(sockets, resets):
    "Play resets and a step in all sockets at once"
    for ws, data in zip(sockets, resets, strict=True):
        ws.send(json.dumps(dict(type="reset", data=data)))
    for ws in sockets:
        table = json.loads(ws.recv(timeout=60))["data"]["observation"]["tables"][0]
        ws.send(json.dumps(dict(type="step", data=dict(kind="SAMPLE", argument=table))))
    for ws in sockets:
        assert json.loads(ws.recv(timeout=60))["data"]["observation"]["error"] == ""


def test_a_hundred_sessions_need_few_files_and_threads():
    "On all databases"
    with Server("--sessions", "100") as server:
        found = psutil.Process(server.process.pid)
        play_all(sockets := opened(server, 100), [dict(seed=i) for i in range(100)])
        files, threads = found.num_fds() - 100, found.num_threads()
        databases = len({q.db_id for q in load_questions("train")})
        assert files < 2 * 4 * databases + 20 and threads < 14, (files, threads)
        for ws in sockets:
            ws.close()


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"


def played_meanwhile(slow, quick, seconds=20):
    "How many messages the quick sockets are answered before the first slow query is over"
    for ws in slow:
        ws.send(json.dumps(dict(type="reset", data=dict(seed=0))))
        ws.recv(timeout=60)
        ws.send(json.dumps(dict(type="step", data=dict(kind="QUERY", argument=ENDLESS))))
    answered, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        for seed, ws in enumerate(quick):
            play_all([ws], [dict(seed=seed)])
            answered += 2
        with contextlib.suppress(TimeoutError):
            return answered, json.loads(slow[0].recv(timeout=0))
    return answered, None


def test_slow_queries_hold_up_nobody():
    "Others begin episodes and leave them meanwhile, each time in whichever thread is free"
    with Server() as server:
        slow, quick = opened(server, 2), opened(server, 4)
        answered, first = played_meanwhile(slow, quick)
        said = [first, *(json.loads(ws.recv(timeout=60)) for ws in slow[1:])]
        for message in said:
            assert "more than 20,000,000 steps" in message["data"]["observation"]["error"], message
        for ws in slow + quick:
            ws.close()
    assert answered >= 4, answered


async def told(client, action):
    "What a tool shows"
    tool, argument = CALLS[action.kind]
    return (await client.call_tool(tool, {argument: action.argument})).content[0].text


async def play_mcp(url, seeds):
    "Two clients whose steps alternate"
    async with Client(url) as a, Client(url) as b:
        games = []
        for client, seed in zip((a, b), seeds, strict=True):
            env, oracle = SQLEnvironment(), OraclePolicy()
            obs = env.reset(seed=seed, split="eval")
            shown = await client.call_tool("begin", dict(seed=seed))
            assert shown.content[0].text == obs.text
            oracle.begin(env, 0)
            games.append((client, env, oracle))
        for _ in range(15):
            for client, env, oracle in games:
                if not env.episode.done:
                    action = oracle.act(env.observe())
                    assert await told(client, action) == env.step(action).text
        return [env.episode.correct for _, env, _ in games]


def test_two_clients_of_mcp_over_http_play_at_once():
    "Each its own episode, with the words of the local environment"
    with Server("--http", "--split", "eval", command="mcp") as server:
        assert asyncio.run(play_mcp(server.url + "/mcp", (1, 2))) == [True, True]
        assert server.request("/mcp", "{}", Host="attacker.example")[0] == 421
        assert server.request("/mcp", "{}", Origin="https://attacker.example")[0] == 403
        assert server.request("/mcp", "x" * 100_000)[0] == 400
        assert server.request("/ws")[0] == 404


def test_mcp_over_http_bounds_the_sessions_of_the_protocol():
    begin = dict(
        protocolVersion="2025-06-18", capabilities={}, clientInfo=dict(name="x", version="1")
    )
    body = json.dumps(dict(jsonrpc="2.0", id=1, method="initialize", params=begin))
    with Server("--http", "--sessions", "2", command="mcp") as server:
        accept = dict(Accept="application/json, text/event-stream")
        statuses = [server.request("/mcp", body, **accept)[0] for _ in range(3)]
        assert statuses == [200, 200, 503]


def test_mcp_over_http_wants_the_token():
    with Server("--http", command="mcp", SQLENV_TOKEN="sesame") as server:
        assert server.request("/mcp", "{}")[0] == 401


package = get_config().config_path / "deploy" / "openenv"


def validate(*argv):
    "Exit code of `openenv validate`, and its report"
    command = [sys.executable, "-m", "openenv.cli", "validate", *argv, "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout)


def test_openenv_validates_the_folder():
    returned, report = validate(str(package), "--level", "static")
    assert (returned, report["verdict"]) == (0, "pass")


def test_openenv_push_takes_the_folder():
    "Its layout is OpenEnv's but for a folder of outputs, and its modules are ours"
    assert all("outputs/" in said for said in validate_env_structure(package, strict=True))
    for name in ("client", "models", "server.app"):
        line = f"import {name} as m; print(m.__doc__)"
        done = subprocess.run(
            [sys.executable, "-c", line], cwd=package, capture_output=True, text=True
        )
        assert (done.returncode, bool(done.stdout)) == (0, True), done.stderr


AUTO = """
import json, sys
from openenv import AutoAction, AutoEnv

Action = AutoAction.from_env("sqlenv")
with AutoEnv.from_env("sqlenv", base_url=sys.argv[1]).sync() as env:
    first = env.reset(seed=3)
    shown = env.step(Action(kind="DESCRIBE", argument=first.observation.tables[0]))
    said = [r.observation.model_dump() for r in (first, shown)]
    print(json.dumps([said, env.state().step_count, "sqlenv" in sys.modules]))
"""


def test_auto_env_finds_the_client_without_the_package_of_the_server(tmp_path):
    "The folder as pip installs it; what its client reads is what the server's own client reads"
    shutil.copytree(package, tmp_path / "folder")
    found = tmp_path / "site"
    install = "pip install --quiet --no-deps --no-index --no-build-isolation --target".split()
    command = [sys.executable, "-m", *install, found, tmp_path / "folder"]
    subprocess.run(command, check=True, capture_output=True)
    places = os.environ | dict(PYTHONPATH=str(found), XDG_CACHE_HOME=str(tmp_path / "cache"))
    with Server() as server, SQLEnvClient(server.url).sync() as env:
        first = env.reset(seed=3)
        shown = env.step(f"DESCRIBE {first.observation.tables[0]}")
        command = [sys.executable, "-c", AUTO, server.url]
        done = subprocess.run(command, cwd=tmp_path, env=places, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said, steps, imported = json.loads(done.stdout.splitlines()[-1])
    assert said == [r.observation.model_dump() for r in (first, shown)]
    assert (steps, imported) == (1, False)


def test_openenv_validates_a_running_server():
    with Server() as server:
        returned, report = validate("--url", server.url)
    assert (returned, report["passed"], len(report["criteria"])) == (0, True, 6)


class Running:
    "A server as OpenEnv's validation sees it"

    def __init__(self):
        self.server = Server()
        self.base_url = self.server.url

    def inspect(self):
        return {}

    def logs(self, max_bytes=65536):
        return ""

    def stop(self):
        self.server.__exit__()


class ProcessProvider:
    "Starts a process where OpenEnv would start a container"

    name = "process"
    capabilities = frozenset({ProviderCapability.IMAGE_BUILD})
    supported_network_modes = frozenset({"public"})

    def build(self, root, execution):
        assert (root / execution.dockerfile).is_file()
        return "sha256:" + "0" * 64

    def start(self, spec):
        return Running()


def test_openenv_validates_a_running_package():
    """Through a provider that starts a process where OpenEnv would start a container.

    It cannot shut a process off from the network, so that one check is skipped.
    """
    report = run_validation(package, provider=ProcessProvider())
    status = {r.check_id: r.status.value for r in report.results}
    passed = sorted(name for name, found in status.items() if found == "pass")
    assert passed == [
        "runtime.observation_schema",
        "runtime.reward_well_formed",
        "runtime.startup",
        "runtime.state_contract",
        "static.manifest",
    ]
    assert set(status.values()) == {"pass", "skip"}


def test_the_manifest_has_the_version_of_the_package():
    assert OpenEnvYamlParser().parse(package).version == sqlenv.__version__


def test_a_client_whose_loop_is_blocked_keeps_its_session(blocked):
    printed, errors = blocked.communicate(timeout=120)
    assert "14 steps left" in printed, errors
