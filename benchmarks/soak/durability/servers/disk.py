"""A small disk for the installation's work and upload folders, so that we can fill it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SIZE_MB = 400
LEFT_BYTES = 64 * 1024
"""Free space on the full disk: enough for a folder, not for a video."""


class SmallDisk:
    """A tmpfs over `folder`. Only root can make one; otherwise `is_small` is False and nothing is filled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.is_small = os.geteuid() == 0 and self._mount()
        self._filler = folder / ".filler"

    def _mount(self) -> bool:
        made = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m", "sagascript-durability", str(self.folder)]
        return subprocess.run(made, check=False, capture_output=True).returncode == 0

    def fill(self) -> None:
        free = os.statvfs(self.folder)
        wanted = max(0, free.f_bavail * free.f_frsize - LEFT_BYTES)
        with self._filler.open("wb") as file:
            try:
                os.posix_fallocate(file.fileno(), 0, wanted)
            except OSError:
                # Somebody else took the space, which fills the disk too.
                return

    def free(self) -> None:
        self._filler.unlink(missing_ok=True)

    def remove(self) -> None:
        self.free()
        if self.is_small:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=False, capture_output=True)
