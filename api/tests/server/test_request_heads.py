"""Request heads that are too large, too slow or endless, from clients that speak minimal HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import itertools
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import pytest
from uvicorn.protocols.http import httptools_impl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from api.platform.http.limits import HEAD_BYTES_MAX, HEADERS_MAX
from api.platform.server.request_heads import BODY_BUFFER_BYTES, BoundedHttpProtocol
from cluster.testing.patience import PATIENCE_S

PLAIN = b"GET /api/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
MEGABYTE = b"x" * 1_000_000


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def until_closed(port: int, parts: Iterable[bytes]) -> bytes:
    """Send the parts, and return all that the server sends until it closes the connection."""
    async with asyncio.timeout(PATIENCE_S), connected(port) as (reader, writer):

        async def send() -> None:
            with contextlib.suppress(ConnectionError):
                for part in parts:
                    writer.write(part)
                    await writer.drain()
                    await asyncio.sleep(0)

        sending = asyncio.create_task(send())
        seen = b""
        with contextlib.suppress(ConnectionError):
            while part := await reader.read(65536):
                seen += part
        sending.cancel()
        return seen


async def answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Status and body of the next response."""
    async with asyncio.timeout(PATIENCE_S):
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
        return int(head.split()[1]), await reader.readexactly(length)


LARGE = {
    "one header": [b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", *[MEGABYTE] * 3],
    "many headers": [b"GET / HTTP/1.1\r\nHost: localhost\r\n", *[b"x: y\r\n" * 10_000] * 20],
    "an address": [b"GET /", *[MEGABYTE] * 3],
    "a little over": [PLAIN[:-2] + b"X: " + b"x" * (HEAD_BYTES_MAX - len(PLAIN)) + b"\r\n\r\n"],
    "too many headers": [PLAIN[:-2] + b"x: y\r\n" * HEADERS_MAX + b"\r\n"],
}


@pytest.mark.parametrize("parts", LARGE.values(), ids=LARGE.keys())
async def test_a_head_that_is_too_large_is_rejected_with_a_sentence(port: int, parts: list[bytes]) -> None:
    head, _, body = (await until_closed(port, parts)).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 431 ")
    assert json.loads(body)["message"].endswith(".")


async def test_a_large_head_within_the_limit_is_read_in_any_pieces(port: int) -> None:
    head = PLAIN[:-2] + b"X: " + b"x" * (HEAD_BYTES_MAX - len(PLAIN) - 100) + b"\r\n\r\n"
    async with connected(port) as (reader, writer):
        writer.write(head)
        first = await answer(reader)
        for start in range(0, len(head), 1000):
            writer.write(head[start : start + 1000])
            await writer.drain()
        # On the same connection: the count of the first head must not carry over.
        assert await answer(reader) == first
    assert first[0] == 404


async def test_requests_sent_together_are_answered_in_turn(port: int) -> None:
    body = b"POST /none HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n\r\n" + b"x" * 300_000
    async with connected(port) as (reader, writer):
        writer.write(PLAIN * 3 + body + PLAIN * 2)
        found = [(await answer(reader))[0] for _ in range(6)]
    nowhere, not_for_posts = 404, found[3]
    assert not_for_posts in (404, 405)
    assert found == [nowhere, nowhere, nowhere, not_for_posts, nowhere, nowhere]


SLOW = {
    "silence": [],
    "half a head": [b"GET / HTTP/1.1\r\nHost:"],
    "empty lines": itertools.repeat(b"\r\n"),
    "headers without end": [b"GET / HTTP/1.1\r\n"],
    "silence after an answer": [PLAIN],
}


@pytest.mark.long
@pytest.mark.parametrize("parts", SLOW.values(), ids=SLOW.keys())
async def test_a_connection_that_brings_no_request_is_closed(
    port: int, parts: Iterable[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoundedHttpProtocol, "head_within_s", 0.5)
    seen = await until_closed(port, parts)
    assert not seen or seen.startswith((b"HTTP/1.1 408 ", b"HTTP/1.1 404 ", b"HTTP/1.1 431 "))


@pytest.mark.long
async def test_an_endless_unread_body_is_cut_after_the_response(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoundedHttpProtocol, "unread_body_within_s", 0.5)
    head = b"POST /none HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    seen = await until_closed(port, itertools.chain([head], itertools.repeat(b"3e8\r\n" + b"x" * 1000 + b"\r\n")))
    assert seen.startswith(b"HTTP/1.1 40")


async def test_a_connection_stays_open_while_it_waits_for_a_response(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoundedHttpProtocol, "head_within_s", 0.3)
    async with connected(port) as (reader, writer):
        for _ in range(3):
            writer.write(PLAIN)
            assert (await answer(reader))[0] == 404
            await asyncio.sleep(0.5)


async def test_anything_but_http_is_rejected(port: int) -> None:
    for nonsense in (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", b"CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n"):
        assert (await until_closed(port, [nonsense])).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize(
    "name",
    [
        "_should_upgrade",
        "_unset_keepalive_if_required",
        "handle_websocket_upgrade",
        "on_header",
        "on_headers_complete",
        "on_message_complete",
        "on_response_complete",
        "send_400_response",
    ],
)
def test_uvicorn_still_has_the_methods_that_the_limits_override(name: str) -> None:
    """None of this is documented by uvicorn. If one of them is gone, adapt `BoundedHttpProtocol`."""
    assert callable(getattr(HttpToolsProtocol, name))
    assert "response_complete" in RequestResponseCycle.__init__.__code__.co_names


def test_uvicorn_still_reads_the_limit_of_buffered_bodies_where_we_set_it() -> None:
    assert vars(httptools_impl)["HIGH_WATER_LIMIT"] == BODY_BUFFER_BYTES
    assert "> HIGH_WATER_LIMIT" in inspect.getsource(httptools_impl.HttpToolsProtocol.on_body)
