from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import String
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
