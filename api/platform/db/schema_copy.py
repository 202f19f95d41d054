"""A copy of a SQLite database before its schema changes, so that the version before it can be installed again."""

from __future__ import annotations

import sqlite3
import uuid
from contextlib import closing
from pathlib import Path

from cluster.wording.message import Wording

NO_COPY = Wording("db.no_copy", "it cannot be copied before it is changed ({failure})")
COPIES = 3
"""Those of the newest changes stay."""
_MARK = ".schema-"


def copy_of(database: Path, revision: str) -> Path:
    """Where the copy of a database with this schema lies."""
    return database.with_name(f"{database.name}{_MARK}{revision}")


def copy_before_change(database: Path, revision: str) -> Path:
    """Copy the database as it is now, beside it, for its owner alone. Raises `OSError`, whose text ends a sentence."""
    target = copy_of(database, revision)
    draft = target.with_name(f"{target.name}.{uuid.uuid4().hex}")
    try:
        draft.touch(mode=0o600)
        with closing(sqlite3.connect(database, isolation_level=None)) as source:
            # Also what is still in the write-ahead log, and without blocking those who read.
            source.execute("VACUUM INTO ?", (str(draft),))
        draft.replace(target)
    except sqlite3.Error as error:
        raise OSError(str(NO_COPY(failure=str(error)))) from None
    finally:
        draft.unlink(missing_ok=True)
    copies = sorted(database.parent.glob(f"{database.name}{_MARK}[0-9]*"), key=lambda path: path.stat().st_mtime)
    for old in copies[:-COPIES]:
        old.unlink(missing_ok=True)
    return target
