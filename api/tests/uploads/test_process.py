"""A real upload server that is killed, cut off and overloaded."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import signal
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from sqlalchemy import select

from api.content.arrivals.models import TusUpload
from api.content.uploads.tus.storage.store import THREADS
from api.edges.pages.public_config import UPLOAD_CHUNK_BYTES
from api.testing.uploads.content import MEGABYTE, check_file, content, standing, until_offset
from api.testing.uploads.memory import patch_headers
from api.testing.uploads.process import HostInLoop, HostProcess, RunningHost, cut_connection, raw_patch
from cluster.testing.patience import PATIENCE_S

SLOW_SENDERS = 200


async def test_an_upload_resumes_after_its_server_was_killed_in_a_chunk(process: HostProcess) -> None:
    body = content(6 * MEGABYTE)
    async with process.client() as client:
        location = await process.create(client, len(body))
        await client.patch(location, headers=patch_headers(0), content=body[:MEGABYTE])
        with cut_connection(process, raw_patch(process, location, MEGABYTE, 5 * MEGABYTE)) as connection:
            connection.sendall(body[MEGABYTE : 4 * MEGABYTE])
            async with asyncio.timeout(PATIENCE_S):
                while process.incoming_size(location) < 2 * MEGABYTE:
                    await asyncio.sleep(0.01)
            await process.stop(signal.SIGKILL)
    surplus = process.incoming_size(location)
    await process.start()
    async with process.client() as client:
        offset = await standing(client, location)
        assert MEGABYTE <= offset <= surplus
        answer = await client.patch(location, headers=patch_headers(offset), content=body[offset:])
        assert answer.status_code == 204
    await check_file(process, body)


async def test_a_cut_connection_keeps_every_received_byte(served: HostInLoop) -> None:
    body = content(3 * MEGABYTE)
    async with served.client() as client:
        location = await served.create(client, len(body))
        with cut_connection(served, raw_patch(served, location, 0, len(body))) as connection:
            connection.sendall(body[: 2 * MEGABYTE])
        # The kernel's and the server's buffers may be lost at the cut, at most a few hundred kilobytes.
        # A HEAD would interrupt the server while it still reads what has arrived.
        async with asyncio.timeout(PATIENCE_S):
            while await _recorded(served, location) < MEGABYTE:
                await asyncio.sleep(0.05)
        offset = await standing(client, location)
        answer = await client.patch(location, headers=patch_headers(offset), content=body[offset:])
        assert answer.status_code == 204
    await check_file(served, body)


@pytest.mark.long
async def test_pauses_near_the_end_of_an_upload_lose_nothing(process: HostProcess) -> None:
    body = content(10)
    async with process.client() as client:
        announced, chunked = [await process.create(client, len(body)) for _ in range(2)]
        first, second = await asyncio.gather(
            _send_with_pauses(process, announced, body, is_chunked=False),
            _send_with_pauses(process, chunked, body, is_chunked=True),
        )
        assert first == second == b"HTTP/1.1 204 No Content"
        assert [await standing(client, announced), await standing(client, chunked)] == [10, 10]
    assert [process.stored(file) for file in await process.files()] == [body, body]


async def _send_with_pauses(host: RunningHost, location: str, body: bytes, *, is_chunked: bool) -> bytes:
    """The status line of a PATCH that sends each part after the server has recorded the one before."""
    head = raw_patch(host, location, 0, len(body))
    if is_chunked:
        head = head.replace(b"Content-Length: 10", b"Transfer-Encoding: chunked")
    reader, writer = await asyncio.open_connection("127.0.0.1", host.settings.port)
    answer = asyncio.create_task(reader.readline())
    writer.write(head)
    for start, end in ((0, 5), (5, 8), (8, 10)):
        part = body[start:end]
        writer.write(b"%x\r\n%b\r\n" % (len(part), part) if is_chunked else part)
        async with asyncio.timeout(PATIENCE_S):
            while not answer.done() and end < len(body) and await _recorded(host, location) < end:
                await asyncio.sleep(0.05)
    if is_chunked:
        writer.write(b"0\r\n\r\n")
    line = await asyncio.wait_for(answer, PATIENCE_S)
    writer.close()
    return line.strip()


async def _recorded(host: RunningHost, location: str) -> int:
    """The offset in the database. Unlike a HEAD, reading it does not interrupt the sender."""
    statement = select(TusUpload.offset).where(TusUpload.id == location.rpartition("/")[2])
    async with host.database.read() as session:
        return await session.scalar(statement) or 0


async def test_a_reset_connection_keeps_what_was_written(served: HostInLoop) -> None:
    body = content(4 * MEGABYTE)
    async with served.client() as client:
        location = await served.create(client, len(body))
        with cut_connection(served, raw_patch(served, location, 0, len(body))) as connection:
            connection.sendall(body[: 3 * MEGABYTE])
            async with asyncio.timeout(PATIENCE_S):
                while served.incoming_size(location) < 2 * MEGABYTE:
                    await asyncio.sleep(0.01)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        offset = await until_offset(client, location, 2 * MEGABYTE)
        answer = await client.patch(location, headers=patch_headers(offset), content=body[offset:])
        assert answer.status_code == 204
    await check_file(served, body)


async def test_a_client_is_not_blocked_by_its_own_dead_connection(served: HostInLoop) -> None:
    body = content(2 * MEGABYTE)
    async with served.client() as client:
        location = await served.create(client, len(body))
        # The connection stays open but silent, as after a change of network.
        with cut_connection(served, raw_patch(served, location, 0, len(body))) as connection:
            connection.sendall(body[:MEGABYTE])
            async with asyncio.timeout(PATIENCE_S):
                while served.incoming_size(location) < MEGABYTE:
                    await asyncio.sleep(0.01)
            assert await standing(client, location) == MEGABYTE
            answer = await client.patch(location, headers=patch_headers(MEGABYTE), content=body[MEGABYTE:])
            assert answer.status_code == 204
    await check_file(served, body)


@pytest.mark.long
async def test_a_server_that_stops_keeps_what_has_arrived(process: HostProcess) -> None:
    body = content(3 * MEGABYTE)
    async with process.client() as client:
        location = await process.create(client, len(body))
        with cut_connection(process, raw_patch(process, location, 0, len(body))) as connection:
            connection.sendall(body[: 2 * MEGABYTE])
            async with asyncio.timeout(PATIENCE_S):
                while process.incoming_size(location) < MEGABYTE:
                    await asyncio.sleep(0.01)
            await process.stop(signal.SIGTERM)
    await process.start()
    async with process.client() as client:
        offset = await standing(client, location)
        assert offset > MEGABYTE
        await client.patch(location, headers=patch_headers(offset), content=body[offset:])
    await check_file(process, body)


@pytest.mark.long
async def test_uploads_at_once_all_arrive_in_bounded_memory(process: HostProcess) -> None:
    """Each is a chunk as pages send them. Six in memory would take 300 MB."""
    blocks = [content(MEGABYTE, seed) for seed in range(6)]
    count = UPLOAD_CHUNK_BYTES // MEGABYTE
    before = _resident_bytes(process)

    async with process.client() as client:

        async def send(block: bytes) -> None:
            location = await process.create(client, count * MEGABYTE)
            headers = patch_headers(0, **{"Content-Length": str(count * MEGABYTE)})
            answer = await client.patch(location, headers=headers, content=_repeated(block, count), timeout=PATIENCE_S)
            assert answer.status_code == 204, answer.text

        await asyncio.gather(*(send(block) for block in blocks))
    assert _peak_bytes(process) - before < 100 * MEGABYTE
    stored = [_digest(process.stored_path(file)) for file in await process.files()]
    assert sorted(stored) == sorted(hashlib.sha256(block * count).hexdigest() for block in blocks)
    shutil.rmtree(process.settings.storage_root)


async def _repeated(block: bytes, count: int) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield block


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@pytest.mark.long
async def test_one_large_chunk_is_never_held_in_memory(process: HostProcess) -> None:
    part = content(MEGABYTE)
    count = 120
    before = _resident_bytes(process)

    async with process.client() as client:
        location = await process.create(client, count * MEGABYTE)
        answer = await client.patch(location, headers=patch_headers(0), content=_repeated(part, count))
        assert answer.status_code == 204
    assert _peak_bytes(process) - before < 60 * MEGABYTE
    (file,) = await process.files()
    assert process.stored(file) == part * count


def _resident_bytes(process: HostProcess) -> int:
    return _status(process, "VmRSS")


def _peak_bytes(process: HostProcess) -> int:
    return _status(process, "VmHWM")


def _status(process: HostProcess, name: str) -> int:
    assert process.process is not None
    lines = Path(f"/proc/{process.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))


@pytest.mark.long
async def test_two_hundred_slow_senders_delay_nobody_else(served: HostInLoop) -> None:
    body = content(3 * MEGABYTE)
    first = body[: MEGABYTE // 20]
    async with served.client() as client, AsyncExitStack() as stack:
        slow = [await served.create(client, len(body)) for _ in range(SLOW_SENDERS)]
        for location in slow:
            request = raw_patch(served, location, 0, len(body)) + first
            stack.enter_context(cut_connection(served, request))
        async with asyncio.timeout(PATIENCE_S):
            while any(served.incoming_size(location) < len(first) for location in slow):
                await asyncio.sleep(0.05)
        # All of them are in the middle of a body, and there are far fewer threads.
        assert SLOW_SENDERS > 4 * THREADS
        location = await served.create(client, len(body))
        answer = await client.patch(location, headers=patch_headers(0), content=body)
        assert answer.status_code == 204
        assert [await standing(client, location) for location in slow] == [len(first)] * SLOW_SENDERS
