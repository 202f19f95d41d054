"""Translations of a site's files, from the request to the finished track, with texts that a test gives."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence

from sqlalchemy import select

from api.content.captions import queries
from api.content.captions.models import CaptionTrack, TrackOrigin
from api.content.files.models import File
from api.content.translations import service
from api.content.translations.jobs import TranslateHandler
from api.content.translations.schemas import TranslateIn
from api.people.auth.viewer import Viewer
from api.platform.db import clock
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.platform.jobs.queue import Lease
from api.platform.jobs.states import JobState
from api.platform.jobs.transitions import JOB_STATE
from api.testing.files.translated import ENGINE, end, keep_group, open_job, target
from pipelines.messages.translate import LineFlag, TranslateRequest, TranslateResult

LEASE_S = 3_600


async def request(state: AppState, user_id: uuid.UUID, slug: str, language: str) -> None:
    viewer = Viewer(user_id, is_admin=False, team_id=None, is_changing=True)
    async with state.database.write() as session:
        await service.translate(session, viewer, slug, TranslateIn(language=language))


async def run(state: AppState, slug: str, language: str, *texts: str) -> None:
    """Start the requested job; it has translated the first lines into these texts."""
    lease, wanted = await _started(state, slug, language)
    lines = [target(line, text) for line, text in zip(wanted.lines, texts, strict=False)]
    async with state.database.write() as session:
        job = await session.get_one(Job, lease.job_id)
        job.progress_done, job.progress_total = len(lines), len(wanted.lines)
        job.progress = 100 * len(lines) // len(wanted.lines)
    if lines:
        await keep_group(state, lease, 0, lines)


async def finish(
    state: AppState, slug: str, language: str, texts: Sequence[str], flags: Mapping[int, tuple[LineFlag, ...]]
) -> None:
    """End the job with one line for each line it should translate. `flags` are those of lines by their index."""
    lease, wanted = await _started(state, slug, language)
    sources = [line for line in wanted.lines if not wanted.wanted or line.id in wanted.wanted]
    lines = tuple(
        target(line, text, flags=flags.get(index, ()))
        for index, (line, text) in enumerate(zip(sources, texts, strict=True))
    )
    await end(state, lease, TranslateResult(language=language, engine=ENGINE, lines=lines))


async def _started(state: AppState, slug: str, language: str) -> tuple[Lease, TranslateRequest]:
    """The running job of a translation. Its lease does not end before the test does, however busy the machine is."""
    waiting = await open_job(state, await _file(state, slug), language)
    async with state.database.write() as session:
        job = await session.get_one(Job, waiting.id)
        if job.state == JobState.READY:
            running = JOB_STATE.update_to(JobState.RUNNING).where(Job.id == job.id)
            await session.execute(running.values(started_at=clock.now(), lease_until=clock.now(LEASE_S)))
            await session.refresh(job)
            await TranslateHandler().on_started(session, job)
        return Lease(job.id, job.fence), TranslateRequest.from_json(job.request)


async def texts_of(state: AppState, slug: str, language: str) -> list[str]:
    """The lines of a translation in the database."""
    async with state.database.read() as session:
        statement = (
            select(CaptionTrack.id)
            .join(File, File.id == CaptionTrack.file_id)
            .where(File.slug == slug, CaptionTrack.language == language, CaptionTrack.origin == TrackOrigin.TRANSLATION)
        )
        track_id = (await session.scalars(statement)).one()
        return [line.text for line in await queries.stored_lines(session, track_id)]


async def _file(state: AppState, slug: str) -> File:
    async with state.database.read() as session:
        return (await session.scalars(select(File).where(File.slug == slug))).one()
