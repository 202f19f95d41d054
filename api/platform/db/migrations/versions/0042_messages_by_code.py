"""Sentences in rows become codes with values. What earlier versions stored as English is recognised once more, here.

A sentence that no form fits stays as it is, and shows in English. So does one with a formatted number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from cluster.wording.catalogue import english_forms

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
PORTION = 500
_HOLE = re.compile(r"\{(\w+)\}")
_ONE_SENTENCE = r"((?:(?![.?!] [A-Z]).)+?)"
"""No value holds the end of one sentence and another one."""


def upgrade() -> None:
    exact, forms = _known()
    for table, column in COLUMNS:
        rows = sa.table(table, sa.column("id"), sa.column(column))
        change = sa.update(rows).where(rows.c.id == sa.bindparam("row")).values({column: sa.bindparam("coded")})
        for portion in _portions(rows, rows.c[column]):
            coded = [{"row": row, "coded": _coded(text, exact, forms)} for row, text in portion]
            if changes := [each for each in coded if each["coded"] is not None]:
                op.get_bind().execute(change, changes)


def _portions(rows: sa.TableClause, text: sa.ColumnClause[Any]) -> Iterator[list[tuple[Any, str]]]:
    """Every row with a text by its id, in the order of ids: one pass over the table."""
    wanted = sa.select(rows.c.id, text).where(text.is_not(None), text != "").order_by(rows.c.id).limit(PORTION)
    portion = [(row, text) for row, text in op.get_bind().execute(wanted)]
    while portion:
        yield portion
        last = portion[-1][0]
        portion = [(row, text) for row, text in op.get_bind().execute(wanted.where(rows.c.id > last))]


def _known() -> tuple[dict[str, str], list[tuple[re.Pattern[str], str]]]:
    """Codes by their English sentence, and patterns of the forms with plain holes, the most exact first."""
    exact: dict[str, str] = {}
    patterns: list[tuple[int, re.Pattern[str], str]] = []
    for code, english in english_forms().items():
        # A form that begins with a hole, such as `{first} or {second}.`, would fit nearly every text.
        if not isinstance(english, str) or english.startswith("{"):
            continue
        pieces = _HOLE.split(english)
        literal = "".join(pieces[::2])
        if "{" in literal or len(set(pieces[1::2])) < len(pieces[1::2]) or not literal.strip(" .:"):
            continue
        if len(pieces) == 1:
            exact[english] = code
            continue
        pattern = "".join(
            re.escape(piece) if index % 2 == 0 else f"(?P<{piece}>{_ONE_SENTENCE[1:-1]})"
            for index, piece in enumerate(pieces)
        )
        patterns.append((len(literal), re.compile(pattern, re.DOTALL), code))
    patterns.sort(key=lambda each: -each[0])
    return exact, [(pattern, code) for _, pattern, code in patterns]


def _coded(text: str, exact: dict[str, str], forms: list[tuple[re.Pattern[str], str]]) -> str | None:
    if text.startswith('{"code":'):
        # What people sent stays what they sent.
        return _json("stored.verbatim", {"text": text})
    found: tuple[str, dict[str, Any]] | None = (exact[text], {}) if text in exact else None
    if found is None:
        matches = ((code, match) for pattern, code in forms if (match := pattern.fullmatch(text)))
        code, match = next(matches, (None, None))
        if code is not None and match is not None:
            found = (code, {name: _value(value) for name, value in match.groupdict().items()})
    return None if found is None else _json(*found)


def _value(text: str) -> str | int:
    """Numbers choose the plural in other languages."""
    return int(text) if text.isdecimal() and str(int(text)) == text else text


def _json(code: str, values: dict[str, Any]) -> str:
    return json.dumps({"code": code, "values": values}, ensure_ascii=False, separators=(",", ":"))
