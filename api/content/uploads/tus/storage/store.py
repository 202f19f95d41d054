"""The protocol of storage for unfinished uploads. There is one implementation per kind of storage.

Every method except `close` blocks and runs in a thread. A store holds one half of an upload, the bytes. The other half
is its record (`records.py`), and the record decides: bytes past `record.offset` do not exist, whatever the store holds.
Calls for one upload never overlap, because the caller holds its lock (`locks.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from api.content.uploads.tus.records import TusRecord

StoreState = dict[str, Any]
"""What a store must remember about an upload, as JSON: a multipart id, its parts, the name of an unfinished tail.

It starts as None, is part of the record and changes in the same transaction as the offset, so the two never disagree. A
store that finds its bytes by the upload's id alone has no state.
"""

Part = bytes | memoryview


class BytesMissing(Exception):
    """The store holds only `found` of the bytes in the record, in `state`."""

    def __init__(self, found: int, state: StoreState | None) -> None:
        super().__init__(f"only {found} bytes are there")
        self.found = found
        self.state = state


class UploadWriter(Protocol):
    """Writes the bytes of one request, starting at the record's offset."""

    @property
    def written(self) -> int:
        """The upload's offset after the last byte written. Not all of it need be durable."""
        ...

    def write(self, parts: Sequence[Part]) -> None:
        """Write `parts` in order. The caller may reuse their memory afterwards.

        Raises `DiskFull` if they do not fit. `written` then counts the bytes that did, and those are intact.
        """
        ...

    def sync(self) -> StoreState | None:
        """Make everything written so far survive a power cut. Returns the state to record with the offset `written`.

        Until that state is recorded, a crash falls back to the one before, so nothing that it needs may be removed
        here. May raise `DiskFull`.
        """
        ...

    def undo(self) -> StoreState | None:
        """Drop what was written since the writer was opened, synced or not. Returns the state of the first offset."""
        ...

    def close(self) -> None:
        """Release everything, without blocking. The last state of `sync` or `undo` has been recorded, or the upload has
        ended. Bytes that were never synced are lost.
        """
        ...


@dataclass(frozen=True, slots=True)
class Stray:
    """A leftover of an upload that was not touched for a long time. `handle` is the store's own name for it."""

    upload_id: str
    handle: str


class UploadStore(Protocol):
    def open(self, record: TusRecord) -> UploadWriter:
        """Open at `record.offset`. Anything past it was left by a crash. Raises `BytesMissing` and `DiskFull`."""
        ...

    def concatenate(self, record: TusRecord, parts: Sequence[TusRecord]) -> StoreState | None:
        """Fill `record`, which has no bytes yet, with those of `parts` in this order, durably.

        The bytes should not pass through this process. The parts do not change and are discarded after the final record
        is. May be repeated after a crash. Raises `BytesMissing` or `DiskFull`.
        """
        ...

    def publish(self, record: TusRecord) -> bool:
        """Turn a complete upload into the object `record.object_key`, in one durable step. False if bytes are missing.

        Not called again once the object exists. An upload of zero bytes was never opened and becomes an empty object.
        """
        ...

    def discard(self, record: TusRecord) -> None:
        """Remove everything of an upload that is over. Does nothing if nothing is left."""
        ...

    def strays(self, older_than_s: float) -> Iterable[Stray]:
        """Everything that was not touched for this long, whether its upload is live or not."""
        ...

    def remove_stray(self, stray: Stray) -> None: ...

    def free_bytes(self) -> int | None:
        """The free space, or None if it has no known limit."""
        ...


T = TypeVar("T")

THREADS = 16
"""Calls are short: a slow sender occupies no thread, and a fast one releases its thread after each write."""


class Threads:
    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="upload")

    async def run(self, work: Callable[[], T]) -> T:
        """Run `work`. A cancelled caller still waits for it, so that no file is closed during a write."""
        running = asyncio.get_running_loop().run_in_executor(self._pool, work)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            await asyncio.wait([running])
            raise
