"""A row as it is now, for a transaction that read it earlier."""

from __future__ import annotations

from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from api.db.base import HasId

Row = TypeVar("Row", bound=HasId)


async def reread(session: AsyncSession, row: Row) -> Row | None:
    """The row read again and locked until the transaction ends; None when somebody deleted it meanwhile."""
    await session.flush()
    return await session.get(type(row), row.id, populate_existing=True, with_for_update=True)
