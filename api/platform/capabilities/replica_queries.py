"""The replicas of each task, as a dispatcher read them last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.capabilities.models import ReplicaRow
from api.platform.db import clock
from serve.core.replica_messages import TaskReplicas

FRESH_S = 45.0
"""Four looks that did not come: no dispatcher reaches the cluster."""

ADAPTER: TypeAdapter[TaskReplicas] = TypeAdapter(TaskReplicas)


@dataclass(frozen=True, slots=True)
class Replicas:
    """Of all tasks. `read_at` is None before the first look."""

    by_task: Mapping[str, TaskReplicas]
    read_at: datetime | None
    is_fresh: bool

    def of(self, task: str) -> TaskReplicas:
        return self.by_task.get(task, TaskReplicas())


async def replicas_by_task(session: AsyncSession) -> Replicas:
    """What the newest look found; nothing once the cluster has been out of reach for a while."""
    rows = (await session.scalars(select(ReplicaRow))).all()
    fresh_since = (await session.scalars(select(clock.now(-FRESH_S)))).one()
    read_at = max((row.read_at for row in rows), default=None)
    is_fresh = read_at is not None and read_at > fresh_since
    return Replicas({row.task: _replicas(row) for row in rows} if is_fresh else {}, read_at, is_fresh)


def _replicas(row: ReplicaRow) -> TaskReplicas:
    try:
        return ADAPTER.validate_python(row.record)
    except ValidationError:
        # Written by another version of the product, and soon written again.
        return TaskReplicas()
