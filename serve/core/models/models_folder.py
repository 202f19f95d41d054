"""The folders of the models folder, and whether it changed, without reading their files."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

LOOK_AGAIN_S = 60.0
"""The hub's cache and installed programs change rarely; after this long everything is looked at again."""
_DEPTH = 3
"""Models lie in `name/` or `owner/name/`, some with folders of their own."""


def model_folders(root: Path) -> list[Path]:
    """The folders of the models folder by name; none where there is none. Unfinished downloads are in hidden ones."""
    if not root.is_dir():
        return []
    return sorted(path for path in root.iterdir() if path.is_dir() and not path.name.startswith("."))


class ModelsFolder:
    """Remembers the folder as it was when it was last looked at."""

    def __init__(self, root: Path, now: Callable[[], float] = time.monotonic) -> None:
        self._root = root
        self._now = now
        self._seen = self._signature()
        self._looked = now()

    def has_changed(self) -> bool:
        """Whether the folder changed since the last call, or so much time has passed that other places may have."""
        seen = self._signature()
        is_late = self._now() - self._looked >= LOOK_AGAIN_S
        if seen == self._seen and not is_late:
            return False
        self._seen, self._looked = seen, self._now()
        return True

    def _signature(self) -> frozenset[tuple[str, int]]:
        return frozenset(_folders(str(self._root), _DEPTH))


def _folders(folder: str, depth: int) -> Iterator[tuple[str, int]]:
    """Folders with their times of change: a file that comes or goes changes that of its folder."""
    try:
        yield folder, os.stat(folder).st_mtime_ns
        if depth:
            for entry in os.scandir(folder):
                # Unfinished downloads are in hidden folders.
                if entry.is_dir() and not entry.name.startswith("."):
                    yield from _folders(entry.path, depth - 1)
    except OSError:
        # It is not there yet, or was removed meanwhile.
        return
