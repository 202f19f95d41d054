"""A process that calls the API on many connections, so that its own work does not stop the server's.

    python -m benchmarks.goals.files.callers PORT SECONDS < JSON

Reads lists of requests as text, one list for each connection, which makes them in turn again and again. Writes the
seconds of each call as JSON.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from statistics import quantiles

OK = b"HTTP/1.1 200"
BUSY = b"HTTP/1.1 503"
WARM_UP_S = 1.0
WARM_UP_ANSWERS = 3
"""Calls of the first second do not count, nor those before every connection has this many answers."""


@dataclass(frozen=True, slots=True)
class Calls:
    """The answers of a run. `seconds` are those of each call that counts; `total` counts those before them too.

    `refused` counts answers other than 200, all of them 503 and in none of the others.
    """

    seconds: Sequence[float]
    total: int
    lasted_s: float
    body_bytes: int
    refused: int

    @property
    def per_s(self) -> float:
        return len(self.seconds) / self.lasted_s

    @property
    def p99_ms(self) -> float:
        return 1000 * quantiles(self.seconds, n=100)[98] if len(self.seconds) > 1 else 0.0


def request(path: str, headers: dict[str, str], body: str = "") -> str:
    """A GET, or with a body a POST of JSON."""
    more = {"Content-Type": "application/json", "Content-Length": str(len(body.encode()))} if body else {}
    lines = [f"{'POST' if body else 'GET'} {path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"{name}: {value}" for name, value in (headers | more).items()]
    return "\r\n".join([*lines, "", body])


async def call(port: int, requests: Sequence[Sequence[str]], seconds: float) -> Calls:
    """Each list on its own connection, again and again. Raises RuntimeError for an answer other than 200 and 503."""
    program = [sys.executable, "-m", "benchmarks.goals.files.callers", str(port), str(seconds)]
    process = await asyncio.create_subprocess_exec(
        *program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, problem = await process.communicate(json.dumps([list(each) for each in requests]).encode())
    if process.returncode != 0:
        raise RuntimeError(problem.decode()[-2000:])
    found = json.loads(out)
    return Calls(found["seconds"], found["total"], seconds, found["body_bytes"], found["refused"])


class _Connection(asyncio.Protocol):
    """Sends one request after the other, as soon as each answer is whole."""

    def __init__(self, requests: Sequence[bytes], took: list[float], done: asyncio.Future[None]) -> None:
        self._requests = cycle(requests)
        self._took = took
        self._done = done
        self._missing = 0
        self._head = b""
        self.body_bytes = 0
        self.answers = 0
        self.refused = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self.send()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._done.done():
            self._done.set_exception(exc or ConnectionResetError("The server closed a connection."))

    def data_received(self, data: bytes) -> None:
        if self._missing:
            self._missing -= len(data)
        else:
            self._head += data
            end = self._head.find(b"\r\n\r\n")
            if end < 0:
                return
            if not self._head.startswith((OK, BUSY)):
                self._fail()
                return
            at = self._head.lower().index(b"content-length:") + 15
            self.body_bytes = int(self._head[at : self._head.index(b"\r", at)])
            self._missing = self.body_bytes - (len(self._head) - end - 4)
        if self._missing == 0:
            if self._head.startswith(OK):
                self._took.append(time.perf_counter() - self._began)
            else:
                self.refused += 1
            self.answers += 1
            self.send()

    def send(self) -> None:
        self._head = b""
        self._began = time.perf_counter()
        self._transport.write(next(self._requests))

    def _fail(self) -> None:
        if not self._done.done():
            self._done.set_exception(RuntimeError(self._head.decode(errors="replace")))


async def _run(port: int, seconds: float, requests: Sequence[Sequence[str]]) -> None:
    loop = asyncio.get_running_loop()
    for each in requests:
        # One after the other: everybody's first answer at once is another measurement. The server closes connections
        # that rest for 5 s, so each of these ends with its answer.
        await _first_answer(port, each[0])
    done: asyncio.Future[None] = loop.create_future()
    took: list[float] = []
    connections = []
    for each in requests:
        _, connection = await loop.create_connection(
            lambda texts=each[1:] or each: _Connection([text.encode() for text in texts], took, done),  # type: ignore[misc]
            "127.0.0.1",
            port,
        )
        connections.append(connection)
    await asyncio.wait([done], timeout=WARM_UP_S)
    while not done.done() and min(connection.answers for connection in connections) < WARM_UP_ANSWERS:
        await asyncio.wait([done], timeout=0.1)
    warm, refused = len(took), sum(connection.refused for connection in connections)
    await asyncio.wait([done], timeout=seconds)
    if done.done():
        done.result()
    found = {
        "seconds": took[warm:],
        "total": len(took),
        "body_bytes": connections[0].body_bytes,
        "refused": sum(connection.refused for connection in connections) - refused,
    }
    json.dump(found, sys.stdout)


async def _first_answer(port: int, text: str) -> None:
    """Send a request on a connection of its own and read the answer to its end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head, _, body = text.partition("\r\n\r\n")
    writer.write(f"{head}\r\nConnection: close\r\n\r\n{body}".encode())
    await reader.read(-1)
    writer.close()
    await writer.wait_closed()


if __name__ == "__main__":
    asyncio.run(_run(int(sys.argv[1]), float(sys.argv[2]), json.load(sys.stdin)))
