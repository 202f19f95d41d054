from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.edges.admin.dashboard.ranges import Window
from api.edges.admin.dashboard.schemas import MinuteFigures, PeopleFigures
from api.people.users.models import User
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState

MS_PER_MINUTE = 60_000


async def people(session: AsyncSession, window: Window) -> PeopleFigures:
    exist = User.deleted_at.is_(None)
    step = window.step_of(User.created_at)
    new = await session.execute(select(step, func.count()).where(exist, User.created_at >= window.since).group_by(step))
    by_step = {number: float(count) for number, count in new.tuples()}
    active = select(func.count(File.user_id.distinct())).where(File.created_at >= window.since)
    return PeopleFigures(
        total=await session.scalar(select(func.count()).select_from(User).where(exist)) or 0,
        active=await session.scalar(active) or 0,
        new=round(sum(by_step.values())),
        by_time=window.points(by_step),
    )


async def minutes(session: AsyncSession, window: Window) -> MinuteFigures:
    step = window.step_of(Job.finished_at)
    done = (Job.kind == JobKind.TRANSCRIBE, Job.state == JobState.DONE, Job.finished_at >= window.since)
    rows = await session.execute(select(step, func.sum(Job.work)).where(*done).group_by(step))
    by_step = {number: float(work or 0) / MS_PER_MINUTE for number, work in rows.tuples()}
    points = window.points(by_step)
    return MinuteFigures(total=round(sum(by_step.values()), 1), by_time=points)
