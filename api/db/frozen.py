"""Ends a process of ours that was frozen while it held a lock that everybody on this machine waits for.

On SQLite one writer at a time holds the database. Measured: a process stopped (SIGSTOP, a suspended container, a
forgotten Ctrl-Z) inside a write transaction blocks every other writer until it wakes, for hours if need be; a kill
frees them at once and loses nothing, since its transaction was never committed. So it is killed, and its supervisor
starts another one. PostgreSQL does the same itself: see `idle_in_transaction_session_timeout` in `engine.py`.

Needs `/proc/locks` (Linux, and the processes in one container); elsewhere nothing is ended.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import structlog

from api.db.engine import Database

log = structlog.get_logger(__name__)

LOOK_S = 1.0
FROZEN_S = 6.0
"""SQLite's other writers wait 30 s before they give up: long enough for this and the transaction after it."""

PUBLISHER_LOCK = ".publisher-lock"
"""The ending of the file, beside the database, that whoever sends events has locked."""

WRITE_LOCK_BYTE = 120
"""Where in the `-shm` file SQLite locks the right to write (wal.c, WAL_WRITE_LOCK)."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A lock: on one byte of a file, or on the whole file when `byte` is None."""

    path: Path
    byte: int | None = None


def locks_of(database: Database) -> tuple[Watched, ...]:
    """What one process holds against all others of a SQLite database; nothing of another database."""
    if not database.is_sqlite:
        return ()
    path = Path(str(database.engine.url.database))
    return (
        Watched(path.with_name(f"{path.name}-shm"), WRITE_LOCK_BYTE),
        Watched(path.with_suffix(PUBLISHER_LOCK)),
    )


async def end_frozen_holders(watched: Sequence[Watched], *, frozen_s: float = FROZEN_S) -> None:
    """For ever, while there is anything to watch: kill whoever holds one of the locks and is stopped for so long."""
    since: dict[int, float] = {}
    while watched:
        await asyncio.sleep(LOOK_S)
        frozen = {pid for each in watched for pid in holders(each) if _is_stopped(pid) and _is_ours(pid)}
        since = {pid: since.get(pid, time.monotonic()) for pid in frozen}
        for pid, began in since.items():
            if time.monotonic() - began >= frozen_s:
                log.error("database.frozen_holder_killed", pid=pid, seconds=round(time.monotonic() - began))
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)


def holders(lock: Watched) -> Iterator[int]:
    """Who holds it now. Read from the kernel: opening and closing the file here would drop this process's own locks."""
    try:
        inode = lock.path.stat().st_ino
        table = Path("/proc/locks").read_text()
    except OSError:
        return
    for line in table.splitlines():
        # "1: POSIX  ADVISORY  WRITE 812 08:01:2621447 120 120"; those who wait have "->" after the number.
        fields = line.split()
        if "->" in fields or len(fields) != 8 or fields[3] != "WRITE":
            continue
        pid, place, first, last = int(fields[4]), fields[5], fields[6], fields[7]
        is_there = lock.byte is None or (last != "EOF" and int(first) <= lock.byte <= int(last))
        if is_there and place.endswith(f":{inode}") and _has_open(pid, lock.path):
            yield pid


def _has_open(pid: int, path: Path) -> bool:
    """Inode numbers repeat from one file system to the next."""
    wanted = str(path.resolve())
    with suppress(OSError):
        return any(os.readlink(each) == wanted for each in Path(f"/proc/{pid}/fd").iterdir())
    return False


def _is_stopped(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    return False


def _is_ours(pid: int) -> bool:
    """A process of this very Python: a database shell that somebody stopped is not ours to end."""
    with suppress(OSError):
        return os.readlink(f"/proc/{pid}/exe") == os.readlink("/proc/self/exe") and pid != os.getpid()
    return False
