"""The oracle behind an API, in place of a model."""

import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from oracle_api import OracleAPI, message_text, serve_oracle

from sqlenv import load_questions
from sqlenv.adapter import prompt
from sqlenv.data import DataError


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
