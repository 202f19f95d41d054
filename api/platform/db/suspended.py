"""Ends a suspended process of ours that holds a lock every other process on this machine waits for.

SQLite has one writer at a time. Measured: a process that is stopped inside a write transaction (SIGSTOP, a debugger, a
forgotten Ctrl-Z) blocks every other writer until it continues, for hours if need be. Killing it frees the lock at once
and loses nothing, because its transaction was never committed. Its supervisor starts a new one. PostgreSQL does the
same by itself: see `idle_in_transaction_session_timeout` in `engine.py`.

This relies on where SQLite puts its write lock. `SAGASCRIPT_END_SUSPENDED=false` turns it off.

Needs `/proc/locks`, so Linux with all processes in one container. Elsewhere nothing is ended.
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

from api.platform.db.engine import Database

log = structlog.get_logger(__name__)

LOOK_S = 1.0
SUSPENDED_S = 6.0
"""SQLite's other writers time out after 30 s, which leaves enough for this and the next transaction."""

PUBLISHER_LOCK = ".publisher-lock"
"""The suffix of the file beside the database that the sender of events keeps locked."""

WRITE_LOCK_BYTE = 120
"""The byte of the `-shm` file that SQLite locks to write (wal.c, WAL_WRITE_LOCK)."""


@dataclass(frozen=True, slots=True)
class FileLock:
    """A lock on one byte of a file, or on the whole file if `byte` is None."""

    path: Path
    byte: int | None = None


def locks_of(database: Database) -> tuple[FileLock, ...]:
    """The locks that one process at a time holds on a SQLite database; none for another database."""
    if not database.is_sqlite:
        return ()
    path = Path(str(database.engine.url.database))
    return (
        FileLock(path.with_name(f"{path.name}-shm"), WRITE_LOCK_BYTE),
        FileLock(path.with_suffix(PUBLISHER_LOCK)),
    )


async def end_suspended_holders(
    locks: Sequence[FileLock], *, enabled: bool = True, suspended_s: float = SUSPENDED_S
) -> None:
    """Kill each holder of one of the locks that has been suspended this long. Runs until cancelled if there are any."""
    since: dict[int, float] = {}
    while enabled and locks:
        await asyncio.sleep(LOOK_S)
        suspended = {pid for each in locks for pid in holders(each) if _is_stopped(pid) and _is_ours(pid)}
        since = {pid: since.get(pid, time.monotonic()) for pid in suspended}
        for pid, began in since.items():
            if time.monotonic() - began >= suspended_s:
                log.error("database.suspended_holder_killed", pid=pid, seconds=round(time.monotonic() - began))
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)


def holders(lock: FileLock) -> Iterator[int]:
    """The processes that hold it now, from the kernel: opening and closing the file would drop our own locks."""
    try:
        inode = lock.path.stat().st_ino
        table = Path("/proc/locks").read_text()
    except OSError:
        return
    for line in table.splitlines():
        # "1: POSIX  ADVISORY  WRITE 812 08:01:2621447 120 120"; waiting ones have "->" after the number.
        fields = line.split()
        if "->" in fields or len(fields) != 8 or fields[3] != "WRITE":
            continue
        pid, device_and_inode, first, last = int(fields[4]), fields[5], fields[6], fields[7]
        is_there = lock.byte is None or (last != "EOF" and int(first) <= lock.byte <= int(last))
        if is_there and device_and_inode.endswith(f":{inode}") and _has_open(pid, lock.path):
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
    """Whether it runs this very Python: a suspended database shell is not ours to end."""
    with suppress(OSError):
        return os.readlink(f"/proc/{pid}/exe") == os.readlink("/proc/self/exe") and pid != os.getpid()
    return False
