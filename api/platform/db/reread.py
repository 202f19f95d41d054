"""Rereads a row in a transaction that read it earlier."""

from __future__ import annotations

from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.db.base import HasId

Row = TypeVar("Row", bound=HasId)


async def reread(session: AsyncSession, row: Row) -> Row | None:
    """Read the row again and lock it until the transaction ends. None if it was deleted meanwhile."""
    await session.flush()
    return await session.get(type(row), row.id, populate_existing=True, with_for_update=True)
