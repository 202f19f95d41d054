"""A ZIP file written while it is sent: it never stands whole in memory or on disk."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from typing_extensions import Buffer


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the archive, in pieces."""

    name: str
    pieces: AsyncIterator[bytes]


class _Outlet(io.RawIOBase):
    """What the archive writes, until somebody takes it. It cannot seek, so entries are followed by their sizes."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, block: Buffer) -> int:
        copy = bytes(block)
        self._written.append(copy)
        return len(copy)

    def take(self) -> bytes:
        taken = b"".join(self._written)
        self._written.clear()
        return taken


async def zip_stream(entries: AsyncIterator[Entry]) -> AsyncIterator[bytes]:
    outlet = _Outlet()
    with ZipFile(outlet, "w", ZIP_DEFLATED) as archive:
        async for entry in entries:
            info = ZipInfo(entry.name, datetime.now(UTC).timetuple()[:6])
            info.compress_type = ZIP_DEFLATED
            with archive.open(info, "w") as target:
                async for piece in entry.pieces:
                    await asyncio.to_thread(target.write, piece)
                    yield outlet.take()
    yield outlet.take()
