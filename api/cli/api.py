"""`sagascript api`: the JSON API and the pages, with uploads and realtime unless these run on their own."""

from __future__ import annotations

from typing import Annotated

import typer

from api.cli.console import sentences
from api.cli.settings import settings_with
from cluster.ports import PortTaken, require_free


def api(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
) -> None:
    """Run the web process."""
    settings = settings_with(host=host, port=port)
    with sentences(PortTaken):
        require_free(settings.host, settings.port)
    import uvicorn

    from api.app import create_app
    from api.realtime.relay.process import draining_server
    from api.server.web import server_config
    from cluster.logging import configure_logging

    configure_logging("api", settings)
    app = create_app(settings)
    if settings.serve_relay:
        draining_server(settings, app, app.state.relay).run()
    else:
        uvicorn.Server(server_config(app, settings)).run()
