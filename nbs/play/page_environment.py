"""The Python half of the page Play: plain data in and out, and nothing that a browser lacks.

It runs in Pyodide, where `start.js` imports it from the archive of `tools/play_page.py`. The page
only draws: what it shows comes from here as JSON, so no rule of the environment is written twice.
"""

import json
import random
import re
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from fastcore.xml import to_xml

from sqlenv.adapter import THOUGHT, SQLEnvTRL, clean, prompt, result_frame
from sqlenv.data import DataError, Question
from sqlenv.datasets.folders import check_size, composed_questions, left_out
from sqlenv.env import SQLAction, SQLEnvironment, show_result
from sqlenv.policies import OraclePolicy, rollout
from sqlenv.sandbox import Sandbox, open_sandbox
from sqlenv.sql.guard import Limits, SandboxError, TableInfo
from sqlenv.training.rollout import Rollout, Sampling
from sqlenv.workflow.viewer import LAYERS, asset, episode_view

# A browser gives Python no threads, so there is no watchdog: each step of SQLite has to be short.
PAGE_LIMITS = Limits(value_length=4_000, opcodes=200)
PAGE_SPLITS = ("eval", "unseen")  # what the page has questions of
LARGEST = 200_000_000  # bytes of a reader's own database
OWN_QUESTIONS = 12  # that are written for it at once


# Templates take Jinja and transformers, which the page lacks. This is found out before, once.
def chat_frame(
    chat,  # an `adapter.Chat`. Raises `DataError` where its template does not fit a frame
) -> dict:  # start: 2 texts; results: those before, between and after; as_json
    "What a chat template writes around a question and around results."
    show = dict(tokenize=False, chat_template=chat.template, add_generation_prompt=True)
    show |= chat.options | dict(tools=chat.schemas)
    text = chat.tokenizer.apply_chat_template(prompt("<<0>>"), **show)
    frame = partial(result_frame, chat.tokenizer, chat.template, **chat.options)
    names = tuple(schema["function"]["name"] for schema in chat.schemas)
    (before, between, after), as_json = frame(names[:2])
    for tools in [(name,) for name in names] + [names]:
        found, _ = frame(tools)
        if found != [before, *[between] * (len(tools) - 1), after]:
            raise DataError("This chat template writes something else around each tool's result.")
    return dict(start=text.split("<<0>>"), results=[before, between, after], as_json=as_json)


TAGGED = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.S)


def tagged_calls(text: str) -> list[tuple[str, dict]]:  # (tool, arguments); none when one is broken
    """The calls between `<tool_call>` and `</tool_call>`, read as TRL reads them.

    A malformed call invalidates the others; an unclosed one counts if the turn was cut off.
    """
    found = []
    for written in TAGGED.findall(THOUGHT.sub("", text)):
        try:
            call = json.loads(written)
        except (ValueError, RecursionError):
            return []
        if not isinstance(call, dict) or not isinstance(call.get("name"), str):
            return []
        found.append((call["name"], call.get("arguments", {})))
    return found


class FrameChat:
    "What `Rollout` needs of an `adapter.Chat`, made of a frame and of two functions."

    def __init__(
        self,
        frame: dict,  # from `chat_frame`
        tokenize,  # text -> ids
        decode,  # ids, and whether special tokens stay -> text
    ):
        self.frame, self.tokenize = frame, tokenize
        self.tokenizer, self._decode = self, decode

    def start(self, text: str) -> list[int]:
        "Token ids of the prompt, up to where the model speaks."
        return self.tokenize(text.join(self.frame["start"]))

    def suffix(self, results: list[tuple[str, str]]) -> list[int]:
        "Token ids of results, (tool, what it showed), up to where the model speaks again."
        before, between, after = self.frame["results"]
        texts = [shown for _, shown in results]
        if self.frame["as_json"]:
            texts = [json.dumps(text, ensure_ascii=False)[1:-1] for text in texts]
        return self.tokenize(clean(before + between.join(texts) + after))

    def calls(self, ids: list[int], prefix: list[int]) -> list[tuple[str, dict]]:
        "The tool calls, (tool, arguments), in generated ids; `prefix` is not needed."
        return tagged_calls(self.decode(ids))

    def decode(self, ids: list[int], skip_special_tokens: bool = False) -> str:
        "The text of ids, as a tokenizer of transformers gives it."
        return self._decode(ids, not skip_special_tokens)


