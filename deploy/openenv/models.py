"""What goes over the wire, without the package sqlenv: a test compares it with the server's."""

from typing import Literal

from openenv.core.env_server.types import Action, Observation, State


class SqlenvAction(Action):
    "What the agent does."

    kind: Literal["DESCRIBE", "SAMPLE", "QUERY", "ANSWER"]
    argument: str  # a table's name, SQL, or the answer


class SqlenvObservation(Observation):
    "What the agent sees."

    text: str  # what a model reads
    question: str
    tables: list[str]
    result: str  # of the last action
    error: str  # of the last action; empty when it ran
    step_count: int
    budget_remaining: int
    schema_info: dict[str, str]  # table -> what DESCRIBE showed


class SqlenvState(State):
    "Where a session is."

    question_id: str | None = None
    db_id: str | None = None
    split: str | None = None
    budget: int
