"""Which of the slots that Ray reports as free are free for new jobs, after the claims of all dispatchers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.jobs.dispatch.slots import Slots
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.models import Job
from api.platform.jobs.order import fairness

_CLAIM_LOCK = 7462


@dataclass(frozen=True, slots=True)
class FreeSlots:
    """What Ray reported. The report shows every job that began before `since`, by the database's clock."""

    by_node: tuple[float, ...]
    since: datetime


async def claim_alone(session: AsyncSession) -> None:
    """Let the claims of all dispatchers follow each other, until this transaction ends.

    Two that read the same report would otherwise both take its last slot, and one job would wait inside Ray. SQLite
    has one writer anyway.
    """
    if session.get_bind().dialect.name == "postgresql":
        await session.execute(select(func.pg_advisory_xact_lock(_CLAIM_LOCK)))


async def room(session: AsyncSession, types: JobTypes, report: FreeSlots) -> Slots:
    """The slots that are free for new jobs.

    A running job that has reported progress holds its slots in Ray. One that has not, or that was claimed after the
    report, may still be on its way there.
    """
    may_be_missing = or_(Job.phase == "", Job.started_at >= report.since)
    rows = (await session.execute(select(Job.kind, may_be_missing).where(fairness.is_running()))).tuples().all()
    # Live ones hold no slots.
    running = [(types[kind].cpus, is_missing) for kind, is_missing in rows if kind in types and not types[kind].is_live]
    starting = [cpus for cpus, is_missing in running if is_missing]
    return Slots(report.by_node, starting, is_idle=not running)
