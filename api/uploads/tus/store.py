"""Where the bytes of unfinished uploads lie, as the upload host needs it. One implementation a kind of storage.

Every method but `close` blocks and is called from a thread. What is written here is one half of an upload; the other
half is its record (`records.py`), and the record decides: bytes past `record.offset` do not exist, whatever the store
holds.
The calls for one upload come one at a time, by whoever holds its lock (`locks.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from api.uploads.tus.records import TusRecord

StoreState = dict[str, Any]
"""What a store must remember of an upload, as JSON: a multipart id, its parts, the name of an unfinished tail.

It begins as None, is kept in the record and changes in the same transaction as the offset, so the two never disagree. A
store that finds its bytes by the upload's id alone has none.
"""

Part = bytes | memoryview


class BytesMissing(Exception):
    """The store holds only `found` bytes of what the record promises, in `state`."""

    def __init__(self, found: int, state: StoreState | None) -> None:
        super().__init__(f"only {found} bytes are there")
        self.found = found
        self.state = state


class UploadWriter(Protocol):
    """Bytes of one request, from the record's offset on."""

    @property
    def written(self) -> int:
        """The upload's offset after the last byte taken; not all of it need be durable."""
        ...

    def write(self, parts: Sequence[Part]) -> None:
        """Take `parts`, one after the other. Their memory is the caller's again on return.

        Raises `DiskFull` when they do not fit; `written` then says how many of them did, and those are whole.
        """
        ...

    def sync(self) -> StoreState | None:
        """Make everything written so far survive a power cut; the state to record beside the offset `written`.

        Until that state is recorded a crash falls back to the state before: nothing that one needs may be removed here.
        May raise `DiskFull`.
        """
        ...

    def undo(self) -> StoreState | None:
        """Forget what was written since the writer was opened, synced or not; the state of the offset it began at."""
        ...

    def close(self) -> None:
        """Let go, without blocking. The last state that `sync` or `undo` gave has been recorded, or the upload ended.
        Bytes never synced are forgotten.
        """
        ...


@dataclass(frozen=True, slots=True)
class Stray:
    """Something of an upload that lay untouched for long; `handle` is the store's own name for it."""

    upload_id: str
    handle: str


class UploadStore(Protocol):
    def open(self, record: TusRecord) -> UploadWriter:
        """Go on at `record.offset`, or begin; anything past that is what a crash left. `BytesMissing`, `DiskFull`."""
        ...

    def concatenate(self, record: TusRecord, parts: Sequence[TusRecord]) -> StoreState | None:
        """Fill `record`, which has no bytes yet, with those of `parts` in this order, durably.

        The bytes should not pass through this process. The parts stay as they are: they are discarded when the record
        of the whole is. May be repeated after a crash. Raises `BytesMissing` or `DiskFull`.
        """
        ...

    def publish(self, record: TusRecord) -> bool:
        """Turn a whole upload into the object `record.object_key`, in one step, durably. False when bytes are missing.

        Not called again once the object is there. An upload of zero bytes was never opened and becomes an empty object.
        """
        ...

    def discard(self, record: TusRecord) -> None:
        """Remove all there is of an upload that is over; nothing happens when nothing is there."""
        ...

    def strays(self, older_than_s: float) -> Iterable[Stray]:
        """What nobody touched for so long, be its upload live or not."""
        ...

    def remove_stray(self, stray: Stray) -> None: ...

    def free_bytes(self) -> int | None:
        """Room that is left; None when it has no known end."""
        ...
