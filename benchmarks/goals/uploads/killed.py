"""Kill -9 in the middle of a PATCH: acknowledged bytes must survive, and a client that resumes must not wait."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.goals.uploads.sending import BLOCK, MIB, TusConnection, connected
from benchmarks.goals.uploads.servers import ours, running

SIZE = 64 * MIB
CHUNK = 8 * MIB
HEADS = 100
"""HEAD requests after each restart."""


@dataclass(slots=True)
class KillResult:
    """`lost`: acknowledged bytes lost in all kills. `head_ms`: each HEAD after a restart, including the first."""

    lost: int = 0
    damaged: int = 0
    head_ms: list[float] = field(default_factory=list)

    @property
    def head_p99_ms(self) -> float:
        return sorted(self.head_ms)[int(len(self.head_ms) * 0.99)]


def kill_and_resume(kills: int, port: int, data: Path, tokens: Iterator[str]) -> KillResult:
    """One upload per kill, at random moments from a fixed seed. Each is finished after the restart and compared."""
    result = KillResult()
    moments = random.Random(1)
    command, environment = ours(port, data)
    for _ in range(kills):
        authorization = f"Bearer {next(tokens)}"
        with (
            running(command, port, data, **environment) as server,
            connected(port, Authorization=authorization) as connection,
        ):
            location = connection.create(SIZE)
            acknowledged = _send_until_killed(connection, location, server.process.pid, moments)
        with running(command, port, data, **environment), connected(port, Authorization=authorization) as connection:
            offset = 0
            for _ in range(HEADS):
                begun = time.monotonic()
                offset = connection.offset(location)
                result.head_ms.append((time.monotonic() - begun) * 1000)
            result.lost += max(0, acknowledged - offset)
            connection.patch(location, offset, SIZE - offset)
        result.damaged += not _is_whole(data)
    return result


def _send_until_killed(connection: TusConnection, location: str, pid: int, moments: random.Random) -> int:
    """Send a few chunks, kill the server within the next one, and return the last acknowledged offset."""
    acknowledged = 0
    for _ in range(moments.randrange(1, 4)):
        connection.patch(location, acknowledged, CHUNK)
        acknowledged += CHUNK
    killer = threading.Timer(moments.uniform(0.0, 0.02), os.kill, (pid, signal.SIGKILL))
    killer.start()
    # A response that arrived before the kill counts as well.
    with suppress(OSError):
        while acknowledged < SIZE - CHUNK:
            connection.patch(location, acknowledged, CHUNK)
            acknowledged += CHUNK
    killer.join()
    return acknowledged


def _is_whole(data: Path) -> bool:
    """Whether the one object equals what was sent. Removes it, because memory is small."""
    (path,) = (data / "objects" / "uploads").glob("*/original")
    with path.open("rb") as opened:
        is_whole = all(block == BLOCK for block in iter(lambda: opened.read(MIB), b"")) and path.stat().st_size == SIZE
    path.unlink()
    return is_whole
