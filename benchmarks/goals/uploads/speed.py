"""Megabytes per core-second and per second, for each server and each way of sending."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.goals.uploads.sending import MIB, TusConnection, connected, send_raw
from benchmarks.goals.uploads.servers import Server

MB = 1_000_000
SIZE = 256 * MIB
CHUNK = 8 * MIB
STOCK = 50_000_000
"""The chunk size of the product's pages."""


@dataclass(frozen=True, slots=True)
class Way:
    """`SIZE` bytes in PATCHes of `chunk` bytes, with or without checksums.

    Without `to_the_end`, the upload is declared one byte longer. This measures the requests without the completion,
    which the other servers do not have.
    """

    chunk: int
    to_the_end: bool = False
    with_checksum: bool = False


def per_core_second(server: Server, send: Callable[[], int]) -> float:
    before = server.cpu_s
    sent = send()
    spent = server.cpu_s - before
    server.clear()
    return sent / MB / spent


def per_second(server: Server, send: Callable[[], int]) -> float:
    begun = time.monotonic()
    sent = send()
    spent = time.monotonic() - begun
    server.clear()
    return sent / MB / spent


def tus(server: Server, way: Way, tokens: Iterator[str] | None, times: int = 1) -> Callable[[], int]:
    """Send `times` uploads. Only the product needs `tokens`."""

    def send() -> int:
        for _ in range(times):
            headers = {"Authorization": f"Bearer {next(tokens)}"} if tokens is not None else {}
            with connected(server.port, **headers) as connection:
                _upload(connection, way)
        return SIZE * times

    return send


def _upload(connection: TusConnection, way: Way) -> None:
    location = connection.create(SIZE if way.to_the_end else SIZE + 1)
    for offset in range(0, SIZE, way.chunk):
        count = min(way.chunk, SIZE - offset)
        connection.patch(location, offset, count, with_checksum=way.with_checksum)


def raw(server: Server, size: int, times: int = 1) -> Callable[[], int]:
    def send() -> int:
        for _ in range(times):
            send_raw(server.port, size)
        return size * times

    return send
