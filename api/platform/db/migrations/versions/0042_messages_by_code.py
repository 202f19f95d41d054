"""Sentences in columns of text become codes with values. One that is not recognised stays, and shows in English."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from api.platform.db.migrations.stored_english import StoredEnglish, portions

revision = "0042"
down_revision = "0041"

COLUMNS = (
    ("ai_texts", "error"),
    ("exports", "error"),
    ("files", "engine_note"),
    ("files", "error"),
    ("job_attempts", "note"),
    ("jobs", "error"),
    ("proofreadings", "error"),
    ("speech_requests", "error"),
    ("uploads", "error"),
    ("webhook_deliveries", "error"),
)


def upgrade() -> None:
    english = StoredEnglish()
    for table, name in COLUMNS:
        rows = sa.table(table, sa.column("id"), sa.column(name))
        column = rows.c[name]
        change = sa.update(rows).where(rows.c.id == sa.bindparam("row")).values({name: sa.bindparam("coded")})
        for portion in portions(rows, column, column != ""):
            coded = [{"row": row, "coded": _coded(text, english)} for row, text in portion]
            if changes := [each for each in coded if each["coded"] is not None]:
                op.get_bind().execute(change, changes)


def _coded(text: str, english: StoredEnglish) -> str | None:
    if text.startswith('{"code":'):
        # What people sent stays what they sent.
        return _json({"code": "stored.verbatim", "values": {"text": text}})
    found = english.coded(text)
    return None if found is None else _json(found)


def _json(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
