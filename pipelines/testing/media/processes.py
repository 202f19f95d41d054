"""Processes that media work starts: find them, and wait until they run."""

from __future__ import annotations

import os
import time
from pathlib import Path

from cluster.testing.processes import descendants


def ffmpeg_in(work: Path) -> list[int]:
    """Processes below this one whose current folder is this work folder or one in it."""
    found = []
    for pid in descendants(os.getpid()):
        try:
            if Path(os.readlink(f"/proc/{pid}/cwd")).is_relative_to(work):
                found.append(pid)
        except OSError:
            continue
    return found


def running(work: Path, seconds: float = 60) -> int:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pids = [
            pid for pid in ffmpeg_in(work) if b"ffmpeg" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0]
        ]
        if pids:
            return pids[0]
        time.sleep(0.05)
    raise AssertionError("ffmpeg was not started")
