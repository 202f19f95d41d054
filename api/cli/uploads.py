"""`sagascript uploads`: the upload host alone."""

from __future__ import annotations

from typing import Annotated

import typer

from api.cli.console import sentences
from api.cli.settings import settings_with
from cluster.ports import PortTaken, require_free


def uploads(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
) -> None:
    """Run the upload host on its own."""
    settings = settings_with(host=host, port=port)
    with sentences(PortTaken):
        require_free(settings.host, settings.port)
    import uvicorn

    from api.server.web import server_config
    from api.uploads.server import create_upload_server
    from cluster.logging import configure_logging

    configure_logging("uploads", settings)
    app = create_upload_server(settings)
    uvicorn.Server(server_config(app, settings)).run()
