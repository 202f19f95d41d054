from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from api.testing.uploads.memory import MemoryHost
from api.testing.uploads.process import HostInLoop, HostProcess


@pytest.fixture(params=["in process", "on a port"])
async def host(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[MemoryHost]:
    """An upload server called as an ASGI app, and one behind the product's web server."""
    made = MemoryHost(tmp_path / "uploads")
    if request.param == "in process":
        yield made
        return
    async with made.on_port():
        yield made


@pytest.fixture
async def client(host: MemoryHost) -> AsyncIterator[httpx2.AsyncClient]:
    async with host.client() as opened:
        yield opened


@pytest.fixture
async def process(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[HostProcess]:
    """An upload server on SQLite, in a process of its own."""
    made = HostProcess(tmp_path, is_remote="aiotus" in request.node.name)
    await made.prepare()
    await made.start()
    yield made
    await made.stop()
    await made.database.close()


@pytest.fixture
async def served(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[HostInLoop]:
    """An upload server on SQLite, on a port, in the test's own loop."""
    made = HostInLoop(tmp_path, is_remote="aiotus" in request.node.name)
    await made.prepare()
    await made.start()
    yield made
    await made.stop()
    await made.database.close()
