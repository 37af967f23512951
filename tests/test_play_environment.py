"""The Python half of the page Play, `nbs/play/page_environment.py`, as the page calls it."""

import json
import shutil
import sqlite3

import pytest

from sqlenv.adapter import Chat
from sqlenv.data import database_path
from sqlenv.training.models import tiny_tokenizer
from tools.play_page import page_environment

CALL = '{"name": "query", "arguments": {"sql": "SELECT 1"}}'
WHOLE = f"<tool_call>\n{CALL}\n</tool_call>"


@pytest.fixture(scope="module")
def chat():
    return Chat(tiny_tokenizer(["SELECT name FROM books"], 600))


@pytest.fixture(scope="module")
def encode(chat):
    return lambda text: chat.tokenizer.encode(text, add_special_tokens=False)


@pytest.fixture(scope="module")
def decode(chat):
    return lambda ids, special: chat.tokenizer.decode(ids, skip_special_tokens=not special)


@pytest.fixture(scope="module")
def frame(chat):
    return page_environment.chat_frame(chat)


@pytest.fixture(scope="module")
def framed(frame, encode, decode):
    return page_environment.FrameChat(frame, encode, decode)


@pytest.fixture
def page():
    return page_environment.BrowserEnvironment()


@pytest.fixture
def ask(page):
    def ask(method, **args):
        "The value that the page gets for a request, or the sentence"
        reply = json.loads(page.call(json.dumps(dict(method=method, args=args))))
        return reply.get("value", reply.get("error"))

    return ask


# A conversation without transformers: the same tokens and the same calls as with it.


def test_a_prompt_has_the_tokens_of_the_template(chat, framed):
    assert framed.start("How many?\nTables: a, b") == chat.start("How many?\nTables: a, b")


@pytest.mark.parametrize(
    "results",
    [[("query", "n\n3")], [("query", '"\n'), ("answer", "x"), ("query", "é")]],
    ids=["one", "several"],
)
def test_results_have_the_tokens_of_the_template(chat, framed, results):
    assert framed.suffix(results) == chat.suffix(results)


TURNS = [
    WHOLE,
    WHOLE + WHOLE,
    f"{WHOLE} and more",
    f"so {WHOLE}",
    f"<tool_call>{CALL}",
    f"<tool_call>{CALL[:-1]}</tool_call>",
    f"{WHOLE}<tool_call>x</tool_call>",
    f"<tool_call>{CALL}{CALL}</tool_call>",
    f"<tool_call>[{CALL}]</tool_call>",
    "<tool_call></tool_call>",
    '<tool_call>{"name": "query"}</tool_call>',
    CALL,
    "nothing",
    "</tool_call>",
    '<tool_call>{"name": "query", "arguments": "x"}</tool_call>',
    '<tool_call>{"name": 3}</tool_call>',
    '<tool_call>{"name": "no tool", "arguments": {"sql": null}}</tool_call>',
    f"<think>{WHOLE}</think>",
    f"<think>why</think>{WHOLE}",
    '<tool_call>{"name": "query", "parameters": {}}</tool_call>',
]


@pytest.mark.parametrize("end", ["<|im_end|>", ""], ids=["ended", "cut"])
@pytest.mark.parametrize("turn", TURNS)
def test_calls_are_read_as_trl_reads_them(chat, framed, encode, turn, end):
    ids = encode(turn + end)
    assert framed.calls(ids, []) == chat.calls(ids, chat.start("x"))
    assert framed.tokenizer.decode(ids, skip_special_tokens=True) == turn


def test_a_whole_call_is_found(framed, encode):
    assert framed.calls(encode(WHOLE + "<|im_end|>"), []) == [("query", {"sql": "SELECT 1"})]


def test_a_call_nested_too_deep_is_none():
    deep = "<tool_call>\n" + "[" * 100_000 + "\n</tool_call>"
    assert page_environment.tagged_calls(deep) == []


# The reader plays.


def test_a_drawn_question_is_asked_and_queried(ask):
    state = ask("begin", player="reader", split="unseen", seed=3)
    assert state["question"]["split"] == "unseen" and state["left"] == 15
    state = ask("step", player="reader", kind="QUERY", argument="SELECT 1")
    assert state["said"] == "1 row" and state["left"] == 14


def test_a_method_that_is_not_the_pages_is_not_called(ask):
    with pytest.raises(AttributeError, match="may not call 'find'"):
        ask("find", split="eval")


