"""Takes the bytes of a request from the web server's messages to the store."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import Enum, auto
from typing import Any

from starlette.types import Receive

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
    async with _Watch(lock, inflow, batch).open() as watch:
        while True:
            receiving = asyncio.ensure_future(receive())
            try:
                if not receiving.done():
                    ending = await watch.until(receiving)
                    if ending is not None:
                        return ending
                message = receiving.result()
            finally:
                receiving.cancel()
            if message["type"] == "http.disconnect":
                await inflow.add(batch.take())
                return Ending.CUT
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


class _Watch:
    """Waits for a sender, and meanwhile for anybody else who wants the upload."""

    def __init__(self, lock: UploadLock, inflow: Inflow, batch: _Batch) -> None:
        self._lock = lock
        self._inflow = inflow
        self._batch = batch
        self._wanted: asyncio.Task[Any] | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[_Watch]:
        self._wanted = asyncio.create_task(self._lock.wanted.wait())
        try:
            yield self
        finally:
            self._wanted.cancel()

    async def until(self, receiving: asyncio.Future[Any]) -> Ending | None:
        """None when `receiving` is done; else why to wait no longer, with the batch written."""
        assert self._wanted is not None
        begun = time.monotonic()
        try:
            while True:
                await asyncio.wait([receiving, self._wanted], timeout=QUIET_S, return_when=asyncio.FIRST_COMPLETED)
                if receiving.done() and not self._wanted.done():
                    return None
                await self._inflow.add(self._batch.take())
                if self._wanted.done():
                    return Ending.INTERRUPTED
                await self._inflow.settle()
                if time.monotonic() - begun >= SILENCE_LIMIT_S:
                    return Ending.SILENT
        finally:
            if not receiving.done():
                receiving.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.wait([receiving], timeout=0)
