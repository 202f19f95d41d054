"""Each kind of web server on a port, in the test's own event loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from api import app, processes
from api.platform.settings import ApiSettings
from api.testing.databases.migrated import make_sqlite

CREATE = {
    "api": app.create_server,
    "uploads": processes.upload_server,
    "relay": processes.relay_server,
}
"""What each command runs."""


@pytest.fixture(params=CREATE)
async def port(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[int]:
    """The port of a running server of each kind."""
    listening = socket.create_server(("127.0.0.1", 0))
    number = listening.getsockname()[1]
    settings = ApiSettings(data_dir=tmp_path / "data", port=number, ui_dir=tmp_path / "ui")
    make_sqlite(settings.db_url)
    running_server = CREATE[request.param](settings)
    running = asyncio.create_task(running_server.serve(sockets=[listening]))
    while not running_server.started:
        await asyncio.sleep(0.01)
    yield number
    running_server.should_exit = True
    await running
