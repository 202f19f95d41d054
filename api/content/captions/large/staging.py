"""Write a large change: its rows wait in a temporary table of the connection, and the transaction copies them.

SQLite's one write lock is held from the start of a transaction. 20,000 rows bound one by one took 0.7 s of it, since
each waits for Python's lock; copied within the database they take 0.15 s.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from api.content.captions.large.change import LargeChange
from api.content.captions.models import CaptionLineRow
from api.content.captions.stored.row_values import INSERTED
from api.platform.db.search_queue import MANY_LINES, index_later

_COLUMNS = ", ".join(INSERTED)
_CACHE_KB = 64_000
"""For the pages of 20,000 lines. In SQLite's usual 2 MB, those of the indexes are written again and again."""

_TYPES = {
    **dict.fromkeys(("id", "track_id"), "uuid"),
    **dict.fromkeys(("start_ms", "end_ms", "words_shift_ms", "revision"), "integer"),
    **dict.fromkeys(("words", "doubts", "place", "flags"), "jsonb"),
    **dict.fromkeys(("locked", "forced"), "boolean"),
    "log_probability": "double precision",
}
_EMPTY = (
    text("DROP TABLE IF EXISTS staged_lines"),
    text("DROP TABLE IF EXISTS staged_ids"),
)
_CREATE = (
    text(f"CREATE TEMPORARY TABLE staged_lines AS SELECT {_COLUMNS} FROM caption_lines WHERE 1 = 0"),
    text("CREATE TEMPORARY TABLE staged_ids AS SELECT id FROM caption_lines WHERE 1 = 0"),
)
_SQLITE_ROW = ", ".join(f"json_extract(value, '$[{at}]')" for at in range(len(INSERTED)))
_POSTGRESQL_ROW = ", ".join(f"CAST(value ->> {at} AS {_TYPES.get(name, 'text')})" for at, name in enumerate(INSERTED))
_FILL = {
    "sqlite": (
        text(f"INSERT INTO staged_lines ({_COLUMNS}) SELECT {_SQLITE_ROW} FROM json_each(:rows)"),
        text("INSERT INTO staged_ids (id) SELECT value FROM json_each(:touched)"),
    ),
    "postgresql": (
        text(
            f"INSERT INTO staged_lines ({_COLUMNS})"
            f" SELECT {_POSTGRESQL_ROW} FROM jsonb_array_elements(CAST(:rows AS jsonb)) AS value"
        ),
        text(
            "INSERT INTO staged_ids (id)"
            " SELECT CAST(value AS uuid) FROM jsonb_array_elements_text(CAST(:touched AS jsonb)) AS value"
        ),
    ),
}
_REMOVE_ALL = text("DELETE FROM caption_lines WHERE track_id = :track")
# Name the track too: an id alone would reach lines of another file.
_REMOVE = text("DELETE FROM caption_lines WHERE track_id = :track AND id IN (SELECT id FROM staged_ids)")
_COPY = text(f"INSERT INTO caption_lines ({_COLUMNS}) SELECT {_COLUMNS} FROM staged_lines")


@dataclass(frozen=True, slots=True)
class StagedRows:
    """The rows of a change, on a connection before its transaction begins."""

    change: LargeChange

    async def fill(self, connection: AsyncConnection) -> None:
        dialect = connection.dialect.name
        for statement in (*_EMPTY, *_CREATE):
            await connection.execute(statement)
        rows, touched = _FILL[dialect]
        await connection.execute(rows, {"rows": self.change.rows})
        await connection.execute(touched, {"touched": self.change.touched})
        if dialect == "sqlite":
            await connection.execute(text(f"PRAGMA cache_size = -{_CACHE_KB}"))

    async def empty(self, connection: AsyncConnection) -> None:
        for statement in _EMPTY:
            await connection.execute(statement)
        if connection.dialect.name == "sqlite":
            await connection.execute(text("PRAGMA cache_size = -2000"))
            await connection.execute(text("PRAGMA shrink_memory"))


async def write_staged(session: AsyncSession, change: LargeChange) -> None:
    """Apply a change that is staged on the session's connection to the rows."""
    sqlite = session.get_bind().dialect.name == "sqlite"
    track = {"track": change.track_id.hex if sqlite else change.track_id}
    if max(change.before_count, change.after_count) >= MANY_LINES:
        await index_later(session)
    await session.flush()
    is_whole = change.before_count == await _count(session, change.track_id)
    await session.execute(_REMOVE_ALL if is_whole else _REMOVE, track)
    await session.execute(_COPY)


async def _count(session: AsyncSession, track_id: uuid.UUID) -> int:
    statement = select(func.count()).where(CaptionLineRow.track_id == track_id)
    return await session.scalar(statement) or 0
