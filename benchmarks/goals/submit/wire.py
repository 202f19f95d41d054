"""HTTP over one open connection with a minimal client, so that we measure the server."""

from __future__ import annotations

import asyncio
import time
from http.client import HTTPConnection

RESTS_S = 2.0
"""Servers close a connection that rests for 5 s."""


class Caller:
    """A signed-in browser on one connection."""

    def __init__(self, port: int, headers: dict[str, str] | None = None) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = headers or {}
        self._used_at = time.monotonic()

    def call(self, method: str, path: str, body: str | None = None) -> tuple[int, bytes]:
        if time.monotonic() - self._used_at > RESTS_S:
            # It opens again with the next request.
            self._connection.close()
        self._used_at = time.monotonic()
        headers = {**self._headers, "Content-Type": "application/json", "Accept": "application/json"}
        self._connection.request(method, path, body=body, headers=headers)
        answer = self._connection.getresponse()
        return answer.status, answer.read()

    def timed(self, path: str, body: str | None, expected: int) -> float:
        """Seconds from the request to the whole answer of a POST, or of a GET without a body.

        Raises RuntimeError on an unexpected answer.
        """
        began = time.perf_counter()
        status, answer = self.call("GET" if body is None else "POST", path, body)
        took = time.perf_counter() - began
        if status != expected:
            raise RuntimeError(f"{path} answered {status}: {answer[:300]!r}")
        return took

    def close(self) -> None:
        self._connection.close()


async def get_for(seconds: float, port: int, path: str, headers: dict[str, str], connections: int) -> list[float]:
    """Seconds of each GET on this many parallel connections, one after another on each."""
    lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", *(f"{name}: {value}" for name, value in headers.items())]
    request = "\r\n".join([*lines, "", ""]).encode()
    until = time.perf_counter() + seconds
    took: list[float] = []
    await asyncio.gather(*(_get_until(until, port, request, took) for _ in range(connections)))
    return took


async def _get_until(until: float, port: int, request: bytes, took: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.perf_counter() < until:
        began = time.perf_counter()
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        if not head.startswith(b"http/1.1 200"):
            raise RuntimeError(head.decode())
        await reader.readexactly(int(head.split(b"content-length:")[1].split(b"\r\n")[0]))
        took.append(time.perf_counter() - began)
    writer.close()
