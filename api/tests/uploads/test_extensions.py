"""Creation, with upload, with deferred length, termination and expiration."""

from __future__ import annotations

import base64
from dataclasses import replace
from datetime import timedelta
from email.utils import parsedate_to_datetime

import httpx
import pytest

from api.db.base import utc_now
from api.tests.uploads.memory import MAX_SIZE, MemoryHost, patch_headers
from api.tests.uploads.test_core import create, offset_of
from api.uploads.tus.headers import parse_metadata

EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


async def test_a_creation_answers_where_the_upload_is(host: MemoryHost, client: httpx.AsyncClient) -> None:
    location = await create(client, 10)
    upload_id = location.removeprefix("/tus/")
    assert len(bytes.fromhex(upload_id)) * 8 >= 128
    assert host.records.rows[upload_id].length == 10


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Upload-Length": "-1"},
        {"Upload-Length": "ten"},
        {"Upload-Length": "5", "Upload-Defer-Length": "1"},
        {"Upload-Defer-Length": "0"},
        {"Upload-Length": "5", "Upload-Metadata": "filename !!!"},
        {"Upload-Length": "5", "Upload-Metadata": "filename YQ==,filename Yg=="},
        {"Upload-Length": "5", "Upload-Metadata": ",YQ=="},
        {"Upload-Length": "5", "Upload-Metadata": "filename " + "A" * 9000},
    ],
)
async def test_a_malformed_creation_makes_nothing(
    host: MemoryHost, client: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    answer = await client.post("/tus/", headers=headers)
    assert answer.status_code == 400
    assert answer.json()["message"].endswith(".")
    assert host.records.rows == {}


async def test_a_length_over_the_limit_is_refused(host: MemoryHost, client: httpx.AsyncClient) -> None:
    assert (await client.post("/tus/", headers={"Upload-Length": str(MAX_SIZE + 1)})).status_code == 413
    assert host.records.rows == {}


async def test_more_than_the_disk_holds_is_refused_at_once(
    host: MemoryHost, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(host.store), "free_bytes", lambda _self: 100)
    assert (await client.post("/tus/", headers={"Upload-Length": "101"})).status_code == 507


async def test_a_token_creates_one_upload(client: httpx.AsyncClient) -> None:
    await create(client, 10)
    answer = await client.post("/tus/", headers={"Upload-Length": "11"})
    assert answer.status_code == 403


async def test_a_creation_whose_answer_was_lost_finds_its_upload_again(client: httpx.AsyncClient) -> None:
    headers = patch_headers(0, **{"Upload-Length": "6"})
    first = await client.post("/tus/", headers=headers, content=b"abc")
    again = await client.post("/tus/", headers=headers, content=b"abc")
    assert again.status_code == 201
    assert again.headers["Location"] == first.headers["Location"]
    assert again.headers["Upload-Offset"] == "3"


async def test_bytes_can_come_with_the_creation(host: MemoryHost, client: httpx.AsyncClient) -> None:
    answer = await client.post("/tus/", headers=patch_headers(0, **{"Upload-Length": "6"}), content=b"abcdef")
    assert answer.status_code == 201
    assert answer.headers["Upload-Offset"] == "6"
    assert len(host.completed) == 1


async def test_too_many_bytes_with_the_creation_are_refused(host: MemoryHost, client: httpx.AsyncClient) -> None:
    answer = await client.post("/tus/", headers=patch_headers(0, **{"Upload-Length": "6"}), content=b"abcdefg")
    assert answer.status_code == 413
    assert not host.completed


@pytest.mark.parametrize("with_body", [True, False])
async def test_an_upload_of_zero_bytes_is_complete_at_once(
    host: MemoryHost, client: httpx.AsyncClient, with_body: bool
) -> None:
    headers = {"Upload-Length": "0"} | (patch_headers(0) if with_body else {})
    answer = await client.post("/tus/", headers=headers)
    assert answer.status_code == 201
    assert answer.headers["Upload-Offset"] == "0"
    assert list(host.completed.values()) == [(EMPTY_SHA256, EMPTY_SHA256)]


async def test_a_deferred_length_is_set_later(host: MemoryHost, client: httpx.AsyncClient) -> None:
    location = (await client.post("/tus/", headers={"Upload-Defer-Length": "1"})).headers["Location"]
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
    host: MemoryHost, client: httpx.AsyncClient
) -> None:
    location = (await client.post("/tus/", headers={"Upload-Defer-Length": "1"})).headers["Location"]
    await client.patch(location, headers=patch_headers(0), content=b"abc")
    answer = await client.patch(location, headers=patch_headers(3, **{"Upload-Length": "3"}))
    assert answer.status_code == 204
    assert len(host.completed) == 1


