"""tus 1.0.0, chapter HEAD."""

from __future__ import annotations

import base64

import httpx2
import pytest

from api.testing.uploads.memory import MemoryHost, create, patch_headers

METADATA = "filename " + base64.b64encode("viðtal.mp4".encode()).decode() + ",is_private"


@pytest.mark.parametrize("sent", [b"", b"1234", b"1234567890"])
async def test_the_server_must_always_include_upload_offset_even_if_it_is_0_or_the_upload_is_completed(
    client: httpx2.AsyncClient, sent: bytes
) -> None:
    location = await create(client, 10)
    await client.patch(location, headers=patch_headers(0), content=sent)
    answer = await client.head(location)
    assert answer.status_code == 200
    assert answer.headers["Upload-Offset"] == str(len(sent))
    assert answer.content == b""


async def test_if_the_size_is_known_the_server_must_include_upload_length(client: httpx2.AsyncClient) -> None:
    assert (await client.head(await create(client, 10))).headers["Upload-Length"] == "10"


async def test_the_server_must_prevent_caching_by_cache_control_no_store(client: httpx2.AsyncClient) -> None:
    for location in (await create(client, 10), f"/tus/{'0' * 40}"):
        assert (await client.head(location)).headers["Cache-Control"] == "no-store"


@pytest.mark.long
@pytest.mark.parametrize("method", ["HEAD", "PATCH", "DELETE"])
@pytest.mark.parametrize("upload_id", ["0" * 40, "nothing", "..%2f..%2fetc%2fpasswd", "a/b"])
async def test_if_the_resource_is_not_found_the_server_should_return_404_without_upload_offset(
    client: httpx2.AsyncClient, method: str, upload_id: str
) -> None:
    answer = await client.request(method, f"/tus/{upload_id}", headers=patch_headers(0))
    assert answer.status_code == 404
    assert "Upload-Offset" not in answer.headers


@pytest.mark.long
@pytest.mark.parametrize("method", ["HEAD", "PATCH", "DELETE"])
async def test_somebody_elses_upload_is_not_found(host: MemoryHost, client: httpx2.AsyncClient, method: str) -> None:
    location = await create(client, 4)
    async with host.client("another") as other:
        answer = await other.request(method, location, headers=patch_headers(0), content=b"evil")
    assert answer.status_code == 404
    assert host.bytes_of(location) == b""
    assert (await client.head(location)).headers["Upload-Offset"] == "0"


async def test_head_must_include_upload_metadata_as_specified_during_the_creation(client: httpx2.AsyncClient) -> None:
    location = await create(client, 10, **{"Upload-Metadata": METADATA})
    assert (await client.head(location)).headers["Upload-Metadata"] == METADATA
