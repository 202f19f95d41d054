"""A request's body on its way to the store: bounded memory, recorded now and then, whole or as far as it came."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from api.uploads.tus.store import Part, StoreState, UploadWriter
from api.uploads.tus.threads import Threads

if TYPE_CHECKING:
    from hashlib import _Hash

CHECKPOINT_BYTES = 128 * 1024 * 1024
CHECKPOINT_S = 5.0
"""How much a killed process may forget of one request that was not answered yet."""


class Overtaken(Exception):
    """The upload ended, or went on elsewhere, while this request was sending."""


class Keep(Protocol):
    def __call__(self, offset: int, state: StoreState | None, *, known: int) -> Awaitable[bool]:
        """Record a durable offset; see `Records.set_offset`."""
        ...


class Inflow:
    """Of the upload, `received` bytes have come in and `durable` would survive a power cut.

    A `digest` sees every byte. With one nothing is recorded before the end: the bytes are worth nothing until the last
    of them has been checked.
    """

    def __init__(
        self,
        threads: Threads,
        writer: UploadWriter,
        keep: Keep,
        *,
        state: StoreState | None,
        digest: _Hash | None,
    ) -> None:
        self.start = self.durable = writer.written
        self.state = state
        """What the store said of the durable bytes."""
        self.threads = threads
        self._writer = writer
        self._keep = keep
        self._digest = digest
        self._saved_at = time.monotonic()

    def write(self, parts: Sequence[Part]) -> None:
        """Take `parts` in. Blocks: for a thread. Raises `DiskFull`."""
        self._writer.write(parts)
        if self._digest is not None:
            for part in parts:
                self._digest.update(part)

    @property
    def received(self) -> int:
        """The offset after what came in; not all of it need be durable."""
        return self._writer.written

    async def add(self, parts: Sequence[Part]) -> None:
        if parts:
            await self.threads.run(partial(self.write, parts))
        await self.checkpoint()

    async def checkpoint(self) -> None:
        """Record what came when that was long ago."""
        is_late = time.monotonic() - self._saved_at >= CHECKPOINT_S
        if is_late or self.received - self.durable >= CHECKPOINT_BYTES:
            await self.settle()

    async def settle(self) -> None:
        """Record what came, unless it must come whole. Raises `DiskFull` and `Overtaken`."""
        if self._digest is None:
            await self.save()

    async def save(self) -> None:
        offset = self._writer.written
        if offset != self.durable:
            state = await self.threads.run(self._writer.sync)
            await self._record(offset, state)
        self._saved_at = time.monotonic()

    async def undo(self) -> None:
        """Forget this request's bytes: the upload stands where it stood before."""
        state = await self.threads.run(self._writer.undo)
        if self.durable != self.start:
            await self._record(self.start, state)

    def close(self) -> None:
        self._writer.close()

    async def _record(self, offset: int, state: StoreState | None) -> None:
        recording = asyncio.ensure_future(self._keep(offset, state, known=self.durable))
        try:
            is_kept = await asyncio.shield(recording)
        except asyncio.CancelledError:
            # The offset the record has must be known to whoever saves once more.
            if await recording:
                self.durable, self.state = offset, state
            raise
        if not is_kept:
            raise Overtaken
        self.durable, self.state = offset, state
