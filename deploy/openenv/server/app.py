"""The application, for `uvicorn server.app:app`, and the server, on loopback."""

from sqlenv.integrations.openenv import make_app, serve

app = make_app()


def main():
    serve()


if __name__ == "__main__":
    main()
