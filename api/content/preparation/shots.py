"""Where the picture of a file cuts, and the job that finds it. Pages ask for its state, so it sends no events."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files import queries
from api.content.files.models import File, FileKind, FileShots
from api.content.preparation.work import Work, enqueue_again
from api.people.auth.viewer import Viewer
from api.platform.http.errors import Conflict
from api.platform.http.pages.language import PageText
from api.platform.jobs.handlers import Handler
from api.platform.jobs.job_type import JobType
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState
from cluster.resources import MEDIA_TASK_CPUS
from cluster.wording.message import Message
from pipelines.messages.requests import SHOTS, ShotsRequest
from pipelines.messages.results import ShotsResult

NO_VIDEO = Message("preparation.no_video", "This file has no video, so it has no shots.")
NOT_PREPARED = Message("preparation.not_prepared", "This file is not prepared yet. Look for its shots once it is.")


class ShotsState(StrEnum):
    """How far the search for shots is. `NONE`: nobody has asked for it."""

    NONE = "none"
    WAITING = "waiting"
    RUNNING = "running"
    READY = "ready"
    FAILED = "failed"


_STATES = {
    JobState.READY: ShotsState.WAITING,
    JobState.RUNNING: ShotsState.RUNNING,
    JobState.DONE: ShotsState.READY,
    JobState.FAILED: ShotsState.FAILED,
    JobState.CANCELLED: ShotsState.NONE,
}


class ShotsOut(BaseModel):
    """`shots_ms`: times at which the picture cuts, ascending, as last found. `progress` is a percentage."""

    state: ShotsState
    progress: int
    error: PageText | None
    shots_ms: Sequence[int]


async def read(session: AsyncSession, viewer: Viewer, key: str) -> ShotsOut:
    """The shots of a file that the viewer may see."""
    file = await queries.find(session, viewer, key)
    return await _described(session, file, await _newest(session, file))


async def start(session: AsyncSession, viewer: Viewer, key: str) -> ShotsOut:
    """Look for shots, also once more. While the file is being searched, this changes nothing.

    Raises `Conflict` for a file without video, and for one that is not prepared.
    """
    file = await queries.find(session, viewer, key)
    if file.kind != FileKind.VIDEO:
        raise Conflict(NO_VIDEO)
    if file.duration_ms is None:
        raise Conflict(NOT_PREPARED)
    job = await _newest(session, file, lock=True)
    if job is None or job.state not in (JobState.READY, JobState.RUNNING):
        request = ShotsRequest(file_id=str(file.id), source_key=file.original_key, duration_ms=file.duration_ms)
        await enqueue_again(session, file, Work(JobKind.SHOTS, request, file.duration_ms), job)
        await session.flush()
        job = await _newest(session, file)
    return await _described(session, file, job)


async def _newest(session: AsyncSession, file: File, *, lock: bool = False) -> Job | None:
    statement = (
        select(Job)
        .where(Job.file_id == file.id, Job.kind == JobKind.SHOTS)
        .order_by(Job.created_at.desc(), Job.id.desc())
        .limit(1)
    )
    return (await session.scalars(statement.with_for_update() if lock else statement)).one_or_none()


async def _described(session: AsyncSession, file: File, job: Job | None) -> ShotsOut:
    found = await session.get(FileShots, file.id)
    state = ShotsState.NONE if job is None else _STATES[JobState(job.state)]
    if state == ShotsState.NONE and found is not None:
        state = ShotsState.READY
    return ShotsOut(
        state=state,
        progress=job.progress if job is not None and state == ShotsState.RUNNING else 0,
        error=job.error if job is not None and state == ShotsState.FAILED else None,
        shots_ms=found.shots_ms if found is not None else [],
    )


class ShotsHandler(Handler[ShotsResult]):
    async def on_done(self, session: AsyncSession, job: Job, result: ShotsResult) -> None:
        file = await session.get(File, job.file_id, with_for_update=True)
        if file is None:
            return
        row = await session.get(FileShots, file.id)
        if row is None:
            session.add(FileShots(file_id=file.id, shots_ms=list(result.shots_ms)))
        else:
            row.shots_ms = list(result.shots_ms)


SHOTS_JOB = JobType(
    kind=JobKind.SHOTS,
    title=Message("preparation.shots", "Finding shots"),
    request=ShotsRequest,
    result=ShotsResult,
    flow=SHOTS,
    cpus=MEDIA_TASK_CPUS,
    handler=ShotsHandler(),
    summary_fields=("duration_ms",),
)
