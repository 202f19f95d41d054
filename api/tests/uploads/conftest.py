from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from api.tests.uploads.memory import MemoryHost


@pytest.fixture
def host(tmp_path: Path) -> MemoryHost:
    return MemoryHost(tmp_path / "incoming")


@pytest.fixture
async def client(host: MemoryHost) -> AsyncIterator[httpx.AsyncClient]:
    async with host.client() as opened:
        yield opened
