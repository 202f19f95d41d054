"""How long the lock that a command holds keeps others out: SQLite's one write lock, or a file's row on PostgreSQL."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psycopg

LOOK_EVERY_S = 0.005


class LockWatch:
    """Tries to take the lock every 5 ms and gives it back at once. `longest_s` is the longest time it was taken.

    Locks that follow each other without a gap of 5 ms count as one.
    """

    def __init__(self, is_free: Callable[[], bool]) -> None:
        self.longest_s = 0.0
        self._is_free = is_free
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="lock-watch", daemon=True)

    def __enter__(self) -> LockWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        taken_since: float | None = None
        while not self._over.wait(LOOK_EVERY_S):
            began = time.monotonic()
            if self._is_free():
                if taken_since is not None:
                    self.longest_s = max(self.longest_s, time.monotonic() - taken_since)
                taken_since = None
            elif taken_since is None:
                taken_since = began


def sqlite_lock(path: Path) -> Callable[[], bool]:
    """Whether nobody is writing to the database at this path."""
    connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)

    def is_free() -> bool:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        connection.execute("ROLLBACK")
        return True

    return is_free


def row_lock(url: str, slug: str) -> Callable[[], bool]:
    """Whether nobody holds the row of this file, which every change of its captions locks."""
    connection = psycopg.connect(url, autocommit=True)

    def is_free() -> bool:
        try:
            connection.execute("SELECT id FROM files WHERE slug = %s FOR UPDATE NOWAIT", [slug])
        except psycopg.errors.LockNotAvailable:
            return False
        return True

    return is_free
