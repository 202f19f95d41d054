"""Why a database cannot be used, for people."""

from __future__ import annotations

_DISK_FULL = frozenset({"SQLITE_FULL", "53100"})
_DAMAGED = frozenset({"SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002"})
"""Names of SQLite and SQLSTATEs of PostgreSQL."""

DAMAGED = "it is damaged. Restore a backup with `sagascript restore`"
DISK_FULL = "its disk is full. Make room and try again"


def is_disk_full(error: BaseException) -> bool:
    return _code_of(error) in _DISK_FULL


def is_damaged(error: BaseException) -> bool:
    return _code_of(error) in _DAMAGED


def reason(error: BaseException) -> str:
    """The rest of a sentence, without its full stop. SQLAlchemy's own text has the statement and a link in it."""
    if is_damaged(error):
        return DAMAGED
    if is_disk_full(error):
        return DISK_FULL
    said = str(getattr(error, "orig", None) or error).strip()
    return said.splitlines()[0].rstrip(".") if said else type(error).__name__


def _code_of(error: BaseException) -> str:
    """SQLite's name of an error without its extension, or PostgreSQL's SQLSTATE. Empty for others."""
    cause = getattr(error, "orig", None)
    name = getattr(cause, "sqlite_errorname", None)
    return "_".join(name.split("_")[:2]) if name else getattr(cause, "sqlstate", None) or ""
