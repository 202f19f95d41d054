"""Requests that are too large, never finished or too many, mostly by strangers without an account."""

from __future__ import annotations

import contextlib
import itertools
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from benchmarks.soak.abuse.target import (
    ANSWER_WITHIN_S,
    HOST,
    PIECE,
    REST_S,
    Tally,
    Target,
    Until,
    repeat,
    rounds,
    status_of,
)

JSON_BYTES = 60_000_000
MULTIPART_BYTES = 150_000_000
HEAD_BYTES = 40_000_000
HEADER_LINES = 1_000_000
GUESSERS = 40
SILENT_CONNECTIONS = 180
FRAGMENTS = 100_000


def large_json(target: Target, until: Until) -> Tally:
    body = b"[" + b"{}," * (JSON_BYTES // 3) + b"{}]"
    return repeat(lambda: target.send("POST", "/login", body, {"Content-Type": "application/json"}), until)


def large_form(target: Target, until: Until) -> Tally:
    content = bytes(MULTIPART_BYTES)
    return repeat(lambda: target.import_captions("talk", content, "large.srt", signed_in=False), until)


def sign_ins(target: Target, until: Until) -> Tally:
    """Sign in as many invented people at once."""

    def guess(number: int) -> Tally:
        tally, headers = Tally(), target.stranger()
        for again in rounds(until):
            account = {"email": f"z{number}-{again}@example.com", "password": "not the password"}
            outcome = target.post_json("/login", account, headers)
            tally[outcome] += 1
            # Without a rest after a refusal, a thread would only measure how fast the server refuses.
            time.sleep(REST_S if outcome == "429" else 0)
        return tally

    with ThreadPoolExecutor(GUESSERS) as threads:
        return sum(threads.map(guess, range(GUESSERS)), Tally())


def long_header(target: Target, until: Until) -> Tally:
    def pieces() -> Iterator[bytes]:
        yield b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: "
        yield from itertools.repeat(b"a" * PIECE, HEAD_BYTES // PIECE)
        yield b"\r\n\r\n"

    return repeat(lambda: target.raw(pieces()), until)


def many_headers(target: Target, until: Until) -> Tally:
    lines = b"".join(b"X-%d: a\r\n" % number for number in range(1000))

    def pieces() -> Iterator[bytes]:
        yield b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        yield from itertools.repeat(lines, HEADER_LINES // 1000)
        yield b"\r\n"

    return repeat(lambda: target.raw(pieces()), until)


def long_url(target: Target, until: Until) -> Tally:
    def pieces() -> Iterator[bytes]:
        yield b"GET /"
        yield from itertools.repeat(b"a" * PIECE, HEAD_BYTES // PIECE)
        yield b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

    return repeat(lambda: target.raw(pieces()), until)


def silent_connections(target: Target, until: Until) -> Tally:
    """Send nothing, half a head or half a body, then stay silent. `open` counts connections still open at the end."""
    starts = (
        b"",
        b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half",
        b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    )
    with contextlib.ExitStack() as stack:
        connections = []
        for number in range(SILENT_CONNECTIONS):
            connection = stack.enter_context(socket.create_connection((HOST, target.port), ANSWER_WITHIN_S))
            connection.sendall(starts[number % len(starts)])
            connection.setblocking(False)
            connections.append(connection)
        while until():
            time.sleep(REST_S)
        return Tally("open" if _is_open(connection) else "closed" for connection in connections)


def fragments(target: Target, until: Until) -> Tally:
    """Send a websocket message in empty fragments without an end, 600 kB each time."""
    key = "AAAAAAAAAAAAAAAAAAAAAA=="
    head = (
        f"GET /app/{target.realtime_key}?protocol=7&client=js&version=8.4.0 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
    )
    first, more = b"\x01\x80" + bytes(4), b"\x00\x80" + bytes(4)

    def act() -> str:
        try:
            with socket.create_connection((HOST, target.port), ANSWER_WITHIN_S) as connection:
                connection.sendall(head.encode())
                status = status_of(connection)
                connection.sendall(first + more * FRAGMENTS)
                while connection.recv(4096):
                    pass
                return status
        except TimeoutError:
            return "no answer"
        except OSError:
            return "cut"

    return repeat(act, until)


def _is_open(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False
