"""A request's body on its way to disk: bounded memory, one write under way while the next part arrives."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING

from starlette.types import Receive

from api.uploads.tus.errors import gone
from api.uploads.tus.locks import UploadLock
from api.uploads.tus.store import UploadFile, UploadStore

if TYPE_CHECKING:
    from hashlib import _Hash

BUFFER_BYTES = 1024 * 1024
MAX_PARTS = 512
"""Parts of one write; the kernel takes at most 1024, and senders of tiny parts must not cost memory."""

CHECKPOINT_BYTES = 32 * 1024 * 1024
CHECKPOINT_S = 5.0
"""How much a killed process may forget of one request."""

SILENCE_S = 2.0
"""Without a byte for this long a sender must let a newcomer in."""
SILENCE_LIMIT_S = 60.0


class Ending(Enum):
    WHOLE = auto()
    CUT = auto()
    """The client went away."""
    SILENT = auto()
    TOO_LONG = auto()


class Inflow:
    """`written` bytes of the upload are in the file; `durable` of them would survive a power cut."""

    def __init__(
        self,
        store: UploadStore,
        file: UploadFile,
        *,
        offset: int,
        digest: _Hash | None,
        save_offset: Callable[[int], Awaitable[bool]],
    ) -> None:
        self.start = offset
        self.received = offset
        self.written = offset
        self.durable = offset
        self.digest = digest
        self._store = store
        self._file = file
        self._save_offset = save_offset
        self._parts: list[bytes] = []
        self._held = 0
        self._writing: asyncio.Task[None] | None = None
        self._writing_bytes = 0
        self._saved_at = time.monotonic()

    async def add(self, part: bytes) -> None:
        self.received += len(part)
        self._parts.append(part)
        self._held += len(part)
        if self._held < BUFFER_BYTES and len(self._parts) < MAX_PARTS:
            return
        await self._start_writing()
        is_late = time.monotonic() - self._saved_at >= CHECKPOINT_S
        if is_late or self.received - self.durable >= CHECKPOINT_BYTES:
            await self.settle()

    async def settle(self) -> None:
        """Write what is held, make it durable and record it. Raises `DiskFull`, or 410 when the upload was ended."""
        await self._start_writing()
        await self._finish_writing()
        await self.save()

    async def save(self) -> None:
        """Make what is written durable and record it."""
        if self.written != self.durable:
            await self._store.in_thread(self._file.sync)
            if not await self._save_offset(self.written):
                raise gone()
            self.durable = self.written
        self._saved_at = time.monotonic()

    async def undo(self) -> None:
        """Forget this request's bytes: the upload stands where it stood before."""
        await self.close()
        self.digest = None
        if self.durable != self.start:
            await self._save_offset(self.start)
            self.durable = self.start

    async def close(self) -> None:
        """No write runs when this returns; what was not written is dropped."""
        self._parts, self._held = [], 0
        if self._writing is not None:
            writing, self._writing = self._writing, None
            self.digest = None
            await asyncio.wait([writing])

    async def _start_writing(self) -> None:
        await self._finish_writing()
        if not self._parts:
            return
        work = partial(self._file.write, self._parts, self.written, self.digest)
        self._writing = asyncio.create_task(self._store.in_thread(work))
        self._writing_bytes = self._held
        self._parts, self._held = [], 0

    async def _finish_writing(self) -> None:
        if self._writing is None:
            return
        try:
            # Shielded: when the request is cancelled the write still ends, and `settle` counts it afterwards.
            await asyncio.shield(self._writing)
        except Exception:
            self._writing = None
            self.digest = None
            raise
        self._writing = None
        self.written += self._writing_bytes


async def receive_body(receive: Receive, inflow: Inflow, *, limit: int, lock: UploadLock) -> Ending:
    """Take the body until it ends. `limit` is the offset the upload may not pass."""
    silent_since: float | None = None
    while True:
        try:
            async with asyncio.timeout(SILENCE_S):
                message = await receive()
        except TimeoutError:
            now = time.monotonic()
            silent_since = silent_since or now - SILENCE_S
            await inflow.settle()
            if lock.is_wanted or now - silent_since >= SILENCE_LIMIT_S:
                return Ending.SILENT
            continue
        silent_since = None
        if message["type"] == "http.disconnect":
            return Ending.CUT
        body = message.get("body", b"")
        if inflow.received + len(body) > limit:
            return Ending.TOO_LONG
        if body:
            await inflow.add(body)
        if not message.get("more_body", False):
            return Ending.WHOLE
