"""Keep the search index of SQLite in step with captions, at once or a little later.

The index takes 2 s of processor time for 20,000 lines, ten times as long as the lines themselves, and everybody's
changes wait for SQLite's one write lock. So a change of many lines only notes them in `search_queue`, and the web
process brings them into the index piece by piece. While the queue holds anything, every change goes through it: the
index must lose the words it holds before it gains new ones.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from itertools import groupby

import structlog
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.db.engine import DATABASE_AWAY, Database
from cluster.background import end

MANY_LINES = 500
"""A change of so many lines leaves the index for later. Fewer take less than 50 ms."""
PIECE = 200
LOOK_EVERY_S = 1.0
REST = 2.0
"""After a piece, other people's changes have the lock for so many times as long as it took."""

log = structlog.get_logger(__name__)

_IS_SQLITE = "sqlite"


async def index_later(session: AsyncSession) -> None:
    """From here on, this transaction's changes of lines wait in the queue."""
    if session.get_bind().dialect.name == _IS_SQLITE:
        # The first entry names no line. It is there so that the triggers send what follows here.
        await session.execute(text("INSERT INTO search_queue (line_id, leaves, words) VALUES ('', 1, '')"))


async def index_piece(database: Database) -> bool:
    """Bring the first changes of the queue into the index. False when there were none."""
    if not database.is_sqlite:
        return False
    async with database.read() as session:
        if await session.scalar(text("SELECT 1 FROM search_queue LIMIT 1")) is None:
            return False
    async with database.write() as session:
        rows = (await session.execute(_FIRST)).all()
        # In order: a line may leave, enter and leave again.
        for leaves, run in groupby(rows, key=lambda row: bool(row.leaves)):
            values = [{"line": row.line_id, "words": row.words} for row in run]
            for statement in _LEAVE if leaves else _ENTER:
                await session.execute(statement, values)
        if rows:
            await session.execute(_DONE, {"last": rows[-1].id})
    return True


_FIRST = text(f"SELECT id, line_id, leaves, words FROM search_queue ORDER BY id LIMIT {PIECE}")
_DONE = text("DELETE FROM search_queue WHERE id <= :last")
_LEAVE = (
    text(
        "INSERT INTO search_lines_index (search_lines_index, rowid, search_text)"
        " SELECT 'delete', id, :words FROM search_lines WHERE line_id = :line"
    ),
    text("DELETE FROM search_lines WHERE line_id = :line"),
)
_ENTER = (
    text("INSERT INTO search_lines (line_id) VALUES (:line)"),
    text(
        "INSERT INTO search_lines_index (rowid, search_text) SELECT id, :words FROM search_lines WHERE line_id = :line"
    ),
)


@contextlib.asynccontextmanager
async def keeping_index(database: Database) -> AsyncIterator[None]:
    """Work through the queue while this is open."""
    if not database.is_sqlite:
        yield
        return
    working = asyncio.create_task(_work(database))
    try:
        yield
    finally:
        await end(working)


async def _work(database: Database) -> None:
    while True:
        began = time.monotonic()
        try:
            had_work = await index_piece(database)
        except DATABASE_AWAY as error:
            log.warning("search.index_put_off", error=type(error).__name__)
            had_work = False
        await asyncio.sleep(REST * (time.monotonic() - began) if had_work else LOOK_EVERY_S)
