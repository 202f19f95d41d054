"""A file whose time shows that a process's main loop still turns. Probes of containers look at its age.

For a process without a port of its own: the one that watches the models.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from cluster.settings import ClusterSettings


def heartbeat_file(settings: ClusterSettings, process: str) -> Path:
    return settings.data_dir.resolve() / "run" / f"{process}.alive"


def beat(path: Path) -> None:
    # A process that cannot write fails its probe, which is the right answer on a full or lost disk.
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
