"""A websocket of the relay, below ASGI: frames are encoded once and written to the transports unchanged.

uvicorn hands a connection over after its upgrade request, so one port serves pages, calls and websockets. Its own
websocket classes would cost a task, a queue and an encoding for each message and client.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, cast

from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from api.platform.realtime.relay import protocol
from api.platform.realtime.relay.connection import CLOSE_S, QUEUE_BYTES, Connection
from api.platform.realtime.relay.events import Frames
from api.platform.realtime.relay.opening import Opening
from api.platform.realtime.relay.protocol import Refusal
from api.platform.realtime.relay.server import Relay

MAX_FRAME_BYTES = 64 * 1024
"""The most we read of one message before closing with 1009. Our protocol checks smaller ones."""

SLICE_BYTES = 4096
"""Bytes parsed before we notice that the connection closed. An empty frame has 6 bytes and takes 8 us to parse."""

PATH = "/app/"


class WebSocket(asyncio.Protocol, Connection):
    """Created by uvicorn for each connection."""

    __slots__ = ("_connections", "_is_full", "_is_open", "_parts", "_protocol", "_relay", "_transport")

    def __init__(self, relay: Relay, server_state: ServerState) -> None:
        Connection.__init__(self, "")
        self._relay = relay
        self._connections = cast(set[Any], server_state.connections)
        self._transport: asyncio.Transport = cast(asyncio.Transport, None)
        # No extensions: compression would cost every idle connection more memory than it saves bandwidth.
        self._protocol = ServerProtocol(max_size=MAX_FRAME_BYTES)
        self._parts: list[bytes] | None = None
        self._is_full = False
        self._is_open = False

    # Called by uvicorn and the event loop.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._connections.add(self)
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if peer else ""

    def data_received(self, data: bytes) -> None:
        wire = self._protocol
        for start in range(0, len(data), SLICE_BYTES):
            if start and wire.state is State.CLOSING:
                # A flood: a client needs far less to finish closing.
                return
            wire.receive_data(data[start : start + SLICE_BYTES])
            for event in wire.events_received():
                if isinstance(event, Request):
                    self._open(event)
                elif isinstance(event, Frame) and self._is_open:
                    self._take(event)
            self._write_own()

    def eof_received(self) -> None:
        self._protocol.receive_eof()
        self._write_own()

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.discard(self)
        self._relay.gone(self)

    def pause_writing(self) -> None:
        self._is_full = True

    def resume_writing(self) -> None:
        self._is_full = False

    def shutdown(self) -> None:
        """The server is stopping."""
        self.close(protocol.GOING_AWAY)

    # Called by the relay.

    def send(self, frames: Frames) -> None:
        # Called for each client of each event, so the caller has checked the state.
        if not self._is_open:
            return
        if self._is_full and self._transport.get_write_buffer_size() + len(frames.wire) > QUEUE_BYTES:
            # At once, with all queued data: a reason would only wait behind it.
            self._is_open = False
            self._relay.cut(self)
            self._transport.abort()
            return
        self._transport.write(frames.wire)

    def close(self, refusal: Refusal) -> None:
        if self._is_open:
            self.tell(protocol.error(refusal))
            # A broken frame behind the refused message has closed it already.
            if self._protocol.state is State.OPEN:
                self._protocol.send_close(int(refusal.code), refusal.message)
            self._write_own()

    @property
    def is_closing(self) -> bool:
        return not self._is_open

    def _open(self, request: Request) -> None:
        path, _, query = request.path.partition("?")
        if not path.startswith(PATH):
            self._protocol.send_response(self._protocol.reject(HTTPStatus.NOT_FOUND, "There is no websocket here.\n"))
            return
        self._protocol.send_response(self._protocol.accept(request))
        self._write_own()
        if not self._is_open:
            return
        headers = request.headers
        self._relay.open(
            self,
            Opening.of(
                key=path.removeprefix(PATH),
                query=query,
                origin=headers.get("origin"),
                host=headers.get("host"),
                forwarded_for=headers.get("x-forwarded-for"),
            ),
        )

    def _take(self, frame: Frame) -> None:
        # Each frame counts, however small, because a message may have any number of empty ones.
        if frame.opcode is Opcode.CLOSE or not self._relay.admit(self):
            return
        if frame.opcode is Opcode.TEXT:
            self._parts = []
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            if self._parts is not None:
                self._parts.append(bytes(frame.data))
            if frame.fin:
                parts, self._parts = self._parts, None
                self._relay.hear(self, _text(parts))

    def _write_own(self) -> None:
        """Write the websocket protocol's own output: the handshake, pongs, closing."""
        for data in self._protocol.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._transport.close()
        self._is_open = self._protocol.state is State.OPEN
        if not self._is_open:
            asyncio.get_running_loop().call_later(CLOSE_S, self._transport.abort)


def _text(parts: list[bytes] | None) -> str | None:
    """The text of a message, or None if it is not text."""
    try:
        return b"".join(parts).decode() if parts is not None else None
    except UnicodeDecodeError:
        return None
