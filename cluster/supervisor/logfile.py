"""A child's output on disk, limited in size."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

MAX_BYTES = 10_000_000
OLD_FILES = 3


class LogFile:
    """Appends to `path`; a full file becomes `path.1`, with up to `OLD_FILES` old ones."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file: BinaryIO = path.open("ab", buffering=0)

    def write(self, data: bytes) -> None:
        self._file.write(data)
        if self._file.tell() > MAX_BYTES:
            self._turn_over()

    def close(self) -> None:
        self._file.close()

    def _turn_over(self) -> None:
        self._file.close()
        for number in range(OLD_FILES - 1, 0, -1):
            older = self.path.with_name(f"{self.path.name}.{number}")
            if older.exists():
                older.replace(self.path.with_name(f"{self.path.name}.{number + 1}"))
        self.path.replace(self.path.with_name(f"{self.path.name}.1"))
        self._file = self.path.open("ab", buffering=0)
