"""SQLEnv in OpenEnv's layout: `openenv push deploy/openenv`. The code is the package sqlenv."""
