"""What replicas use, copied from the cluster into the database for administrators."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import structlog
from ray.exceptions import RayError
from sqlalchemy import select

from api.platform.capabilities.models import ReplicaRow, put
from api.platform.capabilities.replica_queries import ADAPTER
from api.platform.db import clock
from api.platform.db.engine import Database
from serve.core.replica.watch import ReplicaWatch
from serve.core.replica_messages import TaskReplicas
from serve.tasks.registry import TASKS

log = structlog.get_logger(__name__)

READ_EVERY_S = 10.0

Read = Callable[[], Mapping[str, TaskReplicas]]
"""What runs now, by task. Raises RayError."""


class ReplicaRecorder:
    """Called periodically by a dispatcher that has joined Ray."""

    def __init__(self, database: Database, read: Read | None = None) -> None:
        self._database = database
        self._read = read or _from_cluster()

    async def __call__(self) -> None:
        try:
            found = await asyncio.to_thread(self._read)
        except RayError as error:
            # The dispatcher itself detects whether the cluster is gone.
            log.warning("replicas.unknown", error=type(error).__name__)
            return
        async with self._database.write() as session:
            now = (await session.scalars(select(clock.now()))).one()
            for task, replicas in found.items():
                record = ADAPTER.dump_python(replicas, mode="json")
                await put(session, ReplicaRow, task, record=record, read_at=now)


def _from_cluster() -> Read:
    watches = {each.task.name: ReplicaWatch(each.task.name) for each in TASKS}
    return lambda: {task: watch() for task, watch in watches.items()}
