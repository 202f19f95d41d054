"""Where the bytes of a request come from: messages of the web server, or straight from its connection.

The messages work with every server. The connection is `direct_body.py`'s: one copy fewer and no step of the event loop
for each 64 KiB, which is what a core can take in at all.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import Enum, auto
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.types import Receive

from api.uploads.tus.direct_body import EXTENSION, DirectBody
from api.uploads.tus.inflow import Inflow
from api.uploads.tus.locks import UploadLock

BUFFER_BYTES = 1024 * 1024
MAX_PARTS = 512
"""Parts of one write; the kernel takes at most 1024, and senders of tiny parts must not cost memory."""

QUIET_S = 2.0
"""What came is recorded when nothing more came for so long."""
SILENCE_LIMIT_S = 60.0


class Ending(Enum):
    WHOLE = auto()
    CUT = auto()
    """The client went away."""
    SILENT = auto()
    TOO_LONG = auto()
    INTERRUPTED = auto()
    """Somebody else asked for the upload."""


async def receive_body(request: Request, inflow: Inflow, *, limit: int, lock: UploadLock) -> Ending:
    """Take the body until it ends. `limit` is the offset the upload may not pass."""
    direct = request.scope.get("extensions", {}).get(EXTENSION)
    if isinstance(direct, DirectBody):
        return await _from_connection(direct, inflow, lock)
    return await _from_messages(request.receive, inflow, limit, lock)


async def _from_connection(body: DirectBody, inflow: Inflow, lock: UploadLock) -> Ending:
    """The caller has compared the announced length with the limit."""
    body.begin()
    try:
        async with _Watch(lock, inflow).open() as watch:
            ending = None
            while True:
                # At the end once more: what the kernel holds has arrived, too.
                await inflow.threads.run(partial(body.drain, inflow.write))
                await inflow.checkpoint()
                if not body.left or body.is_cut or ending is not None:
                    break
                if lock.wanted.is_set():
                    ending = Ending.INTERRUPTED
                elif not body.has_more:
                    ending = await watch.until(body.readable())
        if not body.left:
            return Ending.WHOLE
        return ending or Ending.CUT
    finally:
        body.end()


async def _from_messages(receive: Receive, inflow: Inflow, limit: int, lock: UploadLock) -> Ending:
    parts: list[bytes] = []
    held = 0
    async with _Watch(lock, inflow).open() as watch:
        while True:
            message = asyncio.ensure_future(receive())
            try:
                if not message.done():
                    ending = await watch.until(message, parts)
                    if ending is not None:
                        return ending
                    if not parts:
                        held = 0
                told = message.result()
            finally:
                message.cancel()
            if told["type"] == "http.disconnect":
                await inflow.add(parts)
                return Ending.CUT
            part = told.get("body", b"")
            if inflow.received + held + len(part) > limit:
                return Ending.TOO_LONG
            if part:
                parts.append(part)
                held += len(part)
            is_last = not told.get("more_body", False)
            if is_last or held >= BUFFER_BYTES or len(parts) >= MAX_PARTS:
                await inflow.add(parts)
                parts, held = [], 0
            if is_last:
                return Ending.WHOLE


class _Watch:
    """Waits for a sender, and meanwhile for whoever else wants the upload."""

    def __init__(self, lock: UploadLock, inflow: Inflow) -> None:
        self._lock = lock
        self._inflow = inflow
        self._wanted: asyncio.Task[Any] | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[_Watch]:
        self._wanted = asyncio.create_task(self._lock.wanted.wait())
        try:
            yield self
        finally:
            self._wanted.cancel()

    async def until(self, coming: asyncio.Future[Any], held: list[bytes] | None = None) -> Ending | None:
        """None when `coming` is there; else why to wait no longer, with what was `held` taken in."""
        assert self._wanted is not None
        begun = time.monotonic()
        held = held if held is not None else []
        try:
            while True:
                await asyncio.wait([coming, self._wanted], timeout=QUIET_S, return_when=asyncio.FIRST_COMPLETED)
                if coming.done() and not self._wanted.done():
                    return None
                taken, held[:] = list(held), []
                await self._inflow.add(taken)
                if self._wanted.done():
                    return Ending.INTERRUPTED
                await self._inflow.settle()
                if time.monotonic() - begun >= SILENCE_LIMIT_S:
                    return Ending.SILENT
        finally:
            if not coming.done():
                coming.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.wait([coming], timeout=0)
