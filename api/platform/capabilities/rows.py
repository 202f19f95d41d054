"""Writes the row of a task, whether or not it is there: several dispatchers do so at the same moment."""

from __future__ import annotations

from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.capabilities.models import CapabilityRow, ReplicaRow


async def put(session: AsyncSession, table: type[CapabilityRow] | type[ReplicaRow], task: str, **values: Any) -> None:
    """Insert or update in one statement: a look before it would let two dispatchers insert the same row."""
    is_postgresql = session.get_bind().dialect.name == "postgresql"
    insert: Any = postgresql.insert(table) if is_postgresql else sqlite.insert(table)
    statement = insert.values(task=task, **values)
    await session.execute(statement.on_conflict_do_update(index_elements=[table.task], set_=values))
