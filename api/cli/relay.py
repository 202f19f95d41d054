"""`sagascript relay`: the realtime relay alone."""

from __future__ import annotations

from typing import Annotated

import typer

from api.cli.console import sentences
from api.cli.settings import settings_with
from cluster.ports import PortTaken, require_free


def relay(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
) -> None:
    """Run the realtime relay on its own."""
    settings = settings_with(host=host, port=port)
    with sentences(PortTaken):
        require_free(settings.host, settings.port)
    from api.realtime.relay.process import make_server
    from cluster.logging import configure_logging

    configure_logging("relay", settings)
    make_server(settings).run()
