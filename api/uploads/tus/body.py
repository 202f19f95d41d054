"""Takes the bytes of a request from the web server's messages to the store."""

from __future__ import annotations

import asyncio
import time
from enum import Enum, auto
from typing import Self

from starlette.types import Message, Receive

from api.uploads.tus.inflow import Inflow
from api.uploads.tus.locks import UploadLock

BUFFER_BYTES = 1024 * 1024
MAX_PARTS = 512
"""Parts of one write; the kernel takes at most 1024, and senders of tiny parts must not cost memory."""

QUIET_S = 2.0
"""What has arrived is recorded when nothing more comes for this long."""
SILENCE_LIMIT_S = 60.0


class Ending(Enum):
    WHOLE = auto()
    CUT = auto()
    """The client went away."""
    SILENT = auto()
    TOO_LONG = auto()
    INTERRUPTED = auto()
    """Somebody else asked for the upload."""


class _Batch:
    """Parts that wait to be written together."""

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
    arrived_at = time.monotonic()
    async with _Messages(receive, lock) as messages:
        while True:
            message = await messages.next()
            if message is None:
                await inflow.add(batch.take())
                if lock.wanted.is_set():
                    return Ending.INTERRUPTED
                await inflow.settle()
                if time.monotonic() - arrived_at >= SILENCE_LIMIT_S:
                    return Ending.SILENT
                continue
            if message["type"] == "http.disconnect":
                await inflow.add(batch.take())
                return Ending.CUT
            arrived_at = time.monotonic()
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
    """The messages of a request. A wait ends early if another request wants the upload.

    The wait is a timeout around `receive`, moved to now by one task per request: a task and a timer per message cost
    a tenth of receiving.
    """

    def __init__(self, receive: Receive, lock: UploadLock) -> None:
        self._receive = receive
        self._lock = lock
        self._wait: asyncio.Timeout | None = None

    async def __aenter__(self) -> Self:
        self._interrupting = asyncio.create_task(self._interrupt())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._interrupting.cancel()

    async def next(self) -> Message | None:
        """None if none arrived within `QUIET_S`, or if another request wants the upload."""
        if self._lock.wanted.is_set():
            return None
        try:
            async with asyncio.timeout(QUIET_S) as self._wait:
                return await self._receive()
        except TimeoutError:
            return None
        finally:
            self._wait = None

    async def _interrupt(self) -> None:
        await self._lock.wanted.wait()
        if self._wait is not None and not self._wait.expired():
            self._wait.reschedule(asyncio.get_running_loop().time())
