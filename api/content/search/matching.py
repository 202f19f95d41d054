"""Conditions on lines and names that contain the words of a search: FTS5 on SQLite, a GIN index on PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Uuid, and_, bindparam, cast, column, func, literal, select, table
from sqlalchemy.dialects.postgresql import TSQUERY
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionLineRow
from api.content.files.models import File
from api.platform.db.search_words import Term

_LINES = table("search_lines", column("id"), column("line_id", Uuid()))
_INDEX = table("search_lines_index", column("rowid"), column("search_lines_index"))


def line_contains(session: AsyncSession, terms: Sequence[Term]) -> ColumnElement[bool]:
    """Whether a caption line contains all words."""
    if session.get_bind().dialect.name == "postgresql":
        words = func.array_to_tsvector(func.string_to_array(CaptionLineRow.search_text, " "))
        # Words hold letters, digits and marks alone, so nothing needs to be escaped.
        query = " & ".join(f"'{term.word}'{':*' * term.is_prefix}" for term in terms)
        return words.bool_op("@@")(cast(literal(query), TSQUERY))
    query = " AND ".join(f'"{term.word}"{" *" * term.is_prefix}' for term in terms)
    found = select(_INDEX.c.rowid).where(_INDEX.c.search_lines_index.bool_op("MATCH")(bindparam("fts", query)))
    return CaptionLineRow.id.in_(select(_LINES.c.line_id).where(_LINES.c.id.in_(found)))


def name_contains(terms: Sequence[Term]) -> ColumnElement[bool]:
    """Whether a file's name contains all words. The files of a viewer are few enough to be read one by one."""
    words = " " + File.search_text + " "
    return and_(
        *(words.contains(f" {term.word}" if term.is_prefix else f" {term.word} ", autoescape=True) for term in terms)
    )
