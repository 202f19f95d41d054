from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import ColumnElement, Select, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.auth.viewer import Viewer
from api.captions.models import Transcription
from api.db.base import utc_now
from api.exports.models import Export
from api.exports.schemas import describe as describe_export
from api.files.models import File, FileKind, FileStatus
from api.files.schemas import FileOut
from api.http.errors import NotFound
from api.jobs.models import Job
from api.jobs.states import JobKind, JobState

FILE_NOT_FOUND = "File not found"


def visible(viewer: Viewer) -> ColumnElement[bool]:
    """The files a viewer may see: their own, and those of the team they act for."""
    own = File.user_id == viewer.user_id
    return own if viewer.team_id is None else or_(own, File.team_id == viewer.team_id)


async def find(session: AsyncSession, viewer: Viewer, key: str) -> File:
    """The file of a slug or id. `NotFound` also when it is somebody else's."""
    statement = select(File).where(visible(viewer))
    try:
        statement = statement.where(or_(File.id == uuid.UUID(key), File.slug == key))
    except ValueError:
        statement = statement.where(File.slug == key)
    file = (await session.scalars(statement)).one_or_none()
    if file is None:
        raise NotFound(FILE_NOT_FOUND)
    return file


async def newest(session: AsyncSession, viewer: Viewer, limit: int) -> Sequence[File]:
    statement = select(File).where(visible(viewer)).order_by(File.created_at.desc(), File.id).limit(limit)
    return (await session.scalars(statement)).all()


async def describe_all(session: AsyncSession, files: Sequence[File]) -> list[FileOut]:
    """The files as the page sees them, with their exports, transcriptions and place in the queue: four queries."""
    ids = [file.id for file in files]
    if not ids:
        return []
    exports: dict[uuid.UUID, list[Export]] = defaultdict(list)
    for export in await session.scalars(
        select(Export).where(Export.file_id.in_(ids)).order_by(Export.created_at.desc())
    ):
        exports[export.file_id].append(export)
    found = await session.execute(select(Transcription.file_id, Transcription.id).where(Transcription.file_id.in_(ids)))
    transcriptions = {file_id: transcription_id for file_id, transcription_id in found}
    jobs = {job.subject_id: job for job in await session.scalars(_working_jobs(ids))}
    places = await _queue_places(session, [job for job in jobs.values() if job.state == JobState.READY])
    return [_describe(file, exports[file.id], transcriptions.get(file.id), jobs.get(file.id), places) for file in files]


async def describe(session: AsyncSession, file: File) -> FileOut:
    return (await describe_all(session, [file]))[0]


def _working_jobs(file_ids: list[uuid.UUID]) -> Select[Job]:
    kinds = (JobKind.UPLOAD, JobKind.TRANSCRIBE)
    return select(Job).where(
        Job.subject_id.in_(file_ids), Job.kind.in_(kinds), Job.state.in_((JobState.READY, JobState.RUNNING))
    )


async def _queue_places(session: AsyncSession, waiting: list[Job]) -> dict[uuid.UUID, int]:
    """How many ready jobs stand before each, plus one. An estimate: the queue also takes turns between users."""
    places: dict[uuid.UUID, int] = {}
    for job in waiting:
        before = select(func.count()).where(
            Job.state == JobState.READY,
            or_(Job.priority > job.priority, (Job.priority == job.priority) & (Job.created_at < job.created_at)),
        )
        places[job.id] = int(await session.scalar(before) or 0) + 1
    return places


def eta_seconds(job: Job, now_s: float) -> int | None:
    """Seconds left at the attempt's own speed so far; None before 2 % are done, when a guess would only mislead."""
    if job.started_at is None or job.progress_total <= 0 or job.progress_done * 50 < job.progress_total:
        return None
    elapsed = now_s - job.started_at.timestamp()
    return max(0, round(elapsed * (job.progress_total - job.progress_done) / job.progress_done))


def _describe(
    file: File,
    exports: list[Export],
    transcription_id: uuid.UUID | None,
    job: Job | None,
    places: dict[uuid.UUID, int],
) -> FileOut:
    base = f"/api/files/{file.slug}"
    playback_ready = file.playback_key is not None or file.plays_in_browser
    running = job is not None and job.state == JobState.RUNNING
    return FileOut(
        id=file.id,
        slug=file.slug,
        name=file.name,
        filename=file.filename,
        kind=FileKind(file.kind),
        status=FileStatus(file.status),
        progress=file.progress,
        phase=file.phase,
        eta_s=eta_seconds(job, utc_now().timestamp()) if job is not None and running else None,
        queue_place=places.get(job.id) if job is not None else None,
        language=file.language,
        duration_ms=file.duration_ms,
        width=file.width,
        height=file.height,
        size_bytes=file.size_bytes,
        created_at=file.created_at,
        error=file.error,
        engine=file.engine,
        engine_note=file.engine_note,
        upload_id=file.upload_id,
        poster_url=f"{base}/poster" if file.poster_key else None,
        peaks_url=f"{base}/peaks" if file.peaks_key else None,
        media_url=f"{base}/media" if playback_ready else None,
        playback_ready=playback_ready,
        transcription_id=transcription_id,
        exports=[describe_export(export, file.slug) for export in exports],
    )
