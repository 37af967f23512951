"""The server; the Dockerfile starts the command `sqlenv serve`, which is the same."""
