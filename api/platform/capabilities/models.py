from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import String
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, utc_now


class CapabilityRow(Base):
    """What the installation can do for one task, as last read from the cluster. `record` is a `Capability`."""

    __tablename__ = "capabilities"

    task: Mapped[str] = mapped_column(String(40), primary_key=True)
    record: Mapped[dict[str, Any]] = mapped_column()
    updated_at: Mapped[datetime] = mapped_column(default=utc_now, onupdate=utc_now)


class ReplicaRow(Base):
    """The replicas of one task, as last read from the cluster. `record` is a `TaskReplicas`.

    `read_at` moves with every look, so that an old one tells that nobody reaches the cluster.
    """

    __tablename__ = "model_replicas"

    task: Mapped[str] = mapped_column(String(40), primary_key=True)
    record: Mapped[dict[str, Any]] = mapped_column()
    read_at: Mapped[datetime] = mapped_column()


class EvidenceRow(Base):
    """What was measured of one speech engine, by its name. `record` is an `EngineEvidence`."""

    __tablename__ = "engine_evidence"

    name: Mapped[str] = mapped_column(String(200), primary_key=True)
    record: Mapped[dict[str, Any]] = mapped_column()
    measured_at: Mapped[datetime] = mapped_column()


async def put(session: AsyncSession, table: type[CapabilityRow] | type[ReplicaRow], task: str, **values: Any) -> None:
    """Insert or update in one statement: a look before it would let two dispatchers insert the same row."""
    is_postgresql = session.get_bind().dialect.name == "postgresql"
    insert: Any = postgresql.insert(table) if is_postgresql else sqlite.insert(table)
    statement = insert.values(task=task, **values)
    await session.execute(statement.on_conflict_do_update(index_elements=[table.task], set_=values))
