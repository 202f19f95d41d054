"""One holder of an upload at a time, across processes and, where the implementation says so, across hosts.

A newcomer asks the holder to let go: a holder that is still receiving keeps what it has and ends its request, so that a
client with a new connection is not kept out by its own dead one.
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import Protocol

WAIT_S = 5.0
"""How long a newcomer waits for the holder. Clients repeat a 423 after 0.1 to 5 s, with at most four tries."""

TRY_EVERY_S = 0.02
"""How often a newcomer tries while it waits."""


class UploadLock:
    """A held lock, as its holder sees it."""

    def __init__(self) -> None:
        self.wanted = asyncio.Event()
        """Somebody waits for this upload, or the lock was lost: keep what arrived, record it and end."""


class UploadLocks(Protocol):
    def hold(self, upload_id: str, *, wait_s: float = 0.0) -> AbstractAsyncContextManager[UploadLock | None]:
        """The lock for as long as the context is open, or None when another holds it.

        With `wait_s` the holder is asked to let go and has so long for it; without, it is left alone. Whoever gets the
        lock must read the record again. A holder that died or froze loses the lock by itself, at the latest after the
        implementation's lease; what it still writes to the record is refused there by the offset it knew.
        """
        ...