@dataclass
class PageSession:
    "An episode on the page, and who acts in it."

    env: SQLEnvTRL  # its episode
    database: Path | None  # the reader's own SQLite file; None: one of the data folder
    tables: tuple[TableInfo, ...]  # of the database, for the diagram
    name: str = ""  # that the viewer shows
    rollout: Rollout | None = None  # the conversation, where a model plays
    over: bool = False  # whether the model has stopped; it need not have answered


def written(result: str, error: str) -> str:
    "What came back, in few words for a screen reader."
    lines = result.split("\n")
    if error:
        return f"Error: {error}"
    return lines[-1][1:-1] if lines[-1].startswith("(") else lines[0]


def beating_clock(beat, every: float = 0.2):
    "A clock in seconds that calls `beat` when it is read, at most once in `every` seconds."
    beaten = 0.0

    def clock():
        nonlocal beaten
        now = time.perf_counter()
        if now > beaten + every:
            beaten = now
            beat()
        return now

    return clock


class BrowserEnvironment:
    "The environment for a page: its methods are called by name, with plain data."

    methods = ("catalogue", "begin", "step", "oracle", "open_own", "write_questions")
    methods += ("begin_agent", "reply")

    def __init__(
        self,
        data: str | Path | None = None,  # a data folder; None for the embedded one
        beat=None,  # called without arguments, often, while a query runs
    ):
        self.data = data
        self.sessions = {}  # player -> `PageSession`
        self.own = None  # the reader's own SQLite file
        self.own_questions = {}  # id -> question about it
        self.chat = None  # a `FrameChat`, once a model is there
        self.sampling = Sampling()  # of the model: what a turn and an episode may have
        self.budget, self.marks = 10, False  # of the environment that the model plays in
        if beat:
            Sandbox.clock = staticmethod(beating_clock(beat))

    def call(self, message: str) -> str:
        "Take JSON with method and args; give JSON with a value, or an error as a sentence."
        asked = json.loads(message)
        if asked["method"] not in self.methods:
            raise AttributeError(f"the page may not call {asked['method']!r}")
        try:
            reply = dict(value=getattr(self, asked["method"])(**asked["args"]))
        except (DataError, SandboxError) as e:
            reply = dict(error=" ".join(str(e).split()))
        return json.dumps(reply)

    def catalogue(self) -> dict:
        "The questions of each split, the code of the viewer, and how large a file may be."
        splits, env = {}, SQLEnvironment(self.data)
        for split in PAGE_SPLITS:
            asked = env.questions(split)
            splits[split] = [
                dict(id=q.question_id, text=q.question, db=q.db_id, difficulty=q.difficulty)
                for q in asked
            ]
        viewer = dict(script=asset("viewer.js"), style=asset("viewer.css"))
        return dict(splits=splits, viewer=viewer, largest=LARGEST)

    def find(
        self,
        question_id: str = "",  # of a question
        split: str = "",  # draws a question from here
        seed: int | None = None,  # of the draw
        text: str = "",  # the reader's own words, about the own database
        db: str = "",  # or about this one
    ) -> tuple[Question, Path | None]:  # the question, and the file when it is the reader's own
        "What is asked. Raises `DataError`."
        env = SQLEnvironment(self.data)
        if question_id in self.own_questions:
            return self.own_questions[question_id], self.own
        if split or question_id:
            asked = env.questions(split) if split else [env.find(question_id)]
            return random.Random(seed).choice(asked), None
        if not text.strip():
            raise DataError("The question is empty: write what you want to know.")
        if not db and not self.own:
            raise DataError("Open a database first.")
        name = db or self.own.stem
        return Question("asked", text.strip(), name, "", "", "", (), ""), None if db else self.own

    def start_session(
        self, player: str, budget: int, marks: bool, name: str, **asked
    ) -> PageSession:  # whose episode has begun
        "Begin a player's episode about the question that `find` returns."
        question, database = self.find(**asked)
        env = SQLEnvTRL(SQLEnvironment(self.data, budget, limits=PAGE_LIMITS, marks=marks))
        env.env.reset(question=question, database=database)
        tables = tuple(env.env.box.describe(t) for t in env.env.box.tables)
        self.sessions[player] = PageSession(env, database, tables, name)
        return self.sessions[player]

    def begin(self, player: str, budget: int = 15, **asked) -> dict:
        "Begin an episode of the reader."
        self.start_session(player, budget, False, "", **asked)
        return self.state(player)

    def state(self, player: str) -> dict:
        "An episode as the page shows it."
        session = self.sessions[player]
        env, e = session.env.env, session.env.episode
        observation, q = env.observe(), e.question
        known = {
            t.name: [c.name for c in t.columns] for t in session.tables if t.name in env.schema_info
        }
        return dict(
            question=dict(
                id=q.question_id,
                text=q.question,
                db=q.db_id,
                split=q.split,
                judged=bool(q.gold_sql),
            ),
            tables=[dict(name=t.name, columns=known.get(t.name)) for t in session.tables],
            taken=observation.step_count,
            left=observation.budget_remaining,
            done=e.done,
            correct=e.correct,
            reason=e.reason,
            error=observation.error,
            said=written(observation.result, observation.error),
            shown=show_result(observation.result, observation.error),
            reward={layer: getattr(e.reward, layer) for layer in (*LAYERS, "total")},
            actions=[[t.action.kind, t.action.argument] for t in e.turns],
            html=to_xml(episode_view(e, session.tables, session.name), indent=False),
        )

    def step(self, player: str, kind: str, argument: str) -> dict:
        "Do one action. Raises `DataError` where there is nothing to do, which costs no step."
        if player not in self.sessions:
            raise DataError("No episode has begun: choose a question first.")
        if not argument.strip():
            what = "The answer" if kind == "ANSWER" else "The query"
            raise DataError(f"{what} is empty, so nothing was done and no step was used.")
        if self.sessions[player].env.episode.done:
            raise DataError("The episode is over: choose another question.")
        self.sessions[player].env.env.step(SQLAction(kind, clean(argument)))
        return self.state(player)

    def oracle(self, player: str) -> dict:  # html, and the answer
        "The oracle's episode of the same question."
        session = self.sessions[player]
        if not (session.env.episode.done or session.over):
            raise DataError("The oracle plays when your episode is over.")
        env, question = SQLEnvironment(self.data, limits=PAGE_LIMITS), session.env.episode.question
        episode = rollout(env, OraclePolicy(), question, database=session.database)
        view = episode_view(episode, session.tables, "oracle")
        return dict(html=to_xml(view, indent=False), answer=episode.answer)

    def open_own(
        self,
        path: str,  # of the file, in the file system of Python
    ) -> dict:  # db: its name; tables: how many; notes: what no question is asked about
        "Open the reader's own file. Raises `DataError` if it is no database; the last one stays."
        path = Path(path)
        size = path.stat().st_size
        if size > LARGEST:
            raise DataError(
                f"{path.name} has {size:,} bytes; the page takes files of at most {LARGEST:,}, "
                "and sqlenv play --db takes larger ones."
            )
        check_size(path)
        try:
            box = open_sandbox(path, PAGE_LIMITS)
            notes = left_out(path)
        except SandboxError as e:
            raise DataError(str(e).replace(str(path), path.name)) from None
        self.own, self.own_questions = path, {}
        return dict(db=path.stem, tables=len(box.tables), notes=notes)

    def write_questions(self, seed: int) -> list[dict]:
        "Questions with gold queries about the reader's database; none if it holds too little."
        if not self.own:
            raise DataError("Open a database first.")
        asked = composed_questions(self.own, OWN_QUESTIONS, seed)
        self.own_questions = {q.question_id: q for q in asked}
        return [dict(id=q.question_id, text=q.question, difficulty=q.difficulty) for q in asked]

    def use_model(
        self,
        settings: dict,  # frame, budget, marks, and the lengths of `Sampling`
        tokenize,  # text -> ids
        decode,  # ids, and whether special tokens stay -> text
    ):
        "Let a model play from now on."
        self.chat = FrameChat(settings["frame"], tokenize, decode)
        self.sampling = Sampling(**settings["sampling"])
        self.budget, self.marks = settings["budget"], settings["marks"]

    def begin_agent(self, player: str, name: str, **asked) -> dict:
        "Begin an episode of a model."
        if self.chat is None:
            raise DataError("No model is loaded.")
        session = self.start_session(player, self.budget, self.marks, name, **asked)
        start = self.chat.start(session.env.env.observe().text)
        session.rollout = Rollout(self.chat, session.env, start, self.sampling)
        return self.turn(player, goes_on=True)

    def reply(self, player: str, ids: list[int]) -> dict:  # as `turn`
        "Take in a turn of a model and run its calls."
        session = self.sessions[player]
        session.over = not session.rollout.reply(ids, [0.0] * len(ids))
        return self.turn(player, not session.over)

    def turn(self, player: str, goes_on: bool) -> dict:
        "What a model needs for its next turn."
        rollout = self.sessions[player].rollout
        return self.state(player) | dict(
            goes_on=goes_on,
            conversation=[*rollout.prompt, *rollout.completion],
            max_new_tokens=rollout.max_new_tokens,
        )
