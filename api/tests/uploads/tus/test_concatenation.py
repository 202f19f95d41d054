"""tus 1.0.0, chapter Concatenation."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from datetime import timedelta

import httpx2
import pytest

from api.content.uploads.tus.recovery import finish_if_free
from api.platform.db.base import utc_now
from api.testing.uploads.memory import MAX_SIZE, MemoryHost, create, offset_of, patch_headers

PARTIAL = {"Upload-Concat": "partial"}


async def part(client: httpx2.AsyncClient, body: bytes, *, length: int | None = None) -> str:
    location = await create(client, len(body) if length is None else length, **PARTIAL)
    if body:
        assert (await client.patch(location, headers=patch_headers(0), content=body)).status_code == 204
    return location


async def put_together(client: httpx2.AsyncClient, *locations: str, **more: str) -> httpx2.Response:
    return await client.post("/tus/", headers={"Upload-Concat": f"final;{' '.join(locations)}", **more})


@pytest.mark.parametrize("host_name", ["", "https://uploads.example"])
async def test_a_final_upload_is_its_parts_in_the_order_of_the_list(
    host: MemoryHost, client: httpx2.AsyncClient, host_name: str
) -> None:
    bodies = [random.Random(seed).randbytes(size) for seed, size in enumerate((100_000, 0, 70_001, 3))]
    first, empty, second, third = [await part(client, body) for body in bodies]
    assert host.whole() == []
    addresses = [host_name + location for location in (second, first, empty, third)]
    answer = await put_together(client, *addresses)
    assert answer.status_code == 201
    expected = bodies[2] + bodies[0] + bodies[3]
    assert host.whole() == [expected]
    assert list(host.store.folder.iterdir()) == []


async def test_the_copy_stays_in_the_kernel_and_a_system_without_it_still_works(
    host: MemoryHost, client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied: list[int] = []

    def no_kernel_copy(*_: object, **__: object) -> int:
        copied.append(1)
        raise OSError(38, "not here")

    monkeypatch.setattr(os, "copy_file_range", no_kernel_copy)
    await put_together(client, await part(client, b"abc"), await part(client, b"def"))
    assert copied
    assert host.whole() == [b"abcdef"]


async def test_head_must_include_upload_concat_as_received_for_partial_and_final_uploads(
    client: httpx2.AsyncClient,
) -> None:
    location = await part(client, b"abc")
    assert (await client.head(location)).headers["Upload-Concat"] == "partial"
    final = (await put_together(client, location)).headers["Location"]
    assert (await client.head(final)).headers["Upload-Concat"] == f"final;{location}"


async def test_after_the_concatenation_offset_and_length_must_be_set_and_equal(client: httpx2.AsyncClient) -> None:
    answer = await put_together(client, await part(client, b"abc"), await part(client, b"defg"))
    standing = await client.head(answer.headers["Location"])
    assert standing.headers["Upload-Offset"] == standing.headers["Upload-Length"] == "7"


async def test_the_server_must_respond_403_to_patch_of_a_final_upload_and_must_not_modify_it(
    host: MemoryHost, client: httpx2.AsyncClient
) -> None:
    final = (await put_together(client, await part(client, b"abc"))).headers["Location"]
    for offset in (0, 3):
        assert (await client.patch(final, headers=patch_headers(offset), content=b"XXX")).status_code == 403
    assert await offset_of(client, final) == 3
    assert host.whole() == [b"abc"]


async def test_the_client_must_not_include_upload_length_in_the_final_creation(client: httpx2.AsyncClient) -> None:
    answer = await put_together(client, await part(client, b"abc"), **{"Upload-Length": "3"})
    assert answer.status_code == 400


async def test_metadata_of_parts_shall_not_be_transferred_to_the_final_upload(client: httpx2.AsyncClient) -> None:
    location = await create(client, 0, **PARTIAL, **{"Upload-Metadata": "filename YQ=="})
    final = (await put_together(client, location, **{"Upload-Metadata": "filename Yg=="})).headers["Location"]
    assert (await client.head(final)).headers["Upload-Metadata"] == "filename Yg=="


async def test_unfinished_parts_are_refused_because_concatenation_unfinished_is_not_announced(
    host: MemoryHost, client: httpx2.AsyncClient
) -> None:
    assert "concatenation-unfinished" not in (await client.options("/tus/")).headers["Tus-Extension"]
    location = await part(client, b"abc", length=4)
    assert (await put_together(client, location)).status_code == 400
    # The parts and the token have not changed: the client sends the rest and retries.
    await client.patch(location, headers=patch_headers(3), content=b"d")
    assert (await put_together(client, location)).status_code == 201
    assert host.whole() == [b"abcd"]


async def test_parts_of_another_user_and_unknown_ones_are_not_found(
    host: MemoryHost, client: httpx2.AsyncClient
) -> None:
    async with host.client("another") as other:
        foreign = await part(other, b"abc")
        for location in (foreign, f"/tus/{'0' * 40}", "/tus/../../etc/passwd"):
            assert (await put_together(client, await part(client, b"x"), location)).status_code == 404
        assert await offset_of(other, foreign) == 3
    assert host.whole() == []


async def test_a_plain_upload_is_no_part(host: MemoryHost, client: httpx2.AsyncClient) -> None:
    async with host.client("token") as again:
        location = await create(client, 3)
        assert (await put_together(again, location)).status_code == 400
    assert await offset_of(client, location) == 0


@pytest.mark.long
@pytest.mark.parametrize("concat", ["", "finale;/tus/a", "final", "final;", "Partial", "final;http://[::1"])
async def test_another_upload_concat_is_refused(host: MemoryHost, client: httpx2.AsyncClient, concat: str) -> None:
    answer = await client.post("/tus/", headers={"Upload-Concat": concat, "Upload-Length": "3"})
    assert answer.status_code == 400
    assert host.records.rows == {}


async def test_a_final_upload_over_the_limit_is_rejected(host: MemoryHost, client: httpx2.AsyncClient) -> None:
    half = b"x" * (MAX_SIZE // 2 + 1)
    assert (await put_together(client, await part(client, half), await part(client, half))).status_code == 413
    assert host.whole() == []


async def test_a_final_creation_whose_answer_was_lost_finds_its_upload_again(
    host: MemoryHost, client: httpx2.AsyncClient
) -> None:
    location = await part(client, b"abc")
    first = await put_together(client, location)
    again = await put_together(client, location)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.headers["Location"] == again.headers["Location"]
    assert host.whole() == [b"abc"]


@pytest.mark.parametrize("by", ["head", "sweep"])
async def test_a_concatenation_that_crashed_is_finished(
    host: MemoryHost, client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    locations = [await part(client, b"abc"), await part(client, b"def")]

    def die(*_: object) -> None:
        raise ConnectionError

    with monkeypatch.context() as patched:
        patched.setattr(type(host.store), "concatenate", die)
        assert (await put_together(client, *locations)).status_code == 503
    (final,) = [row for row in host.records.rows.values() if row.is_final]
    if by == "head":
        assert await offset_of(client, f"/tus/{final.id}") == 6
    else:
        await finish_if_free(host.tus, final.id)
    assert host.whole() == [b"abcdef"]
    assert list(host.store.folder.iterdir()) == []


async def test_parts_expire(host: MemoryHost, client: httpx2.AsyncClient) -> None:
    location = await part(client, b"abc")
    upload_id = location.rpartition("/")[2]
    host.records.rows[upload_id] = replace(host.records.rows[upload_id], expires_at=utc_now() - timedelta(seconds=1))
    assert (await client.head(location)).status_code == 410
    assert (await put_together(client, location)).status_code in (404, 410)
    assert host.whole() == []
