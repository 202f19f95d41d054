"""A body read from its connection by a thread, past the web server's parser: the bytes are copied once.

`http_protocol.py` offers one for each large body; whoever begins it must end it.
"""

from __future__ import annotations

import asyncio
import select
import socket
from collections.abc import Callable, Sequence
from typing import Protocol

from api.uploads.tus.store import Part

EXTENSION = "sagascript.direct_body"
"""Key of the body in the scope's `extensions`."""

BUFFER_BYTES = 2 * 1024 * 1024
"""A loop of reads and writes takes in 1.7 GB/s with 256 KiB, 2.2 with 1 MiB, 2.4 with 2 MiB or more."""

SLICE = 16 * 1024 * 1024
"""A thread goes back to the pool after so many bytes, so that many fast senders take turns."""

LINGER_FROM = 512 * 1024
LINGER_MS = 5
"""A sender that fills its slice fast is waited for a moment in the thread; a slow one never keeps a thread."""

_buffers: list[memoryview] = []
"""As many as threads ever drained at once. The last one used is the next: the processor still has it at hand."""


class Connection(Protocol):
    """What the web server's protocol must do for a direct body."""

    def take_over(self) -> tuple[bytes, socket.socket]:
        """What of the body was read already, and a socket of our own for the rest: nobody else reads now."""
        ...

    def give_back(self, unread: int, *, is_cut: bool) -> None:
        """The body is over for us; `unread` bytes of it are still to come and are nobody's."""
        ...


class DirectBody:
    def __init__(self, connection: Connection, length: int) -> None:
        self.left = length
        self.is_cut = False
        self.has_more = False
        """The last slice ended before the bytes did."""
        self._connection = connection
        self._socket: socket.socket | None = None
        self._first = b""
        """What the web server had read already."""

    def begin(self) -> None:
        """Nobody else reads the connection from here on, until `end`."""
        self._first, self._socket = self._connection.take_over()
        # They will not come again, whether anybody drains them or not.
        self.left -= len(self._first)
        self._socket.setblocking(False)

    def readable(self) -> asyncio.Future[None]:
        """Done when there is something to drain. May be cancelled."""
        assert self._socket is not None
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        descriptor = self._socket.fileno()

        def ready() -> None:
            loop.remove_reader(descriptor)
            if not future.done():
                future.set_result(None)

        loop.add_reader(descriptor, ready)
        return future

    def drain(self, take: Callable[[Sequence[Part]], None]) -> None:
        """Hand what has come to `take`. Blocks: for a thread."""
        assert self._socket is not None
        if self._first:
            first, self._first = self._first, b""
            take([first])
        buffer = _buffers.pop() if _buffers else memoryview(bytearray(BUFFER_BYTES))
        try:
            self._drain(self._socket, buffer, take)
        finally:
            _buffers.append(buffer)

    def _drain(self, connection: socket.socket, buffer: memoryview, take: Callable[[Sequence[Part]], None]) -> None:
        taken = 0
        self.has_more = True
        while self.left and taken < SLICE:
            try:
                count = connection.recv_into(buffer, min(BUFFER_BYTES, self.left))
            except BlockingIOError:
                if taken >= LINGER_FROM and _comes(connection):
                    continue
                self.has_more = False
                return
            except OSError:
                count = 0
            if count == 0:
                self.is_cut = True
                return
            self.left -= count
            taken += count
            take([buffer[:count]])

    def end(self) -> None:
        if self._socket is not None:
            asyncio.get_running_loop().remove_reader(self._socket.fileno())
            self._socket.close()
            self._socket = None
            self._connection.give_back(self.left, is_cut=self.is_cut)


def _comes(connection: socket.socket) -> bool:
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return bool(poll.poll(LINGER_MS))
