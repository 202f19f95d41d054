"""A small disk of the installation's own for the work and upload folders, so that it can be filled up."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SIZE_MB = 400
LEFT_BYTES = 64 * 1024
"""Room left when it is full: enough for a folder, not for a video."""


class SmallDisk:
    """A tmpfs over `folder`; only root may make one, else `is_small` is False and nothing is filled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.is_small = os.geteuid() == 0 and self._mount()
        self._filler = folder / ".filler"

    def _mount(self) -> bool:
        made = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m", "sagascript-lost", str(self.folder)]
        return subprocess.run(made, check=False, capture_output=True).returncode == 0

    def fill(self) -> None:
        free = os.statvfs(self.folder)
        wanted = max(0, free.f_bavail * free.f_frsize - LEFT_BYTES)
        with self._filler.open("wb") as file:
            try:
                os.posix_fallocate(file.fileno(), 0, wanted)
            except OSError:
                # Others took room meanwhile, which fills the disk as well.
                return

    def free(self) -> None:
        self._filler.unlink(missing_ok=True)

    def remove(self) -> None:
        self.free()
        if self.is_small:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=False, capture_output=True)
