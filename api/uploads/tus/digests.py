"""Running SHA-256 of uploads this process has written from their first byte.

A hash cannot be carried to another process: an upload that continues elsewhere is read once more when it is whole.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import _Hash

MAX_RUNNING = 2000


class Digests:
    def __init__(self) -> None:
        self._running: OrderedDict[str, tuple[int, _Hash]] = OrderedDict()

    def take(self, upload_id: str, offset: int) -> _Hash | None:
        """The hash over exactly the first `offset` bytes, which the caller now owns; None when it is not known."""
        if offset == 0:
            self._running.pop(upload_id, None)
            return hashlib.sha256()
        at, digest = self._running.pop(upload_id, (0, None))
        return digest if at == offset else None

    def keep(self, upload_id: str, offset: int, digest: _Hash) -> None:
        self._running[upload_id] = (offset, digest)
        while len(self._running) > MAX_RUNNING:
            self._running.popitem(last=False)

    def forget(self, upload_id: str) -> None:
        self._running.pop(upload_id, None)
