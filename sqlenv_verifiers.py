"The taskset under a name that verifiers takes: vf-eval sqlenv_verifiers."

from sqlenv.integrations.verifiers_taskset import SQLTaskset

__all__ = ["SQLTaskset"]
