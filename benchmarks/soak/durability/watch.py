"""Triggers in the database under test that record every change of a status, of which the product keeps no history.

They fire inside the product's own transactions, so they record exactly what was committed, in that order.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import text

from api.content.files.models import OBJECT_KEYS
from api.platform.db.engine import make_engine

TABLE = "lost_changes"

WATCHED: dict[str, tuple[str, ...]] = {
    "uploads": ("status",),
    "files": ("status", "slug", "name", *(column.key for column in OBJECT_KEYS)),
    "exports": ("status", "export_key", "file_id"),
    "ai_texts": ("status", "version", "file_id"),
    "jobs": ("state", "fence", "progress", "subject_id", "kind", "file_id"),
    "caption_tracks": ("revision", "file_id"),
    "users": ("name",),
}
"""Columns by table, the status first if there is one. Values before and after a change are stored as text, joined by
`SEPARATOR`."""

SEPARATOR = "|"

_CREATE = {
    "sqlite": f"CREATE TABLE {TABLE} (id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT DEFAULT CURRENT_TIMESTAMP, "
    "tbl TEXT NOT NULL, row_id TEXT NOT NULL, old TEXT, new TEXT)",
    "postgresql": f"CREATE TABLE {TABLE} (id BIGSERIAL PRIMARY KEY, at TIMESTAMPTZ DEFAULT clock_timestamp(), "
    "tbl TEXT NOT NULL, row_id TEXT NOT NULL, old TEXT, new TEXT)",
}


async def watch(url: str) -> None:
    """Create the table of changes and its triggers in a migrated database."""
    engine = make_engine(url)
    try:
        async with engine.begin() as connection:
            dialect = engine.dialect.name
            for statement in (_CREATE[dialect], *_triggers(dialect)):
                await connection.execute(text(statement))
    finally:
        await engine.dispose()


def _triggers(dialect: str) -> Iterator[str]:
    for table, columns in WATCHED.items():
        old, new = (_joined(row, columns) for row in ("OLD", "NEW"))
        for event, values, row in (
            ("INSERT", ("NULL", new), "NEW"),
            ("UPDATE", (old, new), "NEW"),
            ("DELETE", (old, "NULL"), "OLD"),
        ):
            insert = (
                f"INSERT INTO {TABLE} (tbl, row_id, old, new) "
                f"VALUES ('{table}', CAST({row}.id AS TEXT), {values[0]}, {values[1]})"
            )
            name = f"lost_{table}_{event.lower()}"
            when = f"{old} <> {new}" if event == "UPDATE" else ""
            if dialect == "sqlite":
                condition = f"WHEN {when}" if when else ""
                yield f"CREATE TRIGGER {name} AFTER {event} ON {table} {condition} BEGIN {insert}; END"
                continue
            condition = f"WHEN ({when})" if when else ""
            yield f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {insert}; RETURN NULL; END $$"
            yield (f"CREATE TRIGGER {name} AFTER {event} ON {table} FOR EACH ROW {condition} EXECUTE FUNCTION {name}()")


def _joined(row: str, columns: tuple[str, ...]) -> str:
    return f" || '{SEPARATOR}' || ".join(f"COALESCE(CAST({row}.{column} AS TEXT), '')" for column in columns)
