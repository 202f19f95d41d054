"""The core of tus 1.0.0: every MUST of it, as a client meets it."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import random
import resource
from collections.abc import AsyncIterator

import httpx
import pytest

from api.tests.uploads.memory import MAX_SIZE, OWN_ORIGIN, MemoryHost, patch_headers
from api.uploads.tus.headers import EXTENSIONS, VERSION


async def create(client: httpx.AsyncClient, length: int, **more: str) -> str:
    answer = await client.post("/tus/", headers={"Upload-Length": str(length), **more})
    assert answer.status_code == 201, answer.text
    return str(answer.headers["Location"])


async def offset_of(client: httpx.AsyncClient, location: str) -> int:
    answer = await client.head(location)
    assert answer.status_code == 200
    return int(answer.headers["Upload-Offset"])


async def test_options_says_what_the_server_can_without_a_version(host: MemoryHost) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=host.app), base_url="http://t") as plain:
        answer = await plain.options("/tus/")
    assert answer.status_code == 204
    assert answer.headers["Tus-Resumable"] == VERSION
    assert answer.headers["Tus-Version"] == VERSION
    assert answer.headers["Tus-Extension"].split(",") == list(EXTENSIONS)
    assert answer.headers["Tus-Max-Size"] == str(MAX_SIZE)


@pytest.mark.parametrize("version", ["0.2.2", "", None])
@pytest.mark.parametrize("method", ["POST", "HEAD", "PATCH", "DELETE"])
async def test_another_version_is_refused_and_ours_is_named(
    host: MemoryHost, client: httpx.AsyncClient, method: str, version: str | None
) -> None:
    location = await create(client, 4)
    del client.headers["Tus-Resumable"]
    headers = patch_headers(0) | ({} if version is None else {"Tus-Resumable": version})
    answer = await client.request(method, "/tus/" if method == "POST" else location, headers=headers, content=b"abcd")
    assert answer.status_code == 412
    assert answer.headers["Tus-Version"] == VERSION
    assert host.bytes_of(location) == b""


async def test_a_chunked_upload_is_kept_in_order_and_completes(host: MemoryHost, client: httpx.AsyncClient) -> None:
    location = await create(client, 9)
    for offset, part in ((0, b"abc"), (3, b"def"), (6, b"ghi")):
        answer = await client.patch(location, headers=patch_headers(offset), content=part)
        assert answer.status_code == 204
        assert answer.headers["Upload-Offset"] == str(offset + 3)
        assert answer.headers["Tus-Resumable"] == VERSION
    (found, announced), *more = host.completed.values()
    assert not more
    assert found == announced


async def test_head_tells_offset_length_and_is_never_cached(client: httpx.AsyncClient) -> None:
    metadata = "filename " + base64.b64encode("viðtal.mp4".encode()).decode() + ",is_private"
    location = await create(client, 10, **{"Upload-Metadata": metadata})
    await client.patch(location, headers=patch_headers(0), content=b"1234")
    answer = await client.head(location)
    assert answer.status_code == 200
    assert answer.headers["Upload-Offset"] == "4"
    assert answer.headers["Upload-Length"] == "10"
    assert answer.headers["Upload-Metadata"] == metadata
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.content == b""


@pytest.mark.parametrize("method", ["HEAD", "PATCH", "DELETE"])
@pytest.mark.parametrize("upload_id", ["0" * 40, "nothing", "..%2f..%2fetc%2fpasswd", "a/b"])
async def test_an_unknown_upload_is_not_found_and_has_no_offset(
    client: httpx.AsyncClient, method: str, upload_id: str
) -> None:
    answer = await client.request(method, f"/tus/{upload_id}", headers=patch_headers(0))
    assert answer.status_code == 404
    assert "Upload-Offset" not in answer.headers


@pytest.mark.parametrize("method", ["HEAD", "PATCH", "DELETE"])
async def test_somebody_elses_upload_is_not_found(host: MemoryHost, client: httpx.AsyncClient, method: str) -> None:
    location = await create(client, 4)
    async with host.client("another") as other:
        answer = await other.request(method, location, headers=patch_headers(0), content=b"evil")
    assert answer.status_code == 404
    assert host.bytes_of(location) == b""
    assert await offset_of(client, location) == 0


async def test_without_credentials_not_one_byte_of_the_body_is_read(
    host: MemoryHost, client: httpx.AsyncClient
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
    assert read == []
    assert host.bytes_of(location) == b""
    assert len(host.records.rows) == 1


@pytest.mark.parametrize("sent", [0, 1, 3, 5, 100])
async def test_a_wrong_offset_changes_nothing(host: MemoryHost, client: httpx.AsyncClient, sent: int) -> None:
    location = await create(client, 8)
    await client.patch(location, headers=patch_headers(0), content=b"ab")
    await client.patch(location, headers=patch_headers(2), content=b"cd")
    answer = await client.patch(location, headers=patch_headers(sent), content=b"XX")
    assert answer.status_code == 409
    assert host.bytes_of(location) == b"abcd"


@pytest.mark.parametrize("content_type", ["application/octet-stream", "text/plain", ""])
async def test_a_wrong_content_type_writes_nothing(
    host: MemoryHost, client: httpx.AsyncClient, content_type: str
) -> None:
    location = await create(client, 4)
    headers = {"Content-Type": content_type, "Upload-Offset": "0"}
    answer = await client.patch(location, headers=headers, content=b"abcd")
    assert answer.status_code == 415
    assert host.bytes_of(location) == b""


@pytest.mark.parametrize("offset", ["-1", "abc", "1.5", "", " ", "9" * 30, None])
async def test_an_offset_that_is_no_number_is_refused(
    host: MemoryHost, client: httpx.AsyncClient, offset: str | None
) -> None:
    location = await create(client, 4)
    headers = patch_headers(0)
    del headers["Upload-Offset"]
    if offset is not None:
        headers["Upload-Offset"] = offset
    answer = await client.patch(location, headers=headers, content=b"abcd")
    assert answer.status_code == 400
    assert host.bytes_of(location) == b""


async def test_a_body_past_the_length_harms_nothing(host: MemoryHost, client: httpx.AsyncClient) -> None:
    location = await create(client, 8)
    await client.patch(location, headers=patch_headers(0), content=b"0123")
    answer = await client.patch(location, headers=patch_headers(4), content=b"AAAAAAAA")
    assert answer.status_code == 413
    assert await offset_of(client, location) == 4
    assert (await client.patch(location, headers=patch_headers(4), content=b"4567")).status_code == 204
    assert [found for found, _ in host.completed.values()] == [
        "924592b9b103f14f833faafb67f480691f01988aa457c0061769f58cd47311bc"
    ]


async def test_a_streamed_body_past_the_length_harms_nothing_even_after_a_checkpoint(
    host: MemoryHost, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    from api.uploads.tus import inflow

    monkeypatch.setattr(inflow, "BUFFER_BYTES", 2)
    monkeypatch.setattr(inflow, "CHECKPOINT_BYTES", 2)
    location = await create(client, 8)
    await client.patch(location, headers=patch_headers(0), content=b"0123")

    async def body() -> AsyncIterator[bytes]:
        for _ in range(6):
            yield b"A"

    answer = await client.patch(location, headers=patch_headers(4), content=body())
    assert answer.status_code == 413
    assert await offset_of(client, location) == 4
    await client.patch(location, headers=patch_headers(4), content=b"4567")
    (found, _), *_ = host.completed.values()
    assert found == "924592b9b103f14f833faafb67f480691f01988aa457c0061769f58cd47311bc"


async def test_a_body_without_content_length_is_taken(host: MemoryHost, client: httpx.AsyncClient) -> None:
    location = await create(client, 6)

    async def body() -> AsyncIterator[bytes]:
        yield b"abc"
        yield b""
        yield b"def"

    answer = await client.patch(location, headers=patch_headers(0), content=body())
    assert "content-length" not in answer.request.headers
    assert answer.status_code == 204
    assert len(host.completed) == 1


async def test_a_second_writer_is_told_to_wait_and_the_first_goes_on(
    host: MemoryHost, client: httpx.AsyncClient
) -> None:
    location = await create(client, 6)
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slow() -> AsyncIterator[bytes]:
        yield b"abc"
        begun.set()
        await go_on.wait()
        yield b"def"

    first = asyncio.create_task(client.patch(location, headers=patch_headers(0), content=slow()))
    await begun.wait()
    second = await client.patch(location, headers=patch_headers(0), content=b"XXXXXX")
    standing = await client.head(location)
    go_on.set()
    assert second.status_code == 423
    assert standing.status_code == 200
    assert (await first).status_code == 204
    (found, announced), *_ = host.completed.values()
    assert found == announced == "bef57ec7f53a6d40beb640a780a639c83bc29ac8a9816f1fc6c5c6dcd93c4721"


async def test_bytes_a_crash_left_past_the_recorded_offset_are_overwritten(
    host: MemoryHost, client: httpx.AsyncClient
) -> None:
    answer = await client.post("/tus/", headers={"Upload-Defer-Length": "1"})
    location = answer.headers["Location"]
    await client.patch(location, headers=patch_headers(0), content=b"abc")
    with host.store.path(location.rpartition("/")[2]).open("ab") as file:
        file.write(b"left over by a crash")
    await client.patch(location, headers=patch_headers(3, **{"Upload-Length": "6"}), content=b"def")
    (found, _), *_ = host.completed.values()
    assert found == "bef57ec7f53a6d40beb640a780a639c83bc29ac8a9816f1fc6c5c6dcd93c4721"


async def test_bytes_the_disk_lost_are_asked_for_again(host: MemoryHost, client: httpx.AsyncClient) -> None:
    location = await create(client, 6)
    await client.patch(location, headers=patch_headers(0), content=b"abcd")
    host.store.path(location.rpartition("/")[2]).write_bytes(b"ab")
    assert (await client.patch(location, headers=patch_headers(4), content=b"ef")).status_code == 409
    assert await offset_of(client, location) == 2
    await client.patch(location, headers=patch_headers(2), content=b"cdef")
    (found, _), *_ = host.completed.values()
    assert found == "bef57ec7f53a6d40beb640a780a639c83bc29ac8a9816f1fc6c5c6dcd93c4721"


async def test_a_hash_that_was_not_running_is_left_to_the_completion(
    host: MemoryHost, client: httpx.AsyncClient
) -> None:
    location = await create(client, 6)
    await client.patch(location, headers=patch_headers(0), content=b"abc")
    host.tus.digests.forget(location.rpartition("/")[2])
    await client.patch(location, headers=patch_headers(3), content=b"def")
    assert [announced for _, announced in host.completed.values()] == [None]


async def test_a_full_disk_keeps_what_was_written(host: MemoryHost, client: httpx.AsyncClient) -> None:
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
    assert await offset_of(client, location) == 500_000
    again = await client.patch(location, headers=patch_headers(500_000), content=body[500_000:])
    assert again.status_code == 204
    (found, announced), *_ = host.completed.values()
    assert found == hashlib.sha256(body).hexdigest()
    assert announced in (None, found)


async def test_a_method_behind_a_proxy_can_be_named_in_a_header(host: MemoryHost, client: httpx.AsyncClient) -> None:
    location = await create(client, 3)
    answer = await client.post(
        location, headers=patch_headers(0, **{"X-HTTP-Method-Override": "PATCH"}), content=b"abc"
    )
    assert answer.status_code == 204
    assert len(host.completed) == 1


async def test_other_methods_are_refused_with_the_ones_that_work(client: httpx.AsyncClient) -> None:
    location = await create(client, 3)
    answer = await client.get(location)
    assert answer.status_code == 405
    assert "PATCH" in answer.headers["Allow"]


async def test_records_that_are_away_are_a_short_break(
    host: MemoryHost, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    location = await create(client, 3)

    async def away(*_: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(host.records, "get", away)
    answer = await client.patch(location, headers=patch_headers(0), content=b"abc")
    assert answer.status_code == 503
    assert "Retry-After" in answer.headers


@pytest.mark.parametrize(("origin", "with_cookies"), [(OWN_ORIGIN, True), ("https://elsewhere.example", False)])
async def test_pages_of_other_origins_may_read_the_headers_but_not_use_cookies(
    client: httpx.AsyncClient, origin: str, with_cookies: bool
) -> None:
    answer = await client.post("/tus/", headers={"Upload-Length": "4", "Origin": origin})
    exposed = {name.strip() for name in answer.headers["Access-Control-Expose-Headers"].split(",")}
    assert {"Location", "Upload-Offset", "Upload-Length", "Tus-Resumable", "Tus-Version"} <= exposed
    assert answer.headers["Access-Control-Allow-Origin"] == (origin if with_cookies else "*")
    assert ("Access-Control-Allow-Credentials" in answer.headers) is with_cookies


async def test_a_preflight_allows_the_headers_of_the_protocol(client: httpx.AsyncClient) -> None:
    answer = await client.options(
        "/tus/", headers={"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "PATCH"}
    )
    allowed = answer.headers["Access-Control-Allow-Headers"].lower()
    for name in ("upload-offset", "upload-length", "upload-metadata", "tus-resumable", "authorization", "content-type"):
        assert name in allowed
    assert "PATCH" in answer.headers["Access-Control-Allow-Methods"]
