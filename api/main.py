"""The program `sagascript`."""

from __future__ import annotations

from cluster.lasting import lasting


def run() -> None:
    with lasting():
        from api.commands import app
    app()


if __name__ == "__main__":
    run()
