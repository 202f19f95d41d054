"""uvicorn's HTTP/1.1 protocol with limits on request heads and on unread bodies, and a larger body buffer.

With httptools, uvicorn 0.54 limits neither the size of a request head nor the time it takes. One header of 40 MB
stalled the event loop for 2 s, because httptools copies a header again for each piece that arrives. A connection that
sent half a head stayed open forever. uvicorn's only such setting, `h11_max_incomplete_event_size`, is for the slower
h11 parser. To run without these limits, pass `http="httptools"` in `api/platform/server/web.py`.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, ClassVar, cast

import httptools
from uvicorn.protocols.http import httptools_impl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from api.platform.http.limits import HEAD_BYTES_MAX, HEAD_WITHIN_S, HEADERS_MAX, UNREAD_BODY_WITHIN_S
from api.platform.server.own_websockets import PATHS, OwnWebSocket
from cluster.wording.message import Message

TOO_LARGE = Message(
    "server.too_large",
    "The request's address and headers are too large. Delete this site's cookies or shorten the address.",
)
TOO_SLOW = "The request did not arrive in time. Check your connection and try again."

LINGER_S = 2.0
"""How long a rejected client has to read the response. Closing at once could reset the connection first."""

_HOP_BY_HOP = frozenset({b"upgrade", b"http2-settings", b"connection"})


BODY_BUFFER_BYTES = 512 * 1024
"""How much of a body waits for the application before the server stops reading from the connection.

uvicorn's own 64 KiB stops and resumes reading for every message: one large PATCH arrives 1.17 times as fast with this.
"""
httptools_impl.HIGH_WATER_LIMIT = BODY_BUFFER_BYTES  # type: ignore[attr-defined]


class _TooManyHeaders(Exception):
    pass


class BoundedHttpProtocol(HttpToolsProtocol):
    """Rejects heads over `HEAD_BYTES_MAX` with 431 and closes connections that are slow to send one.

    A request that offers any upgrade but a websocket is handled as plain HTTP, body included (RFC 9110, 7.8).
    """

    head_within_s: ClassVar[float] = HEAD_WITHIN_S
    unread_body_within_s: ClassVar[float] = UNREAD_BODY_WITHIN_S

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._is_in_head = True
        """Whether the next bytes belong to a head: from the end of one request to the end of the next head."""
        self._head_bytes = 0
        self._is_refused = False
        self._deadline: asyncio.TimerHandle | None = None

    # Called by the event loop.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast(asyncio.Transport, transport))
        self._allow(self.head_within_s)

    def connection_lost(self, exc: Exception | None) -> None:
        self._disallow()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        rest = memoryview(data)
        while rest and not self._is_refused and not self.transport.is_closing():
            rest = self._feed(rest)
        if self._deadline is None and self._is_in_head and self._is_idle and not self._is_upgraded:
            self._allow(self.head_within_s)

    def handle_websocket_upgrade(self) -> None:
        if self._is_own_websocket:
            self.ws_protocol_class = OwnWebSocket
        super().handle_websocket_upgrade()

    def _should_upgrade_to_ws(self) -> bool:
        return self._is_own_websocket or super()._should_upgrade_to_ws()

    @property
    def _is_own_websocket(self) -> bool:
        return self.url.partition(b"?")[0] in PATHS

    # Called by the parser.

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        if len(self.headers) > HEADERS_MAX:
            raise _TooManyHeaders

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        self._disallow()
        if not self._is_upgrade_ignored:
            super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._is_in_head = True
        self._head_bytes = 0
        self._disallow()
        if not self._is_upgrade_ignored:
            super().on_message_complete()

    # Called by the request's task.

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self._is_in_head and self.cycle.response_complete and not self.transport.is_closing():
            # Read and discard the body, so that the client reaches the response.
            self._allow(self.unread_body_within_s)

    @property
    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    @property
    def _is_upgraded(self) -> bool:
        return self.transport.get_protocol() is not self

    @property
    def _is_upgrade_ignored(self) -> bool:
        return bool(
            self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT" and not self._should_upgrade()
        )

    def _feed(self, data: memoryview) -> memoryview:
        """Parse `data`, or as much of it as the head may still hold, and return the rest."""
        was_in_head = self._is_in_head
        piece = data[: HEAD_BYTES_MAX - self._head_bytes] if was_in_head else data
        if not piece:
            self._refuse(431, TOO_LARGE)
            return piece
        self._head_bytes += len(piece)
        try:
            self.parser.feed_data(piece)
        except httptools.HttpParserUpgrade as upgrade:
            return self._upgrade(data[upgrade.args[0] :])
        except httptools.HttpParserError as error:
            if isinstance(error.__context__, _TooManyHeaders):
                self._refuse(431, TOO_LARGE)
            else:
                self.send_400_response("Invalid HTTP request received.")
            return piece
        if not was_in_head:
            # The next head may have begun after the body. Its first piece is not counted, but is one read at most.
            self._head_bytes = 0
        return data[len(piece) :]

    def _upgrade(self, rest: memoryview) -> memoryview:
        if self._should_upgrade():
            self.handle_websocket_upgrade()
            return memoryview(b"")
        if not self._is_upgrade_ignored:
            return memoryview(b"")
        # After an upgrade offer the parser accepts no body, so we feed it the request again without the offer.
        head = [self.parser.get_method(), b" ", self.url, b" HTTP/", self.parser.get_http_version().encode(), b"\r\n"]
        for name, value in self.headers:
            if name not in _HOP_BY_HOP:
                head += [name, b": ", value, b"\r\n"]
        if not self.parser.should_keep_alive():
            head.append(b"connection: close\r\n")
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
        return memoryview(b"".join([*head, b"\r\n", rest]))

    def _allow(self, seconds: float) -> None:
        self._disallow()
        self._deadline = self.loop.call_later(seconds, self._end)

    def _disallow(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _end(self) -> None:
        self._deadline = None
        if self._is_in_head and self._head_bytes and not self._is_refused:
            self._refuse(408, TOO_SLOW)
        else:
            self.transport.close()

    def _refuse(self, status: int, sentence: str) -> None:
        self._is_refused = True
        if not self._is_idle:
            # A response to an earlier request on this connection is still being written.
            self.transport.close()
            return
        body = json.dumps({"message": sentence}).encode()
        head = f"content-type: application/json\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        self.transport.write(STATUS_LINE[status] + head.encode() + body)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._allow(LINGER_S)
