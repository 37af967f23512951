"""The oracle behind an API, and what plays through it: an endpoint, and the loop of its page."""

import json
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from oracle_api import OracleAPI, message_text, serve_oracle

from sqlenv import load_questions
from sqlenv.adapter import factory, prompt, run_calls, tool_schemas
from sqlenv.data import DataError
from sqlenv.env import SQLEnvironment

PAGE = Path(__file__).parent.parent / "nbs" / "integrations" / "openai_chat.ipynb"


@pytest.fixture(scope="module")
def api():
    return OracleAPI(load_questions("unseen"))


@pytest.fixture(scope="module")
def url(api):
    yield serve_oracle(api)
    api.server.shutdown()


@pytest.fixture
def messages(api):
    "A conversation after its first turn"
    begun = prompt(next(iter(api.known)))
    return [*begun, api.reply(begun), dict(role="tool", tool_call_id="call_0", content="…")]


@pytest.fixture
def post(url):
    def post(messages, **more):
        "The body of a reply"
        body = json.dumps(dict(model="oracle", messages=messages, **more)).encode()
        with urlopen(Request(f"{url}/chat/completions", body), timeout=60) as answer:
            return answer.read().decode()

    return post


def test_the_next_turn_follows_from_the_messages(api, messages):
    assert api.reply(messages) == api.reply(messages)
    assert api.reply(messages)["tool_calls"][0]["id"] == "call_1"
    with pytest.raises(DataError, match="does not know this question"):
        api.reply(prompt("Who?"))


def test_a_text_may_come_in_parts():
    assert message_text(dict(content=[dict(type="text", text="a b")])) == "a b"


def test_the_server_replies_as_the_oracle_does(api, url, post, messages):
    whole = json.loads(post(messages))["choices"][0]
    assert whole["message"] == api.reply(messages)
    with pytest.raises(HTTPError):
        post(prompt("Who?"))
    with urlopen(f"{url}/models", timeout=60) as answer:
        assert [m["id"] for m in json.loads(answer.read())["data"]] == ["oracle"]


def test_a_stream_holds_the_same_calls(post, messages):
    lines = post(messages, stream=True).split("\n\n")
    events = [json.loads(line.removeprefix("data: ")) for line in lines[:-2]]
    assert lines[-2:] == ["data: [DONE]", ""]
    (call,) = json.loads(post(messages))["choices"][0]["message"]["tool_calls"]
    assert events[0]["choices"][0]["delta"]["tool_calls"] == [call | dict(index=0)]
    assert [e["choices"] for e in events[1:]] == [
        [dict(index=0, delta={}, finish_reason="tool_calls")],
        [],
    ]


def test_many_questions_through_an_endpoint(url):
    "What `sqlenv eval --model URL` uses"
    pytest.importorskip("openai")
    from sqlenv.integrations.openai_chat import Endpoint

    played = Endpoint(url).play_all(SQLEnvironment(budget=10), load_questions("unseen")[:20])
    assert (played.failed, played.unasked) == ([], 0)
    assert {e.correct for e in played.episodes} == {True}


def test_the_loop_that_a_reader_is_shown(url):
    "Its code is taken from the page"
    openai = pytest.importorskip("openai")
    cells = json.loads(PAGE.read_text(encoding="utf-8"))["cells"]
    (text,) = [s for cell in cells if "def play_simply" in (s := "".join(cell["source"]))]
    names = dict(json=json, prompt=prompt, run_calls=run_calls, tool_schemas=tool_schemas)
    exec(text, names)
    client, env = openai.OpenAI(base_url=url, api_key="none"), factory(budget=10)()
    episode = names["play_simply"](client, "oracle", env, load_questions("unseen")[0])
    assert (episode.correct, episode.malformed) == (True, 0)
