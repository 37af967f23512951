"""The client of `AutoEnv.from_env("sqlenv")`; it needs openenv and nothing of the server."""

from openenv.core import EnvClient
from openenv.core.client_types import StepResult

try:
    from .models import SqlenvAction, SqlenvObservation, SqlenvState
except ImportError:  # this folder itself is where Python looks
    from models import SqlenvAction, SqlenvObservation, SqlenvState

__all__ = ["SqlenvAction", "SqlenvEnv", "SqlenvObservation", "SqlenvState"]


class SqlenvEnv(EnvClient):
    "A session with a server."

    def __init__(self, *args, **options):
        # A trainer whose event loop learns for a minute answers no pings meanwhile.
        super().__init__(*args, **dict(websocket_ping_timeout_s=None) | options)

    def _step_payload(self, action):
        return dict(kind=action.kind, argument=action.argument)

    def _parse_result(self, payload):
        values = payload["observation"] | {k: payload.get(k) for k in ("reward", "done")}
        obs = SqlenvObservation(**values)
        return StepResult(observation=obs, reward=obs.reward, done=obs.done)

    def _parse_state(self, payload):
        return SqlenvState(**payload)
