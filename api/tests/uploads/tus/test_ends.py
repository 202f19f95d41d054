"""tus 1.0.0, chapters Termination and Expiration."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from email.utils import parsedate_to_datetime

import httpx2

from api.platform.db.base import utc_now
from api.testing.uploads.memory import MemoryHost, create, offset_of, patch_headers


async def test_a_terminated_upload_is_gone_with_its_bytes(host: MemoryHost, client: httpx2.AsyncClient) -> None:
    location = await create(client, 6)
    await client.patch(location, headers=patch_headers(0), content=b"abc")
    assert (await client.delete(location)).status_code == 204
    assert list(host.store.folder.iterdir()) == []
    assert (await client.head(location)).status_code == 410
    assert (await client.patch(location, headers=patch_headers(3), content=b"def")).status_code == 410
    assert (await client.delete(location)).status_code == 204, "a repeat changes nothing"
    assert (await client.head(location)).status_code == 410


async def test_a_complete_upload_is_not_terminated(host: MemoryHost, client: httpx2.AsyncClient) -> None:
    location = await create(client, 3)
    await client.patch(location, headers=patch_headers(0), content=b"abc")
    assert (await client.delete(location)).status_code == 403
    assert await offset_of(client, location) == 3
    assert (await client.patch(location, headers=patch_headers(3))).status_code == 204
    assert (await client.patch(location, headers=patch_headers(3), content=b"d")).status_code == 413
    assert len(host.completed) == 1


async def test_upload_expires_must_be_in_every_patch_response_and_in_the_creation(client: httpx2.AsyncClient) -> None:
    created = await client.post("/tus/", headers={"Upload-Length": "6"})
    patched = await client.patch(created.headers["Location"], headers=patch_headers(0), content=b"abc")
    for answer in (created, patched):
        assert parsedate_to_datetime(answer.headers["Upload-Expires"]) > utc_now()
        assert answer.headers["Upload-Expires"].endswith("GMT")


async def test_an_expired_upload_is_gone(host: MemoryHost, client: httpx2.AsyncClient) -> None:
    location = await create(client, 6)
    upload_id = location.rpartition("/")[2]
    host.records.rows[upload_id] = replace(host.records.rows[upload_id], expires_at=utc_now() - timedelta(seconds=1))
    assert (await client.head(location)).status_code == 410
    assert (await client.patch(location, headers=patch_headers(0), content=b"abc")).status_code == 410
    assert host.bytes_of(location) == b""
