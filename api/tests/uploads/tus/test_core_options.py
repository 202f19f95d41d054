"""tus 1.0.0, chapters OPTIONS, Tus-Resumable and X-HTTP-Method-Override."""

from __future__ import annotations

import httpx2
import pytest

from api.content.uploads.tus.checksum import ALGORITHMS
from api.content.uploads.tus.headers import EXTENSIONS, VERSION
from api.testing.uploads.memory import MAX_SIZE, MemoryHost, create, patch_headers

METHODS = ["POST", "HEAD", "PATCH", "DELETE"]


@pytest.mark.parametrize("path", ["/tus/", f"/tus/{'0' * 40}"])
@pytest.mark.parametrize("version", [None, VERSION, "0.2.2"])
async def test_a_successful_options_response_must_contain_tus_version_and_the_server_must_ignore_tus_resumable(
    host: MemoryHost, path: str, version: str | None
) -> None:
    async with host.client(None) as client:
        del client.headers["Tus-Resumable"]
        answer = await client.options(path, headers={} if version is None else {"Tus-Resumable": version})
    assert answer.status_code == 204
    assert answer.headers["Tus-Version"] == answer.headers["Tus-Resumable"] == VERSION
    assert answer.headers["Tus-Extension"].split(",") == list(EXTENSIONS)
    assert answer.headers["Tus-Max-Size"] == str(MAX_SIZE)
    assert answer.headers["Tus-Checksum-Algorithm"].split(",") == list(ALGORITHMS)


@pytest.mark.long
@pytest.mark.parametrize("version", ["0.2.2", "", None])
@pytest.mark.parametrize("method", METHODS)
async def test_an_unsupported_version_must_get_412_with_tus_version_and_must_not_be_processed(
    host: MemoryHost, client: httpx2.AsyncClient, method: str, version: str | None
) -> None:
    location = await create(client, 4)
    del client.headers["Tus-Resumable"]
    headers = patch_headers(0) | ({} if version is None else {"Tus-Resumable": version})
    answer = await client.request(method, "/tus/" if method == "POST" else location, headers=headers, content=b"abcd")
    assert answer.status_code == 412
    assert answer.headers["Tus-Version"] == VERSION
    assert host.bytes_of(location) == b""
    assert not next(iter(host.records.rows.values())).terminated


@pytest.mark.long
@pytest.mark.parametrize("token", ["token", None])
@pytest.mark.parametrize("method", ["GET", *METHODS])
async def test_tus_resumable_must_be_included_in_every_response(
    host: MemoryHost, method: str, token: str | None
) -> None:
    async with host.client(token) as client:
        for path in ("/tus/", f"/tus/{'0' * 40}"):
            answer = await client.request(method, path, headers=patch_headers(0))
            assert answer.status_code >= 400
            assert answer.headers["Tus-Resumable"] == VERSION


@pytest.mark.parametrize("actual", ["POST", "GET", "PUT", "DELETE"])
async def test_the_override_must_be_the_method_and_the_actual_method_must_be_ignored(
    host: MemoryHost, client: httpx2.AsyncClient, actual: str
) -> None:
    location = await create(client, 3)
    headers = patch_headers(0, **{"X-HTTP-Method-Override": "PATCH"})
    answer = await client.request(actual, location, headers=headers, content=b"abc")
    assert answer.status_code == 204
    assert host.whole() == [b"abc"]


@pytest.mark.parametrize(("override", "status"), [("HEAD", 200), ("DELETE", 204), ("TRACE", 405)])
async def test_other_methods_are_overridden_too(client: httpx2.AsyncClient, override: str, status: int) -> None:
    location = await create(client, 3)
    answer = await client.post(location, headers={"X-HTTP-Method-Override": override})
    assert answer.status_code == status


async def test_other_methods_are_refused_with_the_ones_that_work(client: httpx2.AsyncClient) -> None:
    answer = await client.get(await create(client, 3))
    assert answer.status_code == 405
    assert "PATCH" in answer.headers["Allow"]
