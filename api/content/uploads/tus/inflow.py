"""Writes the body of a request to the store in bounded memory and records its offset from time to time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Sequence
from functools import partial
from typing import Protocol

from api.content.uploads.tus.storage.store import Part, StoreState, Threads, UploadWriter

CHECKPOINT_BYTES = 128 * 1024 * 1024
CHECKPOINT_S = 5.0
"""How much of one unanswered request a killed process may lose."""


class Overtaken(Exception):
    """The upload ended or continued elsewhere while this request was sending."""


class RecordOffset(Protocol):
    def __call__(self, offset: int, state: StoreState | None, *, known: int) -> Awaitable[bool]:
        """Record a durable offset; see `Records.set_offset`."""
        ...


class Digest(Protocol):
    def update(self, data: bytes | memoryview, /) -> None: ...


class Inflow:
    """`received` counts the bytes that have arrived, `durable` those that would survive a power cut.

    With a `digest`, which sees every byte, nothing is recorded before the end: the bytes are worthless until all of
    them are verified.
    """

    def __init__(
        self,
        threads: Threads,
        writer: UploadWriter,
        record_offset: RecordOffset,
        *,
        state: StoreState | None,
        digest: Digest | None,
    ) -> None:
        self.start = self.durable = writer.written
        self.state = state
        """The store's state at the durable offset."""
        self.threads = threads
        self._writer = writer
        self._record_offset = record_offset
        self._digest = digest
        self._saved_at = time.monotonic()

    def write(self, parts: Sequence[Part]) -> None:
        """Write `parts`. Blocks, so call it from a thread. Raises `DiskFull`."""
        self._writer.write(parts)
        if self._digest is not None:
            for part in parts:
                self._digest.update(part)

    @property
    def received(self) -> int:
        """The offset after the last byte received. Not all of it need be durable."""
        return self._writer.written

    async def add(self, parts: Sequence[Part]) -> None:
        if parts:
            await self.threads.run(partial(self.write, parts))
        await self.checkpoint()

    async def checkpoint(self) -> None:
        """Record what has arrived if the last record is old or far behind."""
        is_late = time.monotonic() - self._saved_at >= CHECKPOINT_S
        if is_late or self.received - self.durable >= CHECKPOINT_BYTES:
            await self.settle()

    async def settle(self) -> None:
        """Record what has arrived, unless a checksum covers it. Raises `DiskFull` and `Overtaken`."""
        if self._digest is None:
            await self.save()

    async def save(self) -> None:
        offset = self._writer.written
        if offset != self.durable:
            state = await self.threads.run(self._writer.sync)
            await self._record(offset, state)
        self._saved_at = time.monotonic()

    async def undo(self) -> None:
        """Drop this request's bytes: the upload returns to the offset it had before."""
        state = await self.threads.run(self._writer.undo)
        if self.durable != self.start:
            await self._record(self.start, state)

    def close(self) -> None:
        self._writer.close()

    async def _record(self, offset: int, state: StoreState | None) -> None:
        recording = asyncio.ensure_future(self._record_offset(offset, state, known=self.durable))
        try:
            is_kept = await asyncio.shield(recording)
        except asyncio.CancelledError:
            # A later save must know the offset in the record.
            if await recording:
                self.durable, self.state = offset, state
            raise
        if not is_kept:
            raise Overtaken
        self.durable, self.state = offset, state
