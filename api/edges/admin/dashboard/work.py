"""Figures over the queue: what waits, what failed, and what each model did."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePath
from statistics import median, quantiles

from sqlalchemy import case, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.edges.admin.dashboard.people import MS_PER_MINUTE
from api.edges.admin.dashboard.ranges import Window
from api.edges.admin.dashboard.schemas import EngineFigures, FailureFigures, GpuFigures, QueueFigures
from api.platform.capabilities.queries import capabilities
from api.platform.db import clock
from api.platform.db.expressions import epoch_s
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.models import Job, JobAttempt
from api.platform.jobs.states import AttemptEnd, JobState
from serve.tasks.engine_labels import engine_label

NOT_GPUS = frozenset({"cpu", "remote", ""})
"""A chat model elsewhere (`remote`) uses none of our devices."""
RECENT_STARTS = 200
"""Waits are taken from this many of the newest jobs of a kind."""
OTHER = "other"
"""The code of failures that have none."""


async def engines(session: AsyncSession, types: JobTypes, window: Window) -> list[EngineFigures]:
    """The models that worked in the range, the busiest first."""
    spent = func.sum(epoch_s(JobAttempt.ended_at) - epoch_s(JobAttempt.started_at))
    columns = (JobAttempt.kind, JobAttempt.engine, JobAttempt.device)
    rows = await session.execute(
        select(*columns, func.count(), func.sum(JobAttempt.work), spent)
        .where(
            JobAttempt.kind.in_([kind for kind, each in types.items() if each.has_model]),
            JobAttempt.ending == AttemptEnd.DONE,
            JobAttempt.ended_at >= window.since,
            JobAttempt.engine.is_not(None),
        )
        .group_by(*columns)
    )
    found = [
        EngineFigures(
            work=types[kind].title,
            engine=_label(engine or ""),
            device=device,
            jobs=jobs,
            media_minutes=round(float(work or 0) / MS_PER_MINUTE, 1),
            compute_minutes=round(float(seconds or 0) / 60, 1),
        )
        for kind, engine, device, jobs, work, seconds in rows.tuples()
        if kind in types
    ]
    return sorted(found, key=lambda each: -each.compute_minutes)


async def gpu(session: AsyncSession, worked: Sequence[EngineFigures]) -> GpuFigures:
    minutes = sum(each.compute_minutes for each in worked if (each.device or "") not in NOT_GPUS)
    loaded = [each.loaded.device for each in await capabilities(session) if each.loaded is not None]
    return GpuFigures(
        minutes=round(minutes, 1), is_cpu_only=minutes == 0 and all(device in NOT_GPUS for device in loaded)
    )


async def queues(session: AsyncSession, types: JobTypes, window: Window) -> list[QueueFigures]:
    rows = await session.execute(
        select(
            Job.kind,
            func.sum(case((Job.state == JobState.READY, 1), else_=0)),
            func.sum(case((Job.state == JobState.RUNNING, 1), else_=0)),
            func.min(case((Job.state == JobState.READY, Job.created_at))),
            clock.now(),
        )
        .where(Job.state.in_((JobState.READY, JobState.RUNNING)))
        .group_by(Job.kind)
    )
    now_by_kind = {kind: (waiting, running, oldest, now) for kind, waiting, running, oldest, now in rows.tuples()}
    found = []
    for kind, job_type in types.items():
        waiting, running, oldest, now = now_by_kind.get(kind, (0, 0, None, None))
        waits = await _recent_waits(session, kind, window.since)
        found.append(
            QueueFigures(
                work=job_type.title,
                waiting=int(waiting),
                running=int(running),
                oldest_wait_s=None if oldest is None or now is None else round((now - oldest).total_seconds()),
                median_wait_s=round(median(waits)) if waits else None,
                p95_wait_s=round(quantiles(waits, n=20)[18]) if len(waits) > 1 else None,
            )
        )
    return found


async def failures(session: AsyncSession, types: JobTypes, window: Window) -> list[FailureFigures]:
    """Jobs that failed in the range, by kind and code, the most frequent first."""
    rows = await session.execute(
        select(Job.kind, Job.error_code, func.count())
        .where(Job.kind.in_(tuple(types)), Job.state == JobState.FAILED, Job.finished_at >= window.since)
        .group_by(Job.kind, Job.error_code)
    )
    found = [
        FailureFigures(work=types[kind].title, code=code or OTHER, jobs=jobs) for kind, code, jobs in rows.tuples()
    ]
    return sorted(found, key=lambda each: (-each.jobs, each.work, each.code))


async def _recent_waits(session: AsyncSession, kind: str, since: datetime) -> list[float]:
    """Seconds that the newest jobs waited for their first attempt."""
    rows = await session.execute(
        select(JobAttempt.started_at, Job.created_at)
        .join(Job, Job.id == JobAttempt.job_id)
        .where(
            JobAttempt.kind == kind,
            JobAttempt.ending == AttemptEnd.DONE,
            JobAttempt.ended_at >= since,
            JobAttempt.number == 1,
        )
        .order_by(JobAttempt.ended_at.desc())
        .limit(RECENT_STARTS)
    )
    return [max(0.0, (started - queued).total_seconds()) for started, queued in rows.tuples()]


def _label(engine: str) -> str:
    """`whisper /models/small` in words."""
    name, _, model = engine.partition(" ")
    return engine_label(name, PurePath(model).name)
