"""A file whose time shows that a process's main loop still turns. Probes of containers look at its age.

For processes without a port of their own: the dispatcher and the one that watches the models.
"""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from cluster.settings import ClusterSettings

EVERY_S = 5.0


def heartbeat_file(settings: ClusterSettings, process: str) -> Path:
    return settings.data_dir.resolve() / "run" / f"{process}.alive"


def beat(path: Path) -> None:
    # A process that cannot write fails its probe, which is the right answer on a full or lost disk.
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


async def beat_forever(path: Path) -> None:
    while True:
        beat(path)
        await asyncio.sleep(EVERY_S)
