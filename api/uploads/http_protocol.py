"""uvicorn's HTTP protocol, which lets an upload's body be read straight from the connection (`tus/direct_body.py`).

Everything else is uvicorn's. A core takes in 2.0 GB/s in a bare loop of reads and writes and 0.7 GB/s through ASGI
messages: parser, request and message each copy the bytes, and 64 KiB at a time pass through the event loop.
"""

from __future__ import annotations

import socket
from typing import Any, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from api.uploads.tus.direct_body import EXTENSION, DirectBody

DIRECT_FROM = 256 * 1024
"""Bytes of a body worth reading directly."""

_METHODS = frozenset({"PATCH", "POST"})


class UploadHttpProtocol(HttpToolsProtocol):
    """Offers a `DirectBody` in the scope's extensions. An application that ignores it reads messages as ever."""

    _unread = 0
    """Bytes to come of a body that nobody wants any more."""

    def on_headers_complete(self) -> None:
        before = self.cycle
        super().on_headers_complete()
        length = _content_length(self.headers)
        is_next = before is None or before.response_complete
        if length >= DIRECT_FROM and self.scope["method"] in _METHODS and self.scheme == "http" and is_next:
            scope = cast("dict[str, Any]", self.scope)
            scope["extensions"] = {EXTENSION: DirectBody(self, length)}
            self.flow.pause_reading()

    def data_received(self, data: bytes) -> None:
        skipped = min(self._unread, len(data))
        if skipped:
            self._unread -= skipped
            data = data[skipped:]
        if data:
            super().data_received(data)

    def take_over(self) -> tuple[bytes, socket.socket]:
        """Nobody reads the transport from here on, and the parser begins anew with the next request."""
        cycle = self.cycle
        self.flow.pause_reading()
        if cycle.waiting_for_100_continue:
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            cycle.waiting_for_100_continue = False
        first, cycle.body = bytes(cycle.body), bytearray()
        if cycle.more_body:
            self.parser = httptools.HttpRequestParser(self)
            self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
        return first, self.transport.get_extra_info("socket").dup()

    def give_back(self, unread: int, *, is_cut: bool) -> None:
        self._unread = unread
        self.cycle.more_body = False
        if is_cut:
            # The transport was not reading and does not know that its peer is gone.
            self.cycle.disconnected = True
            self.transport.abort()


def _content_length(headers: list[tuple[bytes, bytes]]) -> int:
    """0 when there is none: a body of unknown length has an encoding that only the parser can undo."""
    for name, value in headers:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0
