"""SQLEnv in OpenEnv's layout: the client as a package, and the server with the package sqlenv."""
