"""Crashes, full disks, concurrent requests for one upload, and silent senders."""

from __future__ import annotations

import asyncio
import random
import resource
from collections.abc import AsyncIterator

import httpx2
import pytest

from api.content.uploads.tus import body as bodies
from api.content.uploads.tus.app import BUSY
from api.testing.uploads.memory import MemoryHost, create, defer, offset_of, patch_headers
from cluster.testing.patience import PATIENCE_S


class SlowBody:
    """Sends its first part, then waits for `go_on`."""

    def __init__(self, first: bytes, rest: bytes) -> None:
        self.begun = asyncio.Event()
        self.go_on = asyncio.Event()
        self._parts = first, rest

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._parts[0]
        self.begun.set()
        await self.go_on.wait()
        yield self._parts[1]


async def _written(host: MemoryHost, location: str, size: int) -> None:
    """Wait until this many bytes of the upload were received and written. Sent is not yet received."""
    path = host.store.path(location.rpartition("/")[2])
    async with asyncio.timeout(PATIENCE_S):
        while not path.exists() or path.stat().st_size < size:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("announced", [True, False])
async def test_a_new_request_makes_the_holder_record_everything_and_release(
    host: MemoryHost, client: httpx2.AsyncClient, announced: bool
) -> None:
    location = await create(client, 6)
    slow = SlowBody(b"abc", b"def")
    headers = patch_headers(0) | ({"Content-Length": "6"} if announced else {})
    first = asyncio.create_task(client.patch(location, headers=headers, content=slow))
    await _written(host, location, 3)
    offset = await offset_of(client, location)
    assert offset == 3
    second = await client.patch(location, headers=patch_headers(3), content=b"DEF")
    slow.go_on.set()
    assert second.status_code == 204
    # The first request ends with a status that clients do not retry.
    assert (await first).status_code == 400
    assert host.whole() == [b"abcDEF"]


async def test_a_holder_that_does_not_release_causes_a_423_after_the_wait(
    host: MemoryHost, client: httpx2.AsyncClient
) -> None:
    location = await create(client, 6)
    async with host.tus.locks.hold(location.rpartition("/")[2]) as lock:
        assert lock is not None
        answer = await client.patch(location, headers=patch_headers(0), content=b"abcdef")
        assert answer.status_code == 423
        assert lock.wanted.is_set()
        assert (await client.delete(location)).status_code == 423
        assert await offset_of(client, location) == 0
    assert (await client.patch(location, headers=patch_headers(0), content=b"abcdef")).status_code == 204


async def test_a_silent_sender_loses_nothing_and_gets_a_503(
    host: MemoryHost, client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "QUIET_S", 0.05)
    monkeypatch.setattr(bodies, "SILENCE_LIMIT_S", 0.2)
    location = await create(client, 6)
    slow = SlowBody(b"abc", b"def")
    headers = patch_headers(0, **{"Content-Length": "6"})
    sending = asyncio.create_task(client.patch(location, headers=headers, content=slow))
    async with asyncio.timeout(PATIENCE_S):
        while host.records.rows[location.rpartition("/")[2]].offset != 3:
            await asyncio.sleep(0.01)
    async with asyncio.timeout(PATIENCE_S):
        while (host.locks_folder / location.rpartition("/")[2]).exists():
            await asyncio.sleep(0.01)
    slow.go_on.set()
    assert (await sending).status_code == 503
    offset = await offset_of(client, location)
    assert offset == 3
    await client.patch(location, headers=patch_headers(offset), content=b"DEF")
    assert host.whole() == [b"abcDEF"]


@pytest.mark.parametrize("host", ["in process"], indirect=True)
async def test_the_end_of_the_process_loses_nothing_and_is_a_503(host: MemoryHost, client: httpx2.AsyncClient) -> None:
    location = await create(client, 6)
    slow = SlowBody(b"abc", b"def")
    headers = patch_headers(0, **{"Content-Length": "6"})
    sending = asyncio.create_task(client.patch(location, headers=headers, content=slow))
    await _written(host, location, 3)
    # As uvicorn does with what still runs.
    sending.cancel()
    answer = await sending
    assert (answer.status_code, answer.json()["message"]) == (503, BUSY)
    assert answer.headers["Tus-Resumable"] == "1.0.0"
    assert await offset_of(client, location) == 3
    await client.patch(location, headers=patch_headers(3), content=b"DEF")
    assert host.whole() == [b"abcDEF"]


async def test_bytes_a_crash_left_past_the_recorded_offset_are_overwritten(
    host: MemoryHost, client: httpx2.AsyncClient
) -> None:
    location = await defer(client)
    await client.patch(location, headers=patch_headers(0), content=b"abc")
    with host.store.path(location.rpartition("/")[2]).open("ab") as file:
        file.write(b"left over by a crash")
    await client.patch(location, headers=patch_headers(3, **{"Upload-Length": "6"}), content=b"def")
    assert host.whole() == [b"abcdef"]


async def test_bytes_lost_by_the_disk_are_sent_again(host: MemoryHost, client: httpx2.AsyncClient) -> None:
    location = await create(client, 6)
    await client.patch(location, headers=patch_headers(0), content=b"abcd")
    host.store.path(location.rpartition("/")[2]).write_bytes(b"ab")
    assert (await client.patch(location, headers=patch_headers(4), content=b"ef")).status_code == 409
    assert await offset_of(client, location) == 2
    await client.patch(location, headers=patch_headers(2), content=b"cdef")
    assert host.whole() == [b"abcdef"]


async def test_records_that_are_away_are_a_short_break(
    host: MemoryHost, client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    location = await create(client, 3)

    async def away(*_: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(host.records, "get", away)
    answer = await client.patch(location, headers=patch_headers(0), content=b"abc")
    assert answer.status_code == 503
    assert "Retry-After" in answer.headers


async def test_a_full_disk_is_507_and_the_upload_goes_on_when_there_is_room(
    host: MemoryHost, client: httpx2.AsyncClient
) -> None:
    body = random.Random(1).randbytes(900_000)
    location = await create(client, len(body))
    await client.patch(location, headers=patch_headers(0), content=body[:500_000])
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    # The kernel takes 100,000 of these bytes and refuses the rest, as a full disk does.
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, unlimited[1]))
    try:
        answer = await client.patch(location, headers=patch_headers(500_000), content=body[500_000:])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert answer.status_code == 507
    assert answer.json()["message"].endswith(".")
    assert await offset_of(client, location) == 600_000
    again = await client.patch(location, headers=patch_headers(600_000), content=body[600_000:])
    assert again.status_code == 204
    assert host.whole() == [body]


async def test_a_server_that_stops_waits_for_requests_that_are_under_way(
    host: MemoryHost, client: httpx2.AsyncClient
) -> None:
    """Uvicorn cancels them and closes at once; recording what has arrived takes a busy machine longer."""
    location = await create(client, 6)
    slow = SlowBody(b"abc", b"def")
    sending = asyncio.create_task(client.patch(location, headers=patch_headers(0), content=slow))
    async with asyncio.timeout(PATIENCE_S):
        await slow.begun.wait()
        while not host.tus.running:
            await asyncio.sleep(0)
        resting = asyncio.create_task(host.tus.rest(PATIENCE_S))
        await asyncio.sleep(0)
        assert not resting.done()
        slow.go_on.set()
        assert (await sending).status_code == 204
        await resting
    assert host.tus.running == set()
