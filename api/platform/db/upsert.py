"""Write a row whether or not there is one under its key, in one statement."""

from __future__ import annotations

from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.db.base import Base


async def put(session: AsyncSession, table: type[Base], key: dict[str, Any], values: dict[str, Any]) -> None:
    """`key` names the columns of the primary key, `values` all others."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    await session.execute(
        insert(table).values(**key, **values).on_conflict_do_update(index_elements=list(key), set_=values)
    )
