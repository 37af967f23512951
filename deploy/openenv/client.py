"""The client, as for `from sqlenv.integrations.openenv import SQLEnvClient`."""

from sqlenv.integrations.openenv import SQLEnvClient

__all__ = ["SQLEnvClient"]
