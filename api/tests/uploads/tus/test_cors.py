"""Pages of other origins: the headers that their stock clients must be able to send and read."""

from __future__ import annotations

import httpx2
import pytest

from api.testing.uploads.memory import OWN_ORIGIN, create, patch_headers

TOLD = (
    "Location",
    "Upload-Offset",
    "Upload-Length",
    "Upload-Defer-Length",
    "Upload-Metadata",
    "Upload-Expires",
    "Upload-Concat",
    "Tus-Resumable",
    "Tus-Version",
    "Tus-Extension",
    "Tus-Max-Size",
    "Tus-Checksum-Algorithm",
)
"""Every header of the protocol that a response may have. Browsers hide all others from pages."""

ASKED = (
    "Authorization",
    "Content-Type",
    "Tus-Resumable",
    "Upload-Offset",
    "Upload-Length",
    "Upload-Defer-Length",
    "Upload-Metadata",
    "Upload-Checksum",
    "Upload-Concat",
    "X-HTTP-Method-Override",
    "X-Requested-With",
    "X-Request-ID",
)
"""Every header that stock clients send."""


@pytest.mark.parametrize(("origin", "with_cookies"), [(OWN_ORIGIN, True), ("https://elsewhere.example", False)])
async def test_pages_of_other_origins_may_read_the_headers_but_not_use_cookies(
    client: httpx2.AsyncClient, origin: str, with_cookies: bool
) -> None:
    answer = await client.post("/tus/", headers={"Upload-Length": "4", "Origin": origin})
    exposed = {name.strip() for name in answer.headers["Access-Control-Expose-Headers"].split(",")}
    assert set(TOLD) <= exposed
    assert answer.headers["Access-Control-Allow-Origin"] == (origin if with_cookies else "*")
    assert ("Access-Control-Allow-Credentials" in answer.headers) is with_cookies


async def test_a_preflight_allows_the_headers_of_the_protocol(client: httpx2.AsyncClient) -> None:
    answer = await client.options(
        "/tus/", headers={"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "PATCH"}
    )
    allowed = answer.headers["Access-Control-Allow-Headers"].lower()
    for name in ASKED:
        assert name.lower() in allowed
    assert "PATCH" in answer.headers["Access-Control-Allow-Methods"]


async def test_refusals_can_be_read_by_pages_of_other_origins(client: httpx2.AsyncClient) -> None:
    location = await create(client, 4)
    headers = patch_headers(2, Origin="https://elsewhere.example")
    answer = await client.patch(location, headers=headers, content=b"ab")
    assert answer.status_code == 409
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
