from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from api.tests.uploads.memory import MemoryHost
from api.tests.uploads.process import HostInLoop, HostProcess


@pytest.fixture
def host(tmp_path: Path) -> MemoryHost:
    return MemoryHost(tmp_path / "incoming")


@pytest.fixture
async def client(host: MemoryHost) -> AsyncIterator[httpx.AsyncClient]:
    async with host.client() as opened:
        yield opened


@pytest.fixture
async def process(tmp_path: Path) -> AsyncIterator[HostProcess]:
    """An upload host on SQLite, in a process of its own."""
    made = HostProcess(tmp_path)
    await made.prepare()
    await made.start()
    yield made
    await made.stop()
    await made.database.close()


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[HostInLoop]:
    """An upload host on SQLite, on a port, in the test's own loop."""
    made = HostInLoop(tmp_path)
    await made.prepare()
    await made.start()
    yield made
    await made.stop()
    await made.database.close()
