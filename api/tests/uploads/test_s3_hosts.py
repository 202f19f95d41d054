"""Real upload servers over a bucket: a stock client, a kill, two servers without a shared disk, an outage."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import select, update
from tusclient import client as tuspy

from api.content.arrivals.models import TusUpload, UploadStatus
from api.content.uploads.server import tus_context
from api.content.uploads.sweep import sweep
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.testing.uploads.memory import patch_headers
from api.testing.uploads.process import HostInLoop, HostProcess, RunningHost, cut_connection, raw_patch
from cluster.storage.opening import open_storage
from cluster.testing.patience import PATIENCE_S
from cluster.testing.s3_server import S3Server, running_s3

MEGABYTE = 1_000_000
CHUNK = 50 * MEGABYTE
"""The chunk size of the product's pages."""


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    with running_s3(monkeypatch) as server:
        for name, value in server.settings().items():
            monkeypatch.setenv(name, value)
        yield server


@pytest.fixture
async def host(s3: S3Server, tmp_path: Path) -> AsyncIterator[HostInLoop]:
    made = HostInLoop(tmp_path / "one")
    await made.prepare()
    await made.start()
    yield made
    await made.stop()
    await made.database.close()


def content(size: int) -> bytes:
    return random.Random(size).randbytes(size)


async def standing(client: httpx2.AsyncClient, location: str) -> int:
    answer = await client.head(location)
    assert answer.status_code == 200, answer.status_code
    return int(answer.headers["Upload-Offset"])


async def until_held(host: RunningHost) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            async with host.database.read() as session:
                if await session.scalar(select(TusUpload.lock_owner)) is not None:
                    return
            await asyncio.sleep(0.01)


async def check(host: RunningHost, s3: S3Server, body: bytes) -> None:
    """One file in the bucket, equal to what was sent, and nothing beside it. Completing it did not download it."""
    (file,) = await host.files()
    assert not [call for call in s3.calls if call.startswith("GET") and call.endswith(f"{file.original_key}?")]
    assert b"".join(open_storage(host.settings).read(file.original_key)) == body
    assert s3.keys() == [f"sagascript/{file.original_key}"]
    assert s3.multiparts() == []
    upload = await host.upload()
    assert (upload.status, upload.bytes_uploaded) == (UploadStatus.WAITING, len(body))


async def patch(client: httpx2.AsyncClient, location: str, offset: int, body: bytes) -> httpx2.Response:
    return await client.patch(location, headers=patch_headers(offset), content=body)


@pytest.mark.parametrize(("size", "chunk"), [(CHUNK + 9 * MEGABYTE, CHUNK), (100_000, 10_000)])
async def test_a_stock_client_sends_a_file(
    host: HostInLoop, s3: S3Server, tmp_path: Path, size: int, chunk: int
) -> None:
    body = content(size)
    path = tmp_path / "sent.mp4"
    path.write_bytes(body)
    headers = {"Authorization": f"Bearer {await host.token()}"}

    def send() -> None:
        tuspy.TusClient(host.url, headers=headers).uploader(
            str(path), chunk_size=chunk, metadata={"filename": "sent.mp4"}
        ).upload()

    await asyncio.to_thread(send)
    await check(host, s3, body)


@pytest.mark.long
async def test_a_killed_server_has_stored_what_it_acknowledged(s3: S3Server, tmp_path: Path) -> None:
    process = HostProcess(tmp_path / "one")
    await process.prepare()
    await process.start()
    body = content(24 * MEGABYTE)
    try:
        async with process.client() as client:
            location = await process.create(client, len(body))
            assert (await patch(client, location, 0, body[:MEGABYTE])).status_code == 204
            begun = len(s3.calls)
            with cut_connection(process, raw_patch(process, location, MEGABYTE, len(body) - MEGABYTE)) as connection:
                await asyncio.to_thread(connection.sendall, body[MEGABYTE : 20 * MEGABYTE])
                async with asyncio.timeout(PATIENCE_S):
                    while not any("partNumber=2" in call for call in s3.calls[begun:]):
                        await asyncio.sleep(0.01)
                await process.stop(signal.SIGKILL)
        await process.start()
        async with process.client() as client:
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    # The dead server's lease must expire first.
                    offset = await standing(client, location)
                    answer = await patch(client, location, offset, body[offset:])
                    if answer.status_code != 423:
                        break
            assert offset >= MEGABYTE
            assert answer.status_code == 204
        await check(process, s3, body)
    finally:
        await process.stop()
        await process.database.close()


