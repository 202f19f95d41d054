"""Which translations a file has, for lists of files."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionLink, CaptionTrack, TrackOrigin
from api.content.captions.speech.runs import Run, newest_runs
from api.content.translations.schemas import FileTranslationOut, TranslationState
from api.platform.db.expressions import in_list
from api.platform.jobs.states import JobState
from pipelines.languages import language_label


def state_of(run: Run | None) -> TranslationState:
    """The state of a translation from its newest run. One without a run is ready."""
    if run is None or run.job.state == JobState.DONE:
        return TranslationState.READY
    if run.is_cancelled:
        return TranslationState.CANCELLED
    if run.job.state == JobState.FAILED:
        return TranslationState.FAILED
    return TranslationState.RUNNING if run.job.state == JobState.RUNNING else TranslationState.WAITING


async def translations_of_files(
    session: AsyncSession, file_ids: Sequence[uuid.UUID]
) -> dict[uuid.UUID, list[FileTranslationOut]]:
    """By file, its translations in the order they were made, then those that have no lines yet."""
    columns = (CaptionTrack.file_id, CaptionTrack.id, CaptionTrack.language)
    statement = (
        select(*columns)
        .where(
            in_list(session, CaptionTrack.file_id, file_ids),
            CaptionTrack.origin == TrackOrigin.TRANSLATION,
            CaptionTrack.deleted_at.is_(None),
        )
        .order_by(CaptionTrack.created_at)
    )
    tracks = (await session.execute(statement)).all()
    runs = await newest_runs(session, file_ids)
    stale = await _stale(session, [track.id for track in tracks])
    found: dict[uuid.UUID, list[FileTranslationOut]] = defaultdict(list)
    for track in tracks:
        run = runs.pop((track.file_id, track.language), None)
        found[track.file_id].append(_describe(track.language, run, stale.get(track.id, 0), has_lines=True))
    for (file_id, language), run in runs.items():
        # A run that is done has a track, unless that was deleted.
        if run.job.state != JobState.DONE:
            found[file_id].append(_describe(language, run, 0, has_lines=False))
    return found


async def _stale(session: AsyncSession, track_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, int]:
    if not track_ids:
        return {}
    statement = (
        select(CaptionLink.track_id, func.count(CaptionLink.target_id.distinct()))
        .where(in_list(session, CaptionLink.track_id, track_ids), CaptionLink.is_stale)
        .group_by(CaptionLink.track_id)
    )
    return {track_id: count for track_id, count in await session.execute(statement)}


def _describe(language: str, run: Run | None, stale: int, *, has_lines: bool) -> FileTranslationOut:
    progress = run.job.progress if run is not None and run.is_open else 100 if has_lines else 0
    return FileTranslationOut(
        language=language,
        label=language_label(language),
        state=state_of(run),
        progress=progress,
        stale=stale,
        has_lines=has_lines,
    )
