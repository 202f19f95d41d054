"""Moves the bytes of a request from the web server's messages to the store."""

from __future__ import annotations

import asyncio
import time
from enum import Enum, auto
from typing import Self

from starlette.types import Message, Receive

from api.content.uploads.tus.inflow import Inflow
from api.content.uploads.tus.locks import UploadLock

BUFFER_BYTES = 1024 * 1024
MAX_PARTS = 512
"""The most parts of one write. The kernel accepts 1024; tiny parts must not cost memory."""

QUIET_S = 2.0
"""After a pause this long, the bytes that have arrived are recorded."""
SILENCE_LIMIT_S = 60.0


class Ending(Enum):
    WHOLE = auto()
    CUT = auto()
    """The client disconnected."""
    SILENT = auto()
    TOO_LONG = auto()
    INTERRUPTED = auto()
    """Another request wants the upload."""


class _Batch:
    """Parts to be written together."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0

    def append(self, part: bytes) -> None:
        self.parts.append(part)
        self.size += len(part)

    def take(self) -> list[bytes]:
        parts, self.parts, self.size = self.parts, [], 0
        return parts

    @property
    def is_full(self) -> bool:
        return self.size >= BUFFER_BYTES or len(self.parts) >= MAX_PARTS


async def receive_body(receive: Receive, inflow: Inflow, *, limit: int, lock: UploadLock) -> Ending:
    """Take the body until it ends. `limit` is the offset the upload may not pass."""
    batch = _Batch()
    async with _Messages(receive, inflow, batch, lock) as messages:
        while True:
            message = await messages.next()
            async with messages.turn:
                if message is None or message["type"] == "http.disconnect":
                    await inflow.add(batch.take())
                    return messages.reason_to_stop if message is None else Ending.CUT
                part = message.get("body", b"")
                if inflow.received + batch.size + len(part) > limit:
                    return Ending.TOO_LONG
                if part:
                    batch.append(part)
                is_last = not message.get("more_body", False)
                if is_last or batch.is_full:
                    await inflow.add(batch.take())
                if is_last:
                    return Ending.WHOLE


class _Messages:
    """The messages of a request, and a task beside them that records what has arrived whenever the sender pauses.

    One task and one timer per message would cost a tenth of receiving. `receive` is cancelled only to stop for good:
    ASGI does not promise that it can be called again after that.
    """

    def __init__(self, receive: Receive, inflow: Inflow, batch: _Batch, lock: UploadLock) -> None:
        self.turn = asyncio.Lock()
        """Whoever uses the inflow and the batch holds it."""
        self._receive = receive
        self._inflow = inflow
        self._batch = batch
        self._lock = lock
        self._wait: asyncio.Timeout | None = None
        self._arrived_at = time.monotonic()

    async def __aenter__(self) -> Self:
        self._watching = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._watching.cancel()
        await asyncio.wait([self._watching])

    @property
    def reason_to_stop(self) -> Ending:
        return Ending.INTERRUPTED if self._lock.wanted.is_set() else Ending.SILENT

    async def next(self) -> Message | None:
        """None if it is time to stop. Raises `DiskFull` and `Overtaken` if recording failed during a pause."""
        if not self._watching.done():
            try:
                async with asyncio.timeout(SILENCE_LIMIT_S) as self._wait:
                    message = await self._receive()
            except TimeoutError:
                pass
            else:
                self._arrived_at = time.monotonic()
                return message
            finally:
                self._wait = None
        if self._watching.done():
            self._watching.result()
        return None

    async def _watch(self) -> None:
        """Runs until another request wants the upload or recording fails, and then ends the wait for a message."""
        try:
            pause_s = 0.0
            while not await self._is_wanted_within(QUIET_S - pause_s):
                pause_s = time.monotonic() - self._arrived_at
                if pause_s >= QUIET_S:
                    pause_s = 0.0
                    async with self.turn:
                        await self._inflow.add(self._batch.take())
                        await self._inflow.settle()
        finally:
            if self._wait is not None and not self._wait.expired():
                self._wait.reschedule(asyncio.get_running_loop().time())

    async def _is_wanted_within(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                return await self._lock.wanted.wait()
        except TimeoutError:
            return False