@pytest.mark.parametrize(("length", "status"), [("2", 400), (str(MAX_SIZE + 1), 413), ("x", 400)])
async def test_a_deferred_length_that_cannot_be_is_refused(
    host: MemoryHost, client: httpx.AsyncClient, length: str, status: int
) -> None:
    location = (await client.post("/tus/", headers={"Upload-Defer-Length": "1"})).headers["Location"]
    await client.patch(location, headers=patch_headers(0), content=b"abc")
    answer = await client.patch(location, headers=patch_headers(3, **{"Upload-Length": length}), content=b"d")
    assert answer.status_code == status
    assert host.bytes_of(location) == b"abc"


async def test_a_length_is_never_changed(client: httpx.AsyncClient) -> None:
    location = await create(client, 6)
    answer = await client.patch(location, headers=patch_headers(0, **{"Upload-Length": "7"}), content=b"a")
    assert answer.status_code == 400
    assert await offset_of(client, location) == 0


async def test_a_deferred_upload_ends_at_the_limit(client: httpx.AsyncClient) -> None:
    location = (await client.post("/tus/", headers={"Upload-Defer-Length": "1"})).headers["Location"]
    answer = await client.patch(location, headers=patch_headers(0), content=b"x" * (MAX_SIZE + 1))
    assert answer.status_code == 413


async def test_a_terminated_upload_is_gone_with_its_bytes(host: MemoryHost, client: httpx.AsyncClient) -> None:
    location = await create(client, 6)
    await client.patch(location, headers=patch_headers(0), content=b"abc")
    assert (await client.delete(location)).status_code == 204
    assert list(host.store.folder.iterdir()) == []
    assert (await client.head(location)).status_code == 410
    assert (await client.patch(location, headers=patch_headers(3), content=b"def")).status_code == 410
    assert (await client.delete(location)).status_code == 410


async def test_a_complete_upload_is_not_terminated(host: MemoryHost, client: httpx.AsyncClient) -> None:
    location = await create(client, 3)
    await client.patch(location, headers=patch_headers(0), content=b"abc")
    assert (await client.delete(location)).status_code == 403
    assert await offset_of(client, location) == 3
    assert (await client.patch(location, headers=patch_headers(3))).status_code == 204
    assert (await client.patch(location, headers=patch_headers(3), content=b"d")).status_code == 413
    assert len(host.completed) == 1


async def test_every_answer_says_when_the_upload_expires(client: httpx.AsyncClient) -> None:
    created = await client.post("/tus/", headers={"Upload-Length": "6"})
    patched = await client.patch(created.headers["Location"], headers=patch_headers(0), content=b"abc")
    for answer in (created, patched):
        assert parsedate_to_datetime(answer.headers["Upload-Expires"]) > utc_now()
        assert answer.headers["Upload-Expires"].endswith("GMT")


async def test_an_expired_upload_is_gone(host: MemoryHost, client: httpx.AsyncClient) -> None:
    location = await create(client, 6)
    upload_id = location.rpartition("/")[2]
    host.records.rows[upload_id] = replace(host.records.rows[upload_id], expires_at=utc_now() - timedelta(seconds=1))
    assert (await client.head(location)).status_code == 410
    assert (await client.patch(location, headers=patch_headers(0), content=b"abc")).status_code == 410
    assert host.bytes_of(location) == b""


def test_metadata_is_read_in_any_script() -> None:
    name = "Ráðstefna 会議 עברית.mp4"
    header = f"filename {base64.b64encode(name.encode()).decode()},empty,language aXMtSVM="
    assert parse_metadata(header) == {"filename": name, "empty": "", "language": "is-IS"}
    assert parse_metadata("name " + base64.b64encode(b"\xff\xfea").decode()) == {"name": "��a"}
