"""The three commands that run a web server, each as a process of its own: all have the same limits."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from api.platform.http.limits import HEAD_BYTES_MAX
from api.platform.settings import ApiSettings
from api.testing.databases.migrated import make_sqlite
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port

SWITCHING, NOT_FOUND, TOO_LARGE = 101, 404, 431
OFFER = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "c2l4dGVlbiBsZXR0ZXJzIQ==",
}


@asynccontextmanager
async def running(command: str, folder: Path) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of `sagascript COMMAND` over a new installation, once it answers. SIGTERM must end the command."""
    port = free_port()
    settings = ApiSettings(data_dir=folder, port=port)
    make_sqlite(settings.db_url)
    environment = {**os.environ, "SAGASCRIPT_DATA_DIR": str(folder), "SAGASCRIPT_REALTIME_KEY": "key"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "api.main", command, "--port", str(port)), env=environment
    )
    try:
        async with httpx2.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=PATIENCE_S
        ) as client:
            async with asyncio.timeout(PATIENCE_S):
                while not await _answers(client):
                    assert process.returncode is None, "the command ended at its start"
                    await asyncio.sleep(0.1)
            yield client
    finally:
        process.terminate()
        await asyncio.wait_for(process.wait(), PATIENCE_S)


async def _answers(client: httpx2.AsyncClient) -> bool:
    try:
        await client.get("/none")
    except httpx2.TransportError:
        return False
    return True


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "offer_of_a_websocket"), [("api", SWITCHING), ("uploads", NOT_FOUND), ("relay", SWITCHING)]
)
async def test_a_command_bounds_heads_and_has_websockets_only_with_a_relay(
    command: str, offer_of_a_websocket: int, tmp_path: Path
) -> None:
    async with running(command, tmp_path / "data") as client:
        answer = await client.get("/none", headers={"X": "x" * HEAD_BYTES_MAX})
        assert answer.status_code == TOO_LARGE
        assert answer.json()["message"].endswith(".")
        async with client.stream("GET", "/app/key?protocol=7", headers=OFFER) as answer:
            assert answer.status_code == offer_of_a_websocket
