"""An OpenAI-compatible server whose model knows the answers, to check a harness with.

A harness that measures less than 100 % with this model loses something on the way. It keeps no
state; what it does next follows from the messages that it is sent.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from sqlenv.adapter import call_message
from sqlenv.data import DataError, Question
from sqlenv.env import SQLEnvironment
from sqlenv.policies import OraclePolicy


def message_text(
    message: dict,  # whose content is a text, or a list of parts
) -> str:
    "The text of a message."
    content = message.get("content") or ""
    if isinstance(content, list):
        content = "".join(part.get("text", "") for part in content)
    return content


class OracleAPI:
    "An OpenAI-compatible API on loopback whose model plays as the oracle does."

    def __init__(
        self,
        questions: list[Question],  # those that it knows
        data=None,  # their data folder
    ):
        self.env, self.lock = SQLEnvironment(data), threading.Lock()
        self.known = {self.env.reset(question=q).text: q for q in questions}
        self.server = None  # while it runs

    def reply(
        self,
        messages: list[dict],  # the conversation so far
    ) -> dict:  # the oracle's message. Raises `DataError` for a question that it does not know
        "What the oracle does next; it says so when it is done."
        asked = [message_text(m).strip() for m in messages if m["role"] == "user"]
        question = self.known.get(asked[0]) if asked else None
        if question is None:
            raise DataError(f"The oracle does not know this question: {asked[:1]}")
        turn = sum(m["role"] == "assistant" for m in messages)
        with self.lock:
            oracle = OraclePolicy()
            self.env.reset(question=question)
            oracle.begin(self.env, seed=0)
        if turn >= len(oracle.plan):
            return dict(role="assistant", content="I have answered.")
        message = call_message(oracle.plan[turn])
        message["tool_calls"][0]["id"] = f"call_{turn}"
        return message


def completion_chunks(
    message: dict,  # of the oracle
    reason: str,  # why it ends
) -> list[dict]:  # the choices of each event
    "A message as a stream of events sends it."
    delta = dict(message)
    if "tool_calls" in delta:
        delta["tool_calls"] = [call | dict(index=i) for i, call in enumerate(delta["tool_calls"])]
    return [
        [dict(index=0, delta=delta, finish_reason=None)],
        [dict(index=0, delta={}, finish_reason=reason)],
        [],
    ]


class OracleHandler(BaseHTTPRequestHandler):
    "The two paths of the API."

    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        "Nothing is printed."

    def send(
        self,
        text: str,  # the body
        status: int = 200,  # of HTTP
        kind: str = "application/json",  # of the body
    ):
        "Send a body."
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        "The models."
        models = [dict(id="oracle", object="model", created=0, owned_by="sqlenv")]
        self.send(json.dumps(dict(object="list", data=models)))

    def do_POST(self):
        "A completion."
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            message = self.server.api.reply(body["messages"])
        except DataError as e:
            return self.send(json.dumps(dict(error=dict(message=str(e)))), 400)
        reason = "tool_calls" if "tool_calls" in message else "stop"
        usage = dict(prompt_tokens=0, completion_tokens=0, total_tokens=0)
        about = dict(id="chatcmpl-oracle", created=0, model=body["model"], usage=usage)
        if not body.get("stream"):
            choices = [dict(index=0, message=message, finish_reason=reason)]
            reply = about | dict(object="chat.completion", choices=choices)
            return self.send(json.dumps(reply))
        about |= dict(object="chat.completion.chunk")
        events = [about | dict(choices=c) for c in completion_chunks(message, reason)]
        lines = [json.dumps(event) for event in events] + ["[DONE]"]
        self.send("".join(f"data: {line}\n\n" for line in lines), kind="text/event-stream")


def serve_oracle(
    api: OracleAPI,  # what replies
) -> str:  # the base URL for clients
    "Serve in threads, at a free port of loopback, until `api.server.shutdown()` or the end."
    api.server = ThreadingHTTPServer(("127.0.0.1", 0), OracleHandler)
    api.server.daemon_threads = True
    api.server.api = api
    threading.Thread(target=api.server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{api.server.server_port}/v1"
