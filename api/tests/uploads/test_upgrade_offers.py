"""Clients that offer to switch protocols: the server ignores the offer and handles the request."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from api.testing.uploads.content import check_file, content, standing
from api.testing.uploads.process import HostInLoop, HostProcess, raw_patch
from cluster.testing.patience import PATIENCE_S

H2C = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n"
WEBSOCKET = (
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)


def offering(request: bytes, headers: bytes) -> bytes:
    return request[:-2] + headers + b"\r\n"


async def status_of(host: HostInLoop | HostProcess, request: bytes) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", host.settings.port)
    writer.write(request)
    line = await asyncio.wait_for(reader.readline(), PATIENCE_S)
    writer.close()
    return int(line.split()[1])


@pytest.mark.parametrize("offer", [H2C, WEBSOCKET], ids=["h2c", "websocket"])
@pytest.mark.parametrize("is_chunked", [False, True], ids=["announced", "chunked"])
async def test_the_body_behind_an_offer_arrives_whole(served: HostInLoop, offer: bytes, is_chunked: bool) -> None:
    body = content(600_000)
    async with served.client() as client:
        location = await served.create(client, len(body))
        head = raw_patch(served, location, 0, len(body))
        sent = body
        if is_chunked:
            head = head.replace(f"Content-Length: {len(body)}".encode(), b"Transfer-Encoding: chunked")
            sent = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
        # Head and body in one packet, as curl and Java send them.
        assert await status_of(served, offering(head, offer) + sent) == 204
        assert await standing(client, location) == len(body)
    await check_file(served, body)


async def test_a_websocket_offer_is_no_server_error(served: HostInLoop) -> None:
    assert await status_of(served, offering(b"GET /tus/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", WEBSOCKET)) == 405


async def test_websocket_offers_leak_no_descriptors(process: HostProcess) -> None:
    request = offering(b"PATCH /tus/x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 300000\r\n\r\n", WEBSOCKET)
    await status_of(process, request)
    before = _descriptors(process)
    for _ in range(20):
        _, writer = await asyncio.open_connection("127.0.0.1", process.settings.port)
        writer.write(request)
        await writer.drain()
        writer.close()
        await writer.wait_closed()
    async with asyncio.timeout(PATIENCE_S):
        while _descriptors(process) > before + 2:
            await asyncio.sleep(0.1)


def _descriptors(host: HostProcess) -> int:
    assert host.process is not None
    return len(list(Path(f"/proc/{host.process.pid}/fd").iterdir()))
