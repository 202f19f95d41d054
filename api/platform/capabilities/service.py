"""Copy the cluster's capabilities into the database for web processes, which have no access to Ray."""

from __future__ import annotations

import asyncio

import structlog
from ray.exceptions import RayError
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.capabilities.models import CapabilityRow, put
from api.platform.capabilities.queries import ADAPTER, capability_of
from api.platform.db.base import utc_now
from api.platform.db.engine import Database
from serve.core.capability import Capability
from serve.tasks.registry import TASKS

log = structlog.get_logger(__name__)

WATCH_EVERY_S = 1.0
"""A read of the cluster's key-value table takes about a millisecond. Only a change writes to the database."""


async def store(session: AsyncSession, capability: Capability) -> None:
    """Write the row of the task. Two dispatchers may do so at once, because they read the same cluster."""
    record = ADAPTER.dump_python(capability, mode="json")
    await put(session, CapabilityRow, capability.task, record=record, updated_at=utc_now())


class CapabilityWatch:
    """Called periodically by a dispatcher that has joined Ray."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._stored: dict[str, Capability] = {}

    async def __call__(self) -> None:
        try:
            current = await asyncio.to_thread(_published)
        except RayError as error:
            # The dispatcher itself detects whether the cluster is gone.
            log.warning("capability.unknown", error=type(error).__name__)
            return
        changed = [capability for capability in current if capability != self._stored.get(capability.task)]
        if not changed:
            return
        async with self._database.write() as session:
            for capability in changed:
                # The row of an earlier run may have the same content.
                if await capability_of(session, capability.task) != capability:
                    await store(session, capability)
        self._stored.update((capability.task, capability) for capability in changed)


def _published() -> list[Capability]:
    from serve.core.capability_store import published

    return [published(each.task.name) for each in TASKS]
