"""tus 1.0.0, chapter Creation, `Upload-Defer-Length`."""

from __future__ import annotations

import httpx2
import pytest

from api.testing.uploads.memory import MAX_SIZE, MemoryHost, create, defer, offset_of, patch_headers


async def test_while_the_length_is_not_known_head_must_say_upload_defer_length_1_and_a_patch_sets_it(
    host: MemoryHost, client: httpx2.AsyncClient
) -> None:
    location = await defer(client)
    standing = await client.head(location)
    assert standing.headers["Upload-Defer-Length"] == "1"
    assert "Upload-Length" not in standing.headers
    await client.patch(location, headers=patch_headers(0), content=b"abc")
    assert not host.completed
    answer = await client.patch(location, headers=patch_headers(3, **{"Upload-Length": "6"}), content=b"d")
    assert answer.status_code == 204
    assert (await client.head(location)).headers["Upload-Length"] == "6"
    await client.patch(location, headers=patch_headers(4), content=b"ef")
    assert len(host.completed) == 1


async def test_a_deferred_length_can_be_set_when_all_bytes_are_there(
    host: MemoryHost, client: httpx2.AsyncClient
) -> None:
    location = await defer(client)
    await client.patch(location, headers=patch_headers(0), content=b"abc")
    answer = await client.patch(location, headers=patch_headers(3, **{"Upload-Length": "3"}))
    assert answer.status_code == 204
    assert len(host.completed) == 1


@pytest.mark.parametrize(("length", "status"), [("2", 400), (str(MAX_SIZE + 1), 413), ("x", 400)])
async def test_a_deferred_length_that_cannot_be_is_refused(
    host: MemoryHost, client: httpx2.AsyncClient, length: str, status: int
) -> None:
    location = await defer(client)
    await client.patch(location, headers=patch_headers(0), content=b"abc")
    answer = await client.patch(location, headers=patch_headers(3, **{"Upload-Length": length}), content=b"d")
    assert answer.status_code == status
    assert host.bytes_of(location) == b"abc"


async def test_once_set_the_length_must_not_be_changed(client: httpx2.AsyncClient) -> None:
    location = await create(client, 6)
    answer = await client.patch(location, headers=patch_headers(0, **{"Upload-Length": "7"}), content=b"a")
    assert answer.status_code == 400
    assert await offset_of(client, location) == 0


async def test_a_deferred_upload_ends_at_the_limit(client: httpx2.AsyncClient) -> None:
    location = await defer(client)
    answer = await client.patch(location, headers=patch_headers(0), content=b"x" * (MAX_SIZE + 1))
    assert answer.status_code == 413
