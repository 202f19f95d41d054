"""tus 1.0.0, chapters Creation and Creation With Upload."""

from __future__ import annotations

import base64

import httpx2
import pytest

from api.content.uploads.tus.headers import parse_metadata
from api.testing.uploads.memory import MAX_SIZE, MemoryHost, create, patch_headers


async def test_the_server_must_acknowledge_with_201_and_must_set_location(
    host: MemoryHost, client: httpx2.AsyncClient
) -> None:
    location = await create(client, 10)
    upload_id = location.removeprefix("/tus/")
    assert len(bytes.fromhex(upload_id)) * 8 >= 128
    assert host.records.rows[upload_id].length == 10


@pytest.mark.long
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
async def test_a_creation_must_include_one_length_and_metadata_must_be_unique_keys_and_base64(
    host: MemoryHost, client: httpx2.AsyncClient, headers: dict[str, str]
) -> None:
    answer = await client.post("/tus/", headers=headers)
    assert answer.status_code == 400
    assert answer.json()["message"].endswith(".")
    assert host.records.rows == {}


async def test_if_the_length_exceeds_the_maximum_the_server_must_respond_413(
    host: MemoryHost, client: httpx2.AsyncClient
) -> None:
    assert (await client.post("/tus/", headers={"Upload-Length": str(MAX_SIZE + 1)})).status_code == 413
    assert host.records.rows == {}


async def test_more_than_the_disk_holds_is_refused_at_once(
    host: MemoryHost, client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(host.store), "free_bytes", lambda _self: 100)
    refused = await client.post("/tus/", headers={"Upload-Length": "101"})
    assert (refused.status_code, "nothing was sent" in refused.text) == (507, True)


async def test_a_token_creates_one_upload(client: httpx2.AsyncClient) -> None:
    await create(client, 10)
    answer = await client.post("/tus/", headers={"Upload-Length": "11"})
    assert answer.status_code == 403


async def test_a_creation_whose_answer_was_lost_finds_its_upload_again(client: httpx2.AsyncClient) -> None:
    headers = patch_headers(0, **{"Upload-Length": "6"})
    first = await client.post("/tus/", headers=headers, content=b"abc")
    again = await client.post("/tus/", headers=headers, content=b"abc")
    assert again.status_code == 201
    assert again.headers["Location"] == first.headers["Location"]
    assert again.headers["Upload-Offset"] == "3"


async def test_bytes_with_the_creation_must_be_answered_with_upload_offset(
    host: MemoryHost, client: httpx2.AsyncClient
) -> None:
    answer = await client.post("/tus/", headers=patch_headers(0, **{"Upload-Length": "6"}), content=b"abcdef")
    assert answer.status_code == 201
    assert answer.headers["Upload-Offset"] == "6"
    assert len(host.completed) == 1


async def test_too_many_bytes_with_the_creation_are_refused(host: MemoryHost, client: httpx2.AsyncClient) -> None:
    answer = await client.post("/tus/", headers=patch_headers(0, **{"Upload-Length": "6"}), content=b"abcdefg")
    assert answer.status_code == 413
    assert not host.completed


@pytest.mark.parametrize("with_body", [True, False])
async def test_an_upload_of_zero_bytes_is_complete_at_once(
    host: MemoryHost, client: httpx2.AsyncClient, with_body: bool
) -> None:
    headers = {"Upload-Length": "0"} | (patch_headers(0) if with_body else {})
    answer = await client.post("/tus/", headers=headers)
    assert answer.status_code == 201
    assert answer.headers["Upload-Offset"] == "0"
    assert host.whole() == [b""]


def test_metadata_is_read_in_any_script() -> None:
    name = "Ráðstefna 会議 עברית.mp4"
    header = f"filename {base64.b64encode(name.encode()).decode()},empty,language aXMtSVM="
    assert parse_metadata(header) == {"filename": name, "empty": "", "language": "is-IS"}
    assert parse_metadata("name " + base64.b64encode(b"\xff\xfea").decode()) == {"name": "��a"}
