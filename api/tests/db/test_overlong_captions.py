"""Captions older than their limits: after the migration every row is small enough to read."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Connection, MetaData, insert, select

from api.platform.db.engine import Database
from api.platform.db.migrate import upgrade

NOW = datetime(2026, 1, 2, tzinfo=UTC)
HUGE = [{"text": "x" * 11_000_000}]


@pytest.fixture
def database_url(bare_database_url: str) -> str:
    return bare_database_url


def fill(connection: Connection) -> None:
    tables = MetaData()
    tables.reflect(connection, only=["users", "files", "transcriptions", "caption_lines", "caption_revisions"])

    def add(table: str, **values: Any) -> uuid.UUID:
        row_id = uuid.uuid4()
        columns = tables.tables[table].columns
        given = {"id": row_id, "created_at": NOW, "updated_at": NOW, **values}
        for column in columns:
            if column.name not in given and not column.nullable and column.server_default is None:
                kinds: dict[type, Any] = {str: uuid.uuid4().hex[:12], bool: False, int: 0, object: {}}
                given[column.name] = kinds[column.type.python_type]
        given = {name: value for name, value in given.items() if name in columns}
        # SQLite knows no type for ids: they come back as the text they are.
        for name, value in given.items():
            if isinstance(value, uuid.UUID) and columns[name].type.python_type is str:
                given[name] = value.hex
        connection.execute(insert(tables.tables[table]), [given])
        return row_id

    user = add("users")
    file = add("files", user_id=user)
    track = add("transcriptions", file_id=file, revision=5)
    word = {"start_ms": 0, "end_ms": 1, "text": "a", "origin": "human", "confidence": None}
    add("caption_lines", transcription_id=track, text="a " * 400_000, words=[word] * 1_000)
    add("caption_lines", transcription_id=track, text="a", words=[word])
    for number, action, size in ((1, "Edit", []), (2, "Import", HUGE), (3, "Edit", []), (4, "Undo", [{"text": "y"}])):
        add("caption_revisions", transcription_id=track, user_id=user, number=number, action=action, before=size,
            after=size * 3)  # fmt: skip


@pytest.mark.long
async def test_an_overlong_line_and_an_endless_step_are_made_readable(database_url: str) -> None:
    await upgrade(database_url, "0004")
    database = Database(database_url)
    async with database.engine.begin() as connection:
        await connection.run_sync(fill)
    await upgrade(database_url)
    tables = MetaData()
    async with database.engine.begin() as connection:
        await connection.run_sync(tables.reflect)
        lines, steps = tables.tables["caption_lines"].c, tables.tables["caption_revisions"].c
        words = {len(text): read(value) for text, value in await connection.execute(select(lines.text, lines.words))}
        kept = [
            (number, read(before), read(after))
            for number, before, after in await connection.execute(
                select(steps.number, steps.before, steps.after).order_by(steps.number)
            )
        ]
    await database.close()
    assert words[800_000] == []
    assert len(words[1]) == 1
    # The step that nobody could read is gone with those before it; what an undo held is not needed.
    assert kept == [(3, [], []), (4, [], [])]


def read(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value
