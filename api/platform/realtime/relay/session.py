"""The relay without websockets, for networks that block them: `xhr_streaming` and `xhr_polling` of pusher-js.

Framing is SockJS's, one frame a line: `o` opens, `a[...]` carries messages, `h` keeps alive, `c[code,reason]` closes.
A session lives in one process, where its messages wait until a stream or a poll of the client collects them.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator

from api.platform.realtime.relay import protocol
from api.platform.realtime.relay.connection import QUEUE_BYTES, Connection
from api.platform.realtime.relay.events import Frames
from api.platform.realtime.relay.protocol import Refusal
from api.platform.realtime.relay.server import Relay

OPEN = "o\n"
HEARTBEAT = "h\n"
ALIVE = "a[]\n"
"""The reply to a client that only checks whether we are alive. It would answer a heartbeat in turn."""

STREAM_CHARACTERS = 256 * 1024
"""After more than this pusher-js drops the stream and opens the session's next one, once it has read everything. So we
stop here, and nothing is in flight when it does."""

HEARTBEAT_S = 25.0
"""Proxies close connections that are silent for 30 to 60 s."""

FULL_S = 60.0
"""How long a client may take to read a full stream to its end."""

AWAY_S = 10.0
"""How long a session waits for its client's next stream or poll."""


class Session(Connection):
    """Messages wait here until the session's newest response collects them."""

    __slots__ = (
        "__weakref__",
        "_closing",
        "_is_over",
        "_left_at",
        "_relay",
        "_response",
        "_size",
        "_something_new",
        "_waiting",
    )

    def __init__(self, relay: Relay, address: str) -> None:
        super().__init__(address)
        self._relay = relay
        self._waiting: deque[str] = deque()
        self._size = 0
        self._something_new = asyncio.Event()
        self._closing: Refusal | None = None
        self._is_over = False
        self._response: object | None = None
        self._left_at = self.opened_at

    def send(self, frames: Frames) -> None:
        if self.is_closing:
            return
        self._size += sum(map(len, frames.texts))
        if self._size > QUEUE_BYTES:
            self._waiting.clear()
            self._relay.cut(self)
            self.close(protocol.EVENTS_MISSED)
            return
        self._waiting.extend(frames.texts)
        self._something_new.set()

    def close(self, refusal: Refusal) -> None:
        if not self.is_closing:
            self._waiting.append(protocol.error(refusal))
            self._closing = refusal
            self._something_new.set()

    @property
    def is_closing(self) -> bool:
        return self._closing is not None

    def is_left(self, now: float) -> bool:
        return self._response is None and now - self._left_at > AWAY_S

    def answer_alive(self) -> None:
        """Wake the open response, because there is something to send."""
        self._waiting.append("")
        self._something_new.set()

    async def stream(self, *, is_new: bool) -> AsyncIterator[str]:
        """Lines for a response that stays open."""
        mine = self._take_over()
        sent = 0
        try:
            if is_new:
                sent += len(OPEN)
                yield OPEN
            while sent <= STREAM_CHARACTERS and (line := await self._next(mine)):
                sent += len(line)
                yield line
            if sent > STREAM_CHARACTERS:
                # pusher-js would take its end for a lost connection. The client ends a full stream.
                await asyncio.sleep(FULL_S)
        finally:
            self._leave(mine)

    async def poll(self, *, is_new: bool) -> AsyncIterator[str]:
        """Lines for a response that ends as soon as it has sent something."""
        mine = self._take_over()
        try:
            line: str | None = OPEN if is_new else await self._next(mine)
            while line:
                yield line
                # The last poll of a session must deliver everything.
                line = await self._next(mine) if self.is_closing else None
        finally:
            self._leave(mine)

    def _take_over(self) -> object:
        mine = self._response = object()
        self._relay.alive(self)
        self._something_new.set()
        return mine

    def _leave(self, mine: object) -> None:
        if self._response is mine:
            self._response = None
            self._left_at = asyncio.get_running_loop().time()

    async def _next(self, mine: object) -> str | None:
        """The next line. None when another response took over or the session is closed."""
        while self._response is mine and not self._is_over:
            if self._waiting:
                texts = [text for text in self._waiting if text]
                self._waiting.clear()
                self._size = 0
                return f"a{json.dumps(texts)}\n" if texts else ALIVE
            if self._closing is not None:
                self._is_over = True
                self._relay.gone(self)
                return f"c{json.dumps([int(self._closing.code), self._closing.message])}\n"
            self._something_new.clear()
            try:
                async with asyncio.timeout(HEARTBEAT_S):
                    await self._something_new.wait()
            except TimeoutError:
                return HEARTBEAT
        return None
