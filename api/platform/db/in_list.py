"""SQL `IN` for many ids, as one parameter where the database accepts a list."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import ColumnElement, SQLColumnExpression, Uuid, any_, literal
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession


def in_list(
    session: AsyncSession, column: SQLColumnExpression[uuid.UUID], ids: Sequence[uuid.UUID]
) -> ColumnElement[bool]:
    """`column IN ids`. PostgreSQL's driver otherwise parses a text of a hundred parameters for each request."""
    if session.get_bind().dialect.name == "postgresql":
        return column == any_(literal(list(ids), ARRAY(Uuid())))
    return column.in_(ids)