@pytest.fixture
def begun(ask, page):
    "An episode of the reader"
    return ask("begin", player="reader", question_id=page.find(split="eval", seed=1)[0].question_id)


def test_columns_are_listed_for_described_tables_only(ask, begun):
    first = begun["tables"][0]["name"]
    described, *others = ask("step", player="reader", kind="DESCRIBE", argument=first)["tables"]
    assert described["name"] == first and described["columns"]
    assert others and all(t["columns"] is None for t in others)


def test_an_empty_answer_costs_no_step(ask, begun):
    said = ask("step", player="reader", kind="ANSWER", argument=" ")
    assert said == "The answer is empty, so nothing was done and no step was used."
    state = ask("step", player="reader", kind="QUERY", argument="SELECT nothing")
    assert "cannot be read" in state["error"] and state["left"] == begun["left"] - 1


def test_the_oracle_plays_when_the_episode_is_over(ask, begun):
    assert ask("oracle", player="reader") == "The oracle plays when your episode is over."
    state = ask("step", player="reader", kind="ANSWER", argument="nothing like it")
    assert (state["done"], state["correct"]) == (True, False)
    assert "✓ Right" in ask("oracle", player="reader")["html"]
    said = ask("step", player="reader", kind="QUERY", argument="SELECT 1")
    assert said == "The episode is over: choose another question."


# A database of the reader's own.


@pytest.fixture
def own(ask, tmp_path):
    "A copy of a database, opened"
    own = tmp_path / "my animals.sqlite"
    shutil.copy(database_path("zoo"), own)
    assert ask("open_own", path=str(own)) == dict(db="my animals", tables=9, notes=[])
    return own


def test_questions_are_written_for_an_own_database(ask, own):
    asked = ask("write_questions", seed=0)
    state = ask("begin", player="reader", question_id=asked[0]["id"])
    assert state["question"]["judged"] and state["question"]["db"] == "my animals"
    ask("step", player="reader", kind="ANSWER", argument="?")
    assert "✓ Right" in ask("oracle", player="reader")["html"]


def test_a_question_in_own_words_is_not_judged(ask, own):
    state = ask("begin", player="reader", text="Which animal is the oldest?")
    assert state["question"] == dict(
        id="asked", text="Which animal is the oldest?", db="my animals", split="", judged=False
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (lambda whole: b"no database", "is not an SQLite database"),
        (lambda whole: b"", "is empty"),
        (lambda whole: whole[:9000], "is cut off"),
        (lambda whole: whole[:4096] + b"\xff" * (len(whole) - 4096), "is damaged"),
    ],
    ids=["text", "empty", "cut", "damaged"],
)
def test_a_bad_file_is_refused_and_the_last_one_stays(ask, page, own, content, said):
    (own.parent / "bad.db").write_bytes(content(own.read_bytes()))
    assert said in ask("open_own", path=str(own.parent / "bad.db"))
    assert page.own == own


def test_a_database_without_tables_is_refused_and_the_last_one_stays(ask, page, own):
    bare = own.parent / "bare.db"
    sqlite3.connect(bare).execute("pragma user_version = 1").connection.close()
    assert "bare.db holds no tables" in ask("open_own", path=str(bare))
    assert page.own == own


# A model plays; a script takes its place.


def test_a_model_describes_queries_and_stops(ask, page, chat, frame, encode, decode):
    page.use_model(dict(frame=frame, budget=10, marks=True, sampling={}), encode, decode)
    asked = page.find(split="eval", seed=2)[0]
    describe = json.dumps(dict(name="describe", arguments=dict(table_name=asked.tables[0])))
    plan = [f"<tool_call>\n{describe}\n</tool_call>", WHOLE, "Done."]
    turn = ask("begin_agent", player="model", name="after GRPO", question_id=asked.question_id)
    start = chat.start(page.sessions["model"].env.env.observe().text)
    assert turn["goes_on"] and turn["conversation"] == start
    turns = [ask("reply", player="model", ids=encode(said + "<|im_end|>")) for said in plan]
    assert [t["goes_on"] for t in turns] == [True, True, False]
    assert [t["said"] for t in turns[1:]] == ["1 row", "1 row"]
    assert turns[-1]["reason"] == "a turn without a tool call"
    assert "✓ Right" in ask("oracle", player="model")["html"]


def test_no_model_plays_before_one_is_loaded(ask):
    assert ask("begin_agent", player="model", name="", split="eval") == "No model is loaded."
