"""What all attempts of a dispatcher share, and how each of them writes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.db.engine import DATABASE_AWAY, Database
from api.platform.jobs.attempts.ticks import Ticks
from api.platform.jobs.queue import Lease
from api.platform.settings import ApiSettings
from cluster.storage.objects import Storage
from pipelines.flows.tasks import run_attempt

log = structlog.get_logger(__name__)

DATABASE_RETRY_S = 1.0

T = TypeVar("T")


@dataclass(frozen=True)
class Tools:
    """`task` is `run_attempt` or, in tests, another streaming task."""

    settings: ApiSettings
    database: Database
    storage: Storage
    ticks: Ticks
    task: Any = run_attempt

    async def write(self, lease: Lease, change: Callable[[AsyncSession], Awaitable[T]]) -> T:
        """Run one transaction, retrying while the database is unreachable: the job pauses instead of failing."""
        while True:
            try:
                async with self.database.write() as session:
                    return await change(session)
            except DATABASE_AWAY:
                log.warning("database.unavailable", job_id=str(lease.job_id))
                await asyncio.sleep(DATABASE_RETRY_S)
