"""Notes and reasons inside JSON become codes with values. One that is not recognised stays, and shows in English."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import JsonValue
from api.platform.db.migrations.stored_english import StoredEnglish, portions

revision = "0043"
down_revision = "0042"

Path = tuple[str, ...]
EACH = "*"
"""In a path: every item of a list."""
ENGINE: tuple[Path, ...] = (("reason",), ("problem",), ("note",))
COLUMNS: tuple[tuple[str, str, tuple[Path, ...]], ...] = (
    ("ai_text_versions", "content", (("notes", EACH),)),
    ("ai_text_versions", "engine", ENGINE),
    ("caption_tracks", "engine", ENGINE),
    ("caption_tracks", "notes", ((EACH,),)),
    ("exports", "form", (("notice",),)),
    ("jobs", "result", (("notes", EACH), ("notice",), *(("engine", *path) for path in ENGINE))),
    (
        "proofreadings",
        "content",
        (("notes", EACH), ("proposals", EACH, "reason"), *(("engine", *path) for path in ENGINE)),
    ),
)


def upgrade() -> None:
    english = StoredEnglish()
    for table, name, paths in COLUMNS:
        rows = sa.table(table, sa.column("id"), sa.column(name, JsonValue))
        change = (
            sa.update(rows)
            .where(rows.c.id == sa.bindparam("row"))
            .values({name: sa.bindparam("coded", type_=JsonValue)})
        )
        for portion in portions(rows, rows.c[name]):
            coded = [{"row": row, "coded": _coded(value, paths, english)} for row, value in portion]
            changes = [each for each, (_, value) in zip(coded, portion, strict=True) if each["coded"] != value]
            if changes:
                op.get_bind().execute(change, changes)


def _coded(value: Any, paths: tuple[Path, ...], english: StoredEnglish) -> Any:
    for path in paths:
        value = _coded_at(value, path, english)
    return value


def _coded_at(value: Any, path: Path, english: StoredEnglish) -> Any:
    """The value with a code for the sentence at `path`, if there is one that is recognised."""
    match path, value:
        case (), str():
            return english.coded(value) or value
        case (key, *rest), list() if key == EACH:
            return [_coded_at(each, tuple(rest), english) for each in value]
        case (key, *rest), dict() if key in value:
            return {**value, key: _coded_at(value[key], tuple(rest), english)}
    return value
