"""tus 1.0.0, chapter Checksum."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import re
from collections.abc import AsyncIterator

import httpx2
import pytest

from api.content.uploads.tus import inflow
from api.content.uploads.tus.checksum import ALGORITHMS, MISMATCH
from api.testing.uploads.memory import MemoryHost, create, defer, offset_of, patch_headers


def checked(body: bytes, algorithm: str = "sha256", offset: int = 0) -> dict[str, str]:
    value = base64.b64encode(hashlib.new(algorithm, body).digest()).decode()
    return patch_headers(offset, **{"Upload-Checksum": f"{algorithm} {value}"})


async def test_the_server_must_support_at_least_sha1_and_names_must_be_lower_case() -> None:
    assert "sha1" in ALGORITHMS
    assert all(re.fullmatch(r"[\x21-\x40\x5b-\x7e]+", name) for name in ALGORITHMS)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
async def test_once_the_entire_request_has_been_received_the_server_must_verify_it(
    host: MemoryHost, client: httpx2.AsyncClient, algorithm: str
) -> None:
    location = await create(client, 6)
    assert (await client.patch(location, headers=checked(b"abc", algorithm), content=b"abc")).status_code == 204
    answer = await client.patch(location, headers=checked(b"def", algorithm, offset=3), content=b"def")
    assert answer.status_code == 204
    assert host.whole() == [b"abcdef"]


@pytest.mark.long
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("checkpoint", [1, inflow.CHECKPOINT_BYTES])
async def test_on_a_mismatch_the_chunk_must_be_discarded_and_the_offset_must_not_be_updated(
    host: MemoryHost, client: httpx2.AsyncClient, algorithm: str, checkpoint: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inflow, "CHECKPOINT_BYTES", checkpoint)
    location = await create(client, 6)
    await client.patch(location, headers=patch_headers(0), content=b"abc")
    answer = await client.patch(location, headers=checked(b"def", algorithm, offset=3), content=b"dEf")
    assert answer.status_code == MISMATCH == 460
    assert await offset_of(client, location) == 3
    assert host.whole() == []
    await client.patch(location, headers=patch_headers(3), content=b"def")
    assert host.whole() == [b"abcdef"]


async def test_a_mismatch_of_what_comes_with_a_creation_keeps_nothing(
    host: MemoryHost, client: httpx2.AsyncClient
) -> None:
    headers = checked(b"abc") | {"Upload-Length": "6"}
    assert (await client.post("/tus/", headers=headers, content=b"aBc")).status_code == MISMATCH
    (row,) = host.records.rows.values()
    assert row.offset == 0


async def test_a_checked_chunk_that_is_cut_keeps_nothing(host: MemoryHost, client: httpx2.AsyncClient) -> None:
    location = await defer(client)

    async def cut() -> AsyncIterator[bytes]:
        yield b"a" * 300_000
        raise ConnectionError

    with contextlib.suppress(ConnectionError):
        await client.patch(location, headers=checked(b"a" * 600_000), content=cut())
    assert await offset_of(client, location) == 0


@pytest.mark.long
@pytest.mark.parametrize(
    "value", ["md5 XUFAKrxLKna5cZ2REBfFkg==", "SHA1 2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha1", "sha1 !", "sha256 YWJj", ""]
)
async def test_an_algorithm_that_is_not_supported_or_a_value_that_cannot_be_gets_400(
    host: MemoryHost, client: httpx2.AsyncClient, value: str
) -> None:
    location = await create(client, 3)
    answer = await client.patch(location, headers=patch_headers(0, **{"Upload-Checksum": value}), content=b"abc")
    assert answer.status_code == 400
    assert answer.json()["message"].endswith(".")
    assert host.bytes_of(location) == b""
