"""What the commands that run a web server have in common. The servers themselves are built in `api.server.web`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.console import sentences
from api.cli.settings import settings_with
from api.settings import ApiSettings
from cluster.lasting import lasting
from cluster.ports import PortTaken, require_free

if TYPE_CHECKING:
    from api.server.web import WebServer

Host = Annotated[str | None, typer.Option(help="Address to listen on.")]
Port = Annotated[int | None, typer.Option(help="Port to listen on.")]


def run_web_process(
    name: str, create: Callable[[ApiSettings], WebServer], *, host: str | None, port: int | None
) -> None:
    """Serve until SIGTERM or SIGINT. `create` runs once the port is known to be free, and does the heavy imports."""
    settings = settings_with(host=host, port=port)
    with sentences(PortTaken):
        require_free(settings.host, settings.port)
    from cluster.logging import configure_logging

    configure_logging(name, settings)
    with lasting():
        server = create(settings)
    server.run()
