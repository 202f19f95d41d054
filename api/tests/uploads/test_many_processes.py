"""Several upload servers over one store and one database: an upload may move between them, and any may die."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx2
import pytest

from api.testing.uploads.content import MEGABYTE, check_file, content, standing
from api.testing.uploads.memory import patch_headers
from api.testing.uploads.process import HostProcess, cut_connection, raw_patch
from cluster.testing.patience import PATIENCE_S

HOSTS = 3


@pytest.fixture
async def hosts(tmp_path: Path, database_url: str) -> AsyncIterator[list[HostProcess]]:
    made = [HostProcess(tmp_path, database_url=database_url) for _ in range(HOSTS)]
    await made[0].prepare()
    for other in made[1:]:
        other.cookies, other.user_id = made[0].cookies, made[0].user_id
    await asyncio.gather(*(host.start() for host in made))
    yield made
    for host in made:
        await host.stop()
        await host.database.close()


async def test_one_upload_moves_between_processes_and_one_is_killed(hosts: list[HostProcess]) -> None:
    body = content(12 * MEGABYTE)
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(host.client()) for host in hosts]
        location = await hosts[0].create(clients[0], len(body))
        for number in range(6):
            offset = number * MEGABYTE
            part = body[offset : offset + MEGABYTE]
            answer = await clients[number % HOSTS].patch(location, headers=patch_headers(offset), content=part)
            assert answer.status_code == 204, answer.text
        with cut_connection(hosts[1], raw_patch(hosts[1], location, 6 * MEGABYTE, 6 * MEGABYTE)) as connection:
            connection.sendall(body[6 * MEGABYTE : 9 * MEGABYTE])
            async with asyncio.timeout(PATIENCE_S):
                while hosts[0].incoming_size(location) < 8 * MEGABYTE:
                    await asyncio.sleep(0.01)
            await hosts[1].stop(signal.SIGKILL)
        offset = await standing(clients[2], location)
        assert offset >= 6 * MEGABYTE
        answer = await clients[2].patch(location, headers=patch_headers(offset), content=body[offset:])
        assert answer.status_code == 204, answer.text
        assert await standing(clients[0], location) == len(body)
    await check_file(hosts[0], body)


@pytest.mark.long
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_new_request_to_another_process_makes_a_busy_holder_release(hosts: list[HostProcess]) -> None:
    body = content(40 * MEGABYTE)
    here, there = hosts[:2]
    async with here.client() as first, there.client() as second:
        location = await here.create(first, len(body))
        sending = asyncio.create_task(_trickle(here, location, body))
        async with asyncio.timeout(PATIENCE_S):
            while here.incoming_size(location) < MEGABYTE:
                await asyncio.sleep(0.01)
        # The holder is still receiving. A HEAD returns the recorded offset, and the client may resume there.
        offset = await standing(second, location)
        assert MEGABYTE <= offset < len(body)
        answer = await second.patch(location, headers=patch_headers(offset), content=body[offset:])
        assert answer.status_code == 204, answer.text
        sending.cancel()
    await check_file(here, body)


@pytest.mark.long
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_parts_sent_to_different_processes_are_concatenated_by_another(hosts: list[HostProcess]) -> None:
    body = content(4 * MEGABYTE)
    token = {"Authorization": f"Bearer {await hosts[0].token()}"}
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(host.client()) for host in hosts]
        locations = []
        for number in range(4):
            part = body[number * MEGABYTE : (number + 1) * MEGABYTE]
            headers = patch_headers(0, **token, **{"Upload-Length": str(MEGABYTE), "Upload-Concat": "partial"})
            answer = await clients[number % HOSTS].post("/tus/", headers=headers, content=part)
            assert answer.headers["Upload-Offset"] == str(MEGABYTE)
            locations.append(answer.headers["Location"])
        headers = token | {"Upload-Concat": f"final;{' '.join(locations)}"}
        answers = await asyncio.gather(*(client.post("/tus/", headers=headers) for client in clients))
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.headers["Location"] for answer in answers}) == 1
        for location in locations:
            assert (await clients[0].head(location)).status_code == 410
    await check_file(hosts[0], body)


async def _trickle(host: HostProcess, location: str, body: bytes) -> None:
    """Send a part at once and the rest in crumbs, so that no pause counts as silence and the body never ends."""

    async def parts() -> AsyncIterator[bytes]:
        yield body[: 2 * MEGABYTE]
        for start in range(2 * MEGABYTE, len(body), 100):
            yield body[start : start + 100]
            await asyncio.sleep(0.05)

    async with host.client() as client:
        headers = patch_headers(0, **{"Content-Length": str(len(body))})
        try:
            await client.patch(location, headers=headers, content=parts())
        except httpx2.TransportError:
            return
