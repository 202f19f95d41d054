"""tus 1.0.0, chapter PATCH, and bodies that its text does not cover."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2
import pytest

from api.content.uploads.tus import body, inflow
from api.content.uploads.tus.headers import VERSION
from api.testing.uploads.memory import MemoryHost, create, offset_of, patch_headers


async def test_success_must_be_204_with_upload_offset_the_sum_of_the_old_offset_and_the_bytes_received(
    host: MemoryHost, client: httpx2.AsyncClient
) -> None:
    location = await create(client, 9)
    for offset, part in ((0, b"abc"), (3, b"def"), (6, b"ghi")):
        answer = await client.patch(location, headers=patch_headers(offset), content=part)
        assert answer.status_code == 204
        assert answer.headers["Upload-Offset"] == str(offset + 3)
        assert answer.headers["Tus-Resumable"] == VERSION
    assert host.whole() == [b"abcdefghi"]


async def test_without_credentials_not_one_byte_of_the_body_is_read(
    host: MemoryHost, client: httpx2.AsyncClient
) -> None:
    location = await create(client, 4)
    read: list[bytes] = []

    async def body() -> AsyncIterator[bytes]:
        read.append(b"evil")
        yield b"evil"

    async with host.client(None) as stranger:
        patched = await stranger.patch(location, headers=patch_headers(0), content=body())
        created = await stranger.post("/tus/", headers=patch_headers(0, **{"Upload-Length": "4"}), content=body())
    assert (patched.status_code, created.status_code) == (401, 401)
    # A client on a connection can always send; the server discards it.
    assert host.is_on_port or read == []
    assert host.bytes_of(location) == b""
    assert len(host.records.rows) == 1


@pytest.mark.long
@pytest.mark.parametrize("sent", [0, 1, 3, 5, 100])
async def test_if_the_offsets_do_not_match_the_server_must_respond_409_without_modifying_the_upload(
    host: MemoryHost, client: httpx2.AsyncClient, sent: int
) -> None:
    location = await create(client, 8)
    await client.patch(location, headers=patch_headers(0), content=b"ab")
    await client.patch(location, headers=patch_headers(2), content=b"cd")
    answer = await client.patch(location, headers=patch_headers(sent), content=b"XX")
    assert answer.status_code == 409
    assert host.bytes_of(location) == b"abcd"


@pytest.mark.parametrize("content_type", ["application/octet-stream", "text/plain", ""])
async def test_all_patch_requests_must_use_the_content_type_otherwise_415(
    host: MemoryHost, client: httpx2.AsyncClient, content_type: str
) -> None:
    location = await create(client, 4)
    headers = {"Content-Type": content_type, "Upload-Offset": "0"}
    answer = await client.patch(location, headers=headers, content=b"abcd")
    assert answer.status_code == 415
    assert host.bytes_of(location) == b""


@pytest.mark.long
@pytest.mark.parametrize("offset", ["-1", "abc", "1.5", "", "9" * 30, None])
async def test_upload_offset_must_be_a_non_negative_integer(
    host: MemoryHost, client: httpx2.AsyncClient, offset: str | None
) -> None:
    location = await create(client, 4)
    headers = patch_headers(0)
    del headers["Upload-Offset"]
    if offset is not None:
        headers["Upload-Offset"] = offset
    answer = await client.patch(location, headers=headers, content=b"abcd")
    assert answer.status_code == 400
    assert host.bytes_of(location) == b""


async def test_a_body_past_the_length_harms_nothing(host: MemoryHost, client: httpx2.AsyncClient) -> None:
    location = await create(client, 8)
    await client.patch(location, headers=patch_headers(0), content=b"0123")
    answer = await client.patch(location, headers=patch_headers(4), content=b"AAAAAAAA")
    assert answer.status_code == 413
    assert await offset_of(client, location) == 4
    assert (await client.patch(location, headers=patch_headers(4), content=b"4567")).status_code == 204
    assert host.whole() == [b"01234567"]


async def test_a_streamed_body_past_the_length_harms_nothing_even_after_a_checkpoint(
    host: MemoryHost, client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body, "BUFFER_BYTES", 2)
    monkeypatch.setattr(inflow, "CHECKPOINT_BYTES", 2)
    location = await create(client, 8)
    await client.patch(location, headers=patch_headers(0), content=b"0123")

    async def too_much() -> AsyncIterator[bytes]:
        for _ in range(6):
            yield b"A"

    answer = await client.patch(location, headers=patch_headers(4), content=too_much())
    assert answer.status_code == 413
    assert await offset_of(client, location) == 4
    await client.patch(location, headers=patch_headers(4), content=b"4567")
    assert host.whole() == [b"01234567"]


async def test_a_body_without_content_length_is_taken(host: MemoryHost, client: httpx2.AsyncClient) -> None:
    location = await create(client, 6)

    async def body() -> AsyncIterator[bytes]:
        yield b"abc"
        yield b""
        yield b"def"

    answer = await client.patch(location, headers=patch_headers(0), content=body())
    assert "content-length" not in answer.request.headers
    assert answer.status_code == 204
    assert len(host.completed) == 1
