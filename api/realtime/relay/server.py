"""The websockets of one relay process: reading, keeping alive, and sending without waiting for the slow."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected

from api.realtime.relay import protocol
from api.realtime.relay.channels import Application, Channels, new_socket_id
from api.realtime.relay.protocol import Event, Refusal

log = structlog.get_logger(__name__)

QUEUE_BYTES = 256 * 1024
"""What may wait for one client, beside what the kernel and the web server buffer. A state event has 200 bytes."""

CLOSE_S = 2.0
"""How long a client that does not read may hold up its own closing."""


class Connection:
    """One client. Frames wait in a bounded queue; a task runs only while there are some."""

    def __init__(self, websocket: WebSocket, socket_id: str) -> None:
        self.socket_id = socket_id
        self.channels: set[str] = set()
        self._is_cut = False
        self._websocket = websocket
        self._deadline: asyncio.Timeout | None = None
        self._waiting: deque[str] = deque()
        self._waiting_bytes = 0
        self._sender: asyncio.Task[None] | None = None

    def offer(self, frame: str) -> None:
        if self._is_cut:
            return
        self._waiting_bytes += len(frame)
        if self._waiting_bytes > QUEUE_BYTES:
            self._cut()
            return
        self._waiting.append(frame)
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._send_waiting())

    @contextlib.asynccontextmanager
    async def reading(self, limit_s: float) -> AsyncIterator[None]:
        """`TimeoutError` after `limit_s`, and at once when the client is cut off."""
        async with asyncio.timeout(limit_s) as self._deadline:
            try:
                yield
            finally:
                self._deadline = None

    async def close(self, refusal: Refusal) -> None:
        """Tell why, and end the connection. A client that takes nothing is dropped after `CLOSE_S`."""
        with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
            async with asyncio.timeout(CLOSE_S):
                if self._sender is not None and not self._is_cut:
                    await self._sender
                await self._websocket.send_text(protocol.error(refusal))
                await self._websocket.close(int(refusal.code), refusal.message)
        self.stop()

    def was_cut(self) -> bool:
        """Whether the client was too slow, or is gone."""
        return self._is_cut

    def stop(self) -> None:
        self._is_cut = True
        if self._sender is not None:
            self._sender.cancel()

    def _cut(self) -> None:
        self._waiting.clear()
        self.stop()
        if self._deadline is not None:
            self._deadline.reschedule(0)

    async def _send_waiting(self) -> None:
        try:
            while self._waiting:
                frame = self._waiting.popleft()
                await self._websocket.send_text(frame)
                self._waiting_bytes -= len(frame)
        except (WebSocketDisconnect, RuntimeError):
            self._is_cut = True


class Sockets:
    """Every connection of this process."""

    def __init__(self, application: Application, *, origins: frozenset[str] = frozenset()) -> None:
        self.channels = Channels(application)
        self.activity_timeout_s: float = protocol.ACTIVITY_TIMEOUT_S
        self.pong_timeout_s: float = protocol.PONG_TIMEOUT_S
        self._origins = origins
        self._connections: dict[str, Connection] = {}
        self._draining = False

    def __len__(self) -> int:
        return len(self._connections)

    async def serve(self, websocket: WebSocket) -> None:
        """One connection from its opening to its end."""
        await websocket.accept()
        connection = Connection(websocket, new_socket_id(self._connections))
        refusal = self._refusal(websocket)
        if refusal is not None:
            await connection.close(refusal)
            return
        self._connections[connection.socket_id] = connection
        connection.offer(protocol.established(connection.socket_id))
        try:
            refusal = await self._talk(websocket, connection)
        finally:
            self.channels.leave_all(connection)
            self._connections.pop(connection.socket_id, None)
            connection.stop()
        if refusal is not None:
            log.info("relay.closed", socket_id=connection.socket_id, code=int(refusal.code))

    async def drain(self) -> None:
        """Send every client away with the code that lets it come back at once; new ones too from then on."""
        self._draining = True
        await asyncio.gather(*(each.close(protocol.GOING_AWAY) for each in tuple(self._connections.values())))

    def _refusal(self, websocket: WebSocket) -> Refusal | None:
        if websocket.path_params["key"] != self.channels.application.key:
            return protocol.UNKNOWN_KEY
        version = websocket.query_params.get("protocol")
        if version is None:
            return protocol.NO_PROTOCOL
        if version not in protocol.PROTOCOLS:
            return protocol.BAD_PROTOCOL
        if not self._origin_fits(websocket):
            return protocol.BAD_ORIGIN
        return protocol.GOING_AWAY if self._draining else None

    def _origin_fits(self, websocket: WebSocket) -> bool:
        """Browsers name the page's origin: it must be this very host or one of ours. Others send none."""
        origin = websocket.headers.get("origin")
        if origin is None or origin in self._origins:
            return True
        return urlsplit(origin).netloc == websocket.headers.get("host")

    async def _talk(self, websocket: WebSocket, connection: Connection) -> Refusal | None:
        """Read until the client goes (None) or must go (why)."""
        pinged = False
        while not connection.was_cut():
            try:
                async with connection.reading(self.pong_timeout_s if pinged else self.activity_timeout_s):
                    message = await websocket.receive()
            except TimeoutError:
                if connection.was_cut():
                    break
                if pinged:
                    await connection.close(protocol.NO_PONG)
                    return protocol.NO_PONG
                connection.offer(protocol.frame(Event.PING))
                pinged = True
                continue
            except WebSocketDisconnected:
                return None
            if message["type"] == "websocket.disconnect":
                return None
            pinged = False
            refusal = self._answer(connection, message.get("text"))
            if refusal is not None and refusal.closes:
                await connection.close(refusal)
                return refusal
        await connection.close(protocol.TOO_SLOW)
        return protocol.TOO_SLOW

    def _answer(self, connection: Connection, text: str | None) -> Refusal | None:
        message = protocol.parse(text) if text is not None else protocol.BAD_MESSAGE
        refusal = message if isinstance(message, Refusal) else self.channels.handle(connection, message)
        if refusal is not None and not refusal.closes:
            connection.offer(protocol.error(refusal))
        return refusal
