"""Tells Ray's autoscaler how many slots the jobs need.

Waiting jobs are in the database and not in Ray, so that they start in fair order. The autoscaler would not see them,
and the cluster would never grow for files.
"""

from __future__ import annotations

import asyncio

import structlog
from ray.exceptions import RayError
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.db.engine import Database
from api.platform.jobs import queue
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.limits import DEMAND_MAX
from api.platform.jobs.models import Job
from api.platform.jobs.node_reader import NodeReader
from api.platform.jobs.order import fairness
from cluster.ray import nodes as ray_nodes

log = structlog.get_logger(__name__)


class Demand:
    """Called periodically by every dispatcher that has joined a cluster at `address`.

    All read the same tables, so it does not matter whose request is the last one.
    """

    def __init__(self, database: Database, types: JobTypes, address: str) -> None:
        self._database = database
        self._types = types
        self._address = address
        self._nodes = NodeReader()

    async def __call__(self) -> None:
        async with self._database.read() as session:
            jobs = await job_sizes(session, self._types)
            running = sum(await _sizes(session, self._types, fairness.is_running()))
        if (nodes := await self._nodes.read(self._address)) is None:
            return
        # The request counts whole nodes, so it must name what replicas hold there too.
        others = max(0.0, sum(node.total - node.free for node in nodes) - running)
        try:
            await asyncio.to_thread(ray_nodes.request_slots, [*jobs, *_whole(others)] if jobs else [])
        except RayError as error:
            log.warning("demand.not_sent", error=type(error).__name__)


async def job_sizes(session: AsyncSession, types: JobTypes) -> list[float]:
    """The slots of each job that runs or is due, at most `DEMAND_MAX` of them."""
    wanted = queue.claimable(tuple(types)) | fairness.is_running()
    return (await _sizes(session, types, wanted))[:DEMAND_MAX]


async def _sizes(session: AsyncSession, types: JobTypes, which: object) -> list[float]:
    rows = await session.execute(select(Job.kind, func.count()).where(which).group_by(Job.kind))  # type: ignore[arg-type]
    return [types[kind].cpus for kind, count in sorted(rows.tuples()) if kind in types for _ in range(count)]


def _whole(slots: float) -> list[float]:
    """As pieces of one slot, which fit on any node."""
    full, rest = divmod(slots, 1.0)
    return [1.0] * int(full) + ([rest] if rest > 0.001 else [])
