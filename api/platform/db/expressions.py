"""SQL expressions that mean the same on both databases: many ids, text search, times as numbers."""

from __future__ import annotations

import re
import string
import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import BigInteger, Boolean, ColumnElement, SQLColumnExpression, Uuid, any_, literal, or_
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def in_list(
    session: AsyncSession, column: SQLColumnExpression[uuid.UUID], ids: Sequence[uuid.UUID]
) -> ColumnElement[bool]:
    """`column IN ids`. PostgreSQL's driver otherwise parses a text of a hundred parameters for each request."""
    if session.get_bind().dialect.name == "postgresql":
        return column == any_(literal(list(ids), ARRAY(Uuid())))
    return column.in_(ids)


def contains_text(column: SQLColumnExpression[str], keyword: str) -> ColumnElement[bool]:
    """Whether the text contains the keyword, whatever its case.

    SQLite's LIKE ignores the case of ASCII letters only, so the usual spellings are compared one by one. Those that
    differ in ASCII letters alone count as one, because each costs a look at every row.
    """
    usual = (keyword, keyword.lower(), keyword.upper(), keyword.capitalize(), keyword.title())
    spellings = {each.translate(_ASCII_LOWER): each for each in usual}
    return or_(*(_contains(column, literal(f"%{_escaped(each)}%")) for each in spellings.values()))


def _escaped(text: str) -> str:
    return re.sub("[/%_]", r"/\g<0>", text)


class _contains(FunctionElement[bool]):
    """Whether a text is like a pattern, whatever its case as far as the database knows it."""

    type = Boolean()
    inherit_cache = True


@compiles(_contains)
def _lowered(element: _contains, compiler: SQLCompiler, **options: Any) -> str:
    text, pattern = (compiler.process(each, **options) for each in element.clauses)
    return f"(lower({text}) LIKE lower({pattern}) ESCAPE '/')"


@compiles(_contains, "sqlite")
def _as_it_is(element: _contains, compiler: SQLCompiler, **options: Any) -> str:
    # Its LIKE looks past case by itself: lowering a million names first took three times as long.
    text, pattern = (compiler.process(each, **options) for each in element.clauses)
    return f"({text} LIKE {pattern} ESCAPE '/')"


class unindexed(FunctionElement[bool]):
    """The condition, for which SQLite looks at no index.

    SQLite knows little of how many rows a value has, and takes a list of values for a better way in than a range or an
    order. https://sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_
    """

    type = Boolean()
    inherit_cache = True


@compiles(unindexed)
def _condition(element: unindexed, compiler: SQLCompiler, **options: Any) -> str:
    return f"({compiler.process(element.clauses, **options)})"


@compiles(unindexed, "sqlite")
def _opaque(element: unindexed, compiler: SQLCompiler, **options: Any) -> str:
    return f"+({compiler.process(element.clauses, **options)})"


class epoch_s(FunctionElement[int]):
    """Whole seconds since 1970, UTC."""

    type = BigInteger()
    inherit_cache = True


@compiles(epoch_s, "postgresql")
def _postgresql(element: epoch_s, compiler: SQLCompiler, **options: Any) -> str:
    return f"floor(extract(epoch FROM {compiler.process(element.clauses, **options)}))::bigint"


@compiles(epoch_s, "sqlite")
def _sqlite(element: epoch_s, compiler: SQLCompiler, **options: Any) -> str:
    return f"unixepoch({compiler.process(element.clauses, **options)})"
