"""Translations that go on while their source still grows: of a live recording, whose captions get new lines.

Each run translates what has come or changed in the last minutes, and one at a time runs for a language. What is older,
and what failed, is translated when the recording has ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionLineRow, CaptionTrack, TrackOrigin
from api.content.captions.reading import all_lines, lines_near
from api.content.captions.speech.runs import subject_of
from api.content.captions.tracks import tracks_of
from api.content.files.models import File
from api.content.files.webhooks import facts_of
from api.content.translations.events import notice
from api.content.translations.requests import RefreshScope, lines_to_refresh, queue_translation
from api.people.webhooks.emission import emit
from api.platform.db.base import utc_now
from api.platform.jobs import service as jobs
from api.platform.jobs.models import Job
from api.platform.jobs.outbox import add_event
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.messages import Action
from api.platform.webhooks.events import TranslationReady
from pipelines.captions.edits.links import is_stale
from pipelines.messages.lines import CaptionLine, Writer
from pipelines.messages.translate import Formality

REACH_MS = 180_000
"""How far before the newest line a run reaches: for its context, and for lines that people have corrected."""
AGAIN_AFTER = timedelta(seconds=30)
"""After a run that failed."""


async def go_on(session: AsyncSession, file: File, languages: Sequence[str]) -> None:
    """Queue the translation of what is new, for each language that is not being translated just now."""
    source = None if not languages else (await tracks_of(session, file)).transcription
    newest_ms = None if source is None else await _newest_ms(session, source)
    if source is None or newest_ms is None:
        return
    lines = await lines_near(session, source, newest_ms - REACH_MS, newest_ms + 1)
    for language in languages:
        if await _may_run(session, file, language):
            await _queue_new(session, file, source, lines, language)


async def finish(session: AsyncSession, file: File, language: str) -> None:
    """Translate what is still missing once the source grows no more, or say that all of it is there.

    A run that is open does so when it ends.
    """
    tracks = await tracks_of(session, file)
    source, present = tracks.transcription, _translation(tracks.tracks, language)
    if source is None or await _is_running(session, file, language):
        return
    lines = await all_lines(session, source)
    wanted = None
    if present is not None:
        wanted = await lines_to_refresh(session, present, lines, None, include_edited=False)
    if present is not None and not wanted:
        add_event(session, await notice(session, file, language, Action.COMPLETED, progress=100))
        ready = TranslationReady(file=facts_of(file), language=language, source_language=source.language)
        await emit(session, file, ready)
    elif any(line.text for line in lines):
        existing = [] if present is None else await all_lines(session, present)
        await _queue(session, file, source, lines, language, present, existing, wanted, is_live=False)
        add_event(session, await notice(session, file, language, Action.DISPATCHED))


async def _queue_new(
    session: AsyncSession, file: File, source: CaptionTrack, lines: Sequence[CaptionLine], language: str
) -> None:
    present = _translation((await tracks_of(session, file)).tracks, language)
    existing = [] if present is None else await lines_near(session, present, lines[0].start_ms, lines[-1].end_ms)
    wanted = _new_or_changed(lines, existing)
    if not wanted:
        return
    # Their rows would be read with the runs of every list of files.
    mine = jobs.of_subject(subject_of(file.id, language), JobKind.TRANSLATE)
    await session.execute(delete(Job).where(mine, Job.state.in_((JobState.DONE, JobState.FAILED))))
    await _queue(session, file, source, lines, language, present, existing, wanted, is_live=True)


async def _queue(
    session: AsyncSession,
    file: File,
    source: CaptionTrack,
    lines: Sequence[CaptionLine],
    language: str,
    present: CaptionTrack | None,
    existing: Sequence[CaptionLine],
    wanted: set[str] | None,
    *,
    is_live: bool,
) -> None:
    await queue_translation(
        session,
        file.user_id,
        file,
        source,
        language,
        formality=Formality((present.formality if present is not None else None) or Formality.DEFAULT),
        source_lines=lines,
        present=present,
        existing=existing,
        wanted=RefreshScope(wanted),
        is_live=is_live,
    )


def _new_or_changed(lines: Sequence[CaptionLine], existing: Sequence[CaptionLine]) -> set[str]:
    now = {line.id: line.text for line in lines}
    missing = {line.id for line in lines if line.text}
    changed: set[str] = set()
    for line in existing:
        if line.link is None:
            continue
        ids = {each.id for each in line.link.sources}
        missing -= ids
        if line.link.by is Writer.MODEL and ids <= now.keys() and is_stale(line.link, now):
            changed |= ids
    return missing | changed


async def _newest_ms(session: AsyncSession, track: CaptionTrack) -> int | None:
    statement = select(func.max(CaptionLineRow.start_ms)).where(CaptionLineRow.track_id == track.id)
    return await session.scalar(statement)


async def _may_run(session: AsyncSession, file: File, language: str) -> bool:
    mine = jobs.of_subject(subject_of(file.id, language), JobKind.TRANSLATE)
    statement = select(Job.state, Job.finished_at).where(mine).order_by(Job.created_at.desc(), Job.id.desc()).limit(1)
    newest = (await session.execute(statement)).tuples().one_or_none()
    if newest is None or newest[0] == JobState.DONE:
        return True
    state, ended_at = newest
    return state == JobState.FAILED and ended_at is not None and ended_at < utc_now() - AGAIN_AFTER


async def _is_running(session: AsyncSession, file: File, language: str) -> bool:
    mine = jobs.of_subject(subject_of(file.id, language), JobKind.TRANSLATE)
    ended = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)
    return await session.scalar(select(Job.id).where(mine, Job.state.not_in(ended)).limit(1)) is not None


def _translation(tracks: Sequence[CaptionTrack], language: str) -> CaptionTrack | None:
    return next(
        (track for track in tracks if track.language == language and track.origin == TrackOrigin.TRANSLATION), None
    )