@pytest.mark.long
async def test_servers_without_a_shared_disk_take_turns(host: HostInLoop, s3: S3Server, tmp_path: Path) -> None:
    other = HostInLoop(tmp_path / "two", database_url=host.settings.db_url)
    other.user_id, other.cookies = host.user_id, host.cookies
    await other.start()
    body = content(13 * MEGABYTE)
    go_on = asyncio.Event()

    async def slowly() -> AsyncIterator[bytes]:
        yield body[10 * MEGABYTE : 11 * MEGABYTE]
        await go_on.wait()
        yield body[11 * MEGABYTE :]

    try:
        async with host.client() as client, other.client() as second:
            location = await host.create(client, len(body))
            assert (await patch(client, location, 0, body[: 3 * MEGABYTE])).status_code == 204
            assert await standing(second, location) == 3 * MEGABYTE
            assert (await patch(second, location, 3 * MEGABYTE, body[3 * MEGABYTE : 10 * MEGABYTE])).status_code == 204
            headers = patch_headers(10 * MEGABYTE)
            first = asyncio.create_task(client.patch(location, headers=headers, content=slowly()))
            await until_held(host)
            # The request to the other server interrupts the holder, which records what it has.
            offset = await standing(second, location)
            answer = await patch(second, location, offset, body[offset:])
            go_on.set()
            assert (await first).status_code != 204
            assert answer.status_code == 204
            assert 10 * MEGABYTE <= offset <= 11 * MEGABYTE
        await check(host, s3, body)
    finally:
        await other.stop()
        await other.database.close()


@pytest.mark.long
async def test_ended_uploads_leave_nothing_in_the_bucket(host: HostInLoop, s3: S3Server) -> None:
    async with host.client() as client:
        cancelled, expired = [await host.create(client, 20 * MEGABYTE) for _ in range(2)]
        for location in (cancelled, expired):
            assert (await patch(client, location, 0, content(9 * MEGABYTE))).status_code == 204
        assert len(s3.multiparts()) == 2
        assert (await client.delete(cancelled)).status_code == 204
        assert len(s3.multiparts()) == 1
        assert (await client.head(cancelled)).status_code == 410
        state = AppState(settings=host.settings, database=host.database, storage=open_storage(host.settings))
        async with host.database.write() as session:
            await session.execute(update(TusUpload).values(expires_at=utc_now() - timedelta(seconds=1)))
        await sweep(tus_context(state), host.database)
        assert (await client.head(expired)).status_code == 410
    assert s3.multiparts() == []
    assert s3.keys() == []


@pytest.mark.long
async def test_bytes_that_fail_their_checksum_are_dropped(host: HostInLoop, s3: S3Server) -> None:
    body = content(9 * MEGABYTE)
    async with host.client() as client:
        location = await host.create(client, len(body))
        headers = patch_headers(0) | {"Upload-Checksum": "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0="}
        assert (await client.patch(location, headers=headers, content=body)).status_code == 460
        assert await standing(client, location) == 0
        assert (await patch(client, location, 0, body)).status_code == 204
    await check(host, s3, body)


@pytest.mark.long
async def test_a_service_that_is_down_is_waited_for(host: HostInLoop, s3: S3Server) -> None:
    body = content(2 * MEGABYTE)
    async with host.client() as client:
        location = await host.create(client, len(body))
        assert (await patch(client, location, 0, body[:MEGABYTE])).status_code == 204
        s3.stop()
        answer = await patch(client, location, MEGABYTE, body[MEGABYTE:])
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) >= 1
        assert answer.json()["message"].endswith("try again in a moment.")
        s3.start()
        assert await standing(client, location) == MEGABYTE
        assert (await patch(client, location, MEGABYTE, body[MEGABYTE:])).status_code == 204
    await check(host, s3, body)


@pytest.mark.long
async def test_errors_now_and_then_and_slow_answers_go_unnoticed(host: HostInLoop, s3: S3Server) -> None:
    s3.fail_every, s3.delay_s = 4, 0.02
    body = content(10 * MEGABYTE)
    async with host.client() as client:
        location = await host.create(client, len(body))
        for start in range(0, len(body), 3 * MEGABYTE):
            assert (await patch(client, location, start, body[start : start + 3 * MEGABYTE])).status_code == 204
    s3.fail_every = None
    await check(host, s3, body)


@pytest.mark.long
async def test_many_large_uploads_cost_little_memory(s3: S3Server, tmp_path: Path) -> None:
    process = HostProcess(tmp_path / "one")
    await process.prepare()
    await process.start()
    body = content(20 * MEGABYTE)

    async def send(client: httpx2.AsyncClient) -> None:
        location = await process.create(client, len(body))
        assert (await patch(client, location, 0, body)).status_code == 204

    try:
        async with process.client() as client:
            await send(client)
            before = peak_bytes(process)
            await asyncio.gather(*(send(client) for _ in range(10)))
        assert peak_bytes(process) - before < 80 * MEGABYTE
    finally:
        await process.stop()
        await process.database.close()


def peak_bytes(process: HostProcess) -> int:
    assert process.process is not None
    lines = Path(f"/proc/{process.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
