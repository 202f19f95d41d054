"""Each kind of process that answers HTTP, on a port, in the test's own event loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import uvicorn

from api.app import create_app
from api.db.migrate import upgrade
from api.realtime.relay.process import draining_server, make_server
from api.server.web import server_config
from api.settings import ApiSettings
from api.uploads.server import create_upload_server

KINDS = ("api", "uploads", "relay")


async def make(kind: str, settings: ApiSettings) -> uvicorn.Server:
    if kind == "relay":
        return make_server(settings)
    await upgrade(settings.db_url)
    if kind == "uploads":
        app = create_upload_server(settings)
        return uvicorn.Server(server_config(app, settings))
    web = create_app(settings)
    return draining_server(settings, web, web.state.relay)


@pytest.fixture(params=KINDS)
async def port(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[int]:
    """The port of a running server of each kind."""
    listening = socket.create_server(("127.0.0.1", 0))
    number = listening.getsockname()[1]
    settings = ApiSettings(data_dir=tmp_path / "data", port=number, ui_dir=tmp_path / "ui")
    server = await make(request.param, settings)
    running = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        await asyncio.sleep(0.01)
    yield number
    server.should_exit = True
    await running
