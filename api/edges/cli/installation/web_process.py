"""What the commands that run a web server have in common. `api.platform.server.web` builds the servers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from api.edges.cli.console import sentences
from api.edges.cli.settings import settings_with
from api.platform.server.inheritance import inherited_listeners, tell_supervisor
from api.platform.settings import ApiSettings
from cluster.lasting import lasting
from cluster.ports import PortTaken, require_free

if TYPE_CHECKING:
    from api.platform.server.web import WebServer

Host = Annotated[str | None, typer.Option(help="Address to listen on.")]
Port = Annotated[int | None, typer.Option(help="Port to listen on.")]


def run_web_process(
    name: str, load: Callable[[], Callable[[ApiSettings], WebServer]], *, host: str | None, port: int | None
) -> None:
    """Serve until SIGTERM or SIGINT. `load` does the heavy imports, and runs once the port is known to be ours.

    On inherited sockets, a server that is killed has a successor.
    """
    settings = settings_with(host=host, port=port)
    listeners = inherited_listeners()
    if listeners is None:
        with sentences(PortTaken):
            require_free(settings.host, settings.port)
    from cluster.logs.logging import configure_logging

    configure_logging(name, settings)
    with lasting():
        create = load()
    if listeners is not None:
        from api.platform.server.successors import fork_successors

        fork_successors()
    with lasting():
        server = create(settings)
    if listeners is not None:
        server.on_ready = tell_supervisor
    server.run(listeners)
