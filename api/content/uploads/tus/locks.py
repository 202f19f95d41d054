"""One request at a time writes an upload, across processes and, in some implementations, across machines.

A new request makes the current holder store what it has received and release the lock, so that a client that reconnects
is not blocked by its own dead connection.
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import Protocol

WAIT_S = 5.0
"""How long a new request waits for the holder. Clients repeat a 423 after 0.1 to 5 s, at most four times."""

TRY_EVERY_S = 0.02
"""How often it tries meanwhile."""


class UploadLock:
    """A lock, for its holder."""

    def __init__(self) -> None:
        self.wanted = asyncio.Event()
        """Another request waits for this upload, or the lock has expired: record what has arrived and stop."""


class UploadLocks(Protocol):
    def hold(self, upload_id: str, *, wait_s: float = 0.0) -> AbstractAsyncContextManager[UploadLock | None]:
        """Hold the lock while the context is open. Yields None if another request holds it.

        With `wait_s`, the holder is interrupted and has this long to release the lock. Without, it is left alone. After
        getting the lock, read the record again. A holder that dies or is suspended loses the lock, at the latest after
        the implementation's lease; a late write of its own fails because the offset it knows is outdated.
        """
        ...
