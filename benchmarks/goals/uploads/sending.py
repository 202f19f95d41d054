"""The driver: sends bytes over a plain socket, at the least cost for its core."""

from __future__ import annotations

import base64
import hashlib
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from benchmarks.goals.uploads.raw import LENGTH

MIB = 1024 * 1024
BLOCK = hashlib.shake_256(b"the bytes of a benchmark").digest(MIB)


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]


class TusConnection:
    """One kept-alive connection to a tus server whose collection is `/tus/`."""

    def __init__(self, port: int, **headers: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        # Otherwise a small body waits 40 ms for the acknowledgement of its head.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._headers = {"Host": f"127.0.0.1:{port}", "Tus-Resumable": "1.0.0", **headers}
        self._rest = b""

    def close(self) -> None:
        self._socket.close()

    def request(self, method: str, path: str, headers: dict[str, str], *, count: int = 0, start: int = 0) -> Answer:
        """A request whose body is `count` bytes of repeated `BLOCK`s from byte `start` on."""
        self.begin(method, path, count, headers)
        self.send(count, start)
        return self._answer(is_head=method == "HEAD")

    def begin(self, method: str, path: str, length: int, headers: dict[str, str]) -> None:
        lines = self._headers | headers | {"Content-Length": str(length)}
        text = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self._socket.sendall(f"{method} {path} HTTP/1.1\r\n{text}\r\n".encode())

    def send(self, count: int, start: int) -> None:
        while count:
            at = start % MIB
            part = BLOCK if not at and count >= MIB else BLOCK[at : at + count]
            self._socket.sendall(part)
            start += len(part)
            count -= len(part)

    def offset(self, location: str) -> int:
        """The offset that a client gets when it resumes."""
        return int(self.request("HEAD", location, {}).headers["upload-offset"])

    def create(self, length: int) -> str:
        answer = self.request("POST", "/tus/", {"Upload-Length": str(length)})
        if answer.status != 201:
            raise RuntimeError(f"The server refused an upload with {answer.status}.")
        return answer.headers["location"]

    def patch(self, location: str, offset: int, count: int, *, with_checksum: bool = False) -> None:
        headers = {"Upload-Checksum": checksum(count)} if with_checksum else {}
        answer = self.request("PATCH", location, _patch(offset) | headers, count=count, start=offset)
        if answer.status != 204 or answer.headers.get("upload-offset") != str(offset + count):
            raise RuntimeError(f"The server refused bytes with {answer.status}: {answer.headers}.")

    def _answer(self, *, is_head: bool) -> Answer:
        while b"\r\n\r\n" not in self._rest:
            part = self._socket.recv(65536)
            if not part:
                raise ConnectionError("The server closed the connection without an answer.")
            self._rest += part
        head, _, self._rest = self._rest.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if headers.get("transfer-encoding") == "chunked":
            while not self._rest.endswith(b"0\r\n\r\n"):
                self._rest += self._socket.recv(65536)
            self._rest = b""
        body = 0 if is_head else int(headers.get("content-length", 0))
        while len(self._rest) < body:
            self._rest += self._socket.recv(65536)
        self._rest = self._rest[body:]
        return Answer(int(first.split()[1]), headers)


@contextmanager
def connected(port: int, **headers: str) -> Iterator[TusConnection]:
    connection = TusConnection(port, **headers)
    try:
        yield connection
    finally:
        connection.close()


def send_raw(port: int, count: int) -> None:
    """Send `count` bytes to the bare loop and wait until they are written."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(LENGTH.pack(count))
        for _ in range(count // MIB):
            connection.sendall(BLOCK)
        if connection.recv(1) != b"\n":
            raise ConnectionError("The bare loop did not take everything.")


@cache
def checksum(count: int) -> str:
    """`Upload-Checksum` of `count` bytes, whole blocks."""
    digest = hashlib.sha256()
    for _ in range(count // MIB):
        digest.update(BLOCK)
    return "sha256 " + base64.b64encode(digest.digest()).decode()


def _patch(offset: int) -> dict[str, str]:
    return {"Content-Type": "application/offset+octet-stream", "Upload-Offset": str(offset)}
