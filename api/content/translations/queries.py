"""The translations of a file as pages see them."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Text, cast, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionLineRow, CaptionLink, CaptionTrack, TrackOrigin
from api.content.captions.queries import count_lines, texts_of
from api.content.captions.speech.runs import Run, newest_runs
from api.content.captions.tracks import find_tracks
from api.content.files.models import File
from api.content.files.waiting import Waiting, waiting_of
from api.content.translations.briefs import state_of
from api.content.translations.schemas import TranslationOut
from api.people.auth.viewer import Viewer
from api.platform.jobs.models import Job
from api.platform.jobs.order import queue_position
from api.platform.jobs.states import JobState
from cluster.stored_sentences import sentence_of_json
from pipelines.captions.reading.srt import format_srt
from pipelines.languages import language_label
from pipelines.messages.translate import Formality
from serve.tasks.engine_labels import engine_label


async def listed(session: AsyncSession, viewer: Viewer, key: str, *, subtitles: bool = False) -> list[TranslationOut]:
    """The translations of a file and those that are being made, in the order they were begun."""
    tracks = await find_tracks(session, viewer, key)
    return await described(session, tracks.file, subtitles=subtitles)


async def described(
    session: AsyncSession, file: File, languages: Sequence[str] | None = None, *, subtitles: bool = False
) -> list[TranslationOut]:
    """All translations of the file, or those in the given languages. `subtitles`: with their text as SRT."""
    # Before the tracks: a run that ends in between has its track then. The other way round it would be in neither.
    runs = {code: run for (_, code), run in (await newest_runs(session, [file.id])).items()}
    statement = select(CaptionTrack).where(CaptionTrack.file_id == file.id, CaptionTrack.deleted_at.is_(None))
    tracks = {track.language: track for track in await session.scalars(statement.order_by(CaptionTrack.created_at))}
    translations = {code: track for code, track in tracks.items() if track.origin == TrackOrigin.TRANSLATION}
    first_runs = {code: run for code, run in runs.items() if code not in tracks and run.job.state != JobState.DONE}
    waiting = [run.job.id for run in runs.values() if run.job.state == JobState.READY]
    positions = await queue_position.positions(session, waiting)
    codes = [*translations, *first_runs]
    counts = await _counts(session, list(translations.values()))
    sources = {track.id: track.language for track in tracks.values()}
    return [
        await _describe(session, code, translations.get(code), runs.get(code), positions, counts, sources, subtitles)
        for code in codes
        if languages is None or code in languages
    ]


async def _describe(
    session: AsyncSession,
    language: str,
    track: CaptionTrack | None,
    run: Run | None,
    positions: Mapping[uuid.UUID, Any],
    counts: Mapping[uuid.UUID, Mapping[str, int]],
    sources: Mapping[uuid.UUID, str],
    subtitles: bool,
) -> TranslationOut:
    asked = await _request(session, run) if run is not None and track is None else None
    own = counts.get(track.id, {}) if track is not None else {}
    waiting = waiting_of(run.job, positions) if run is not None and run.is_open else Waiting()
    lines = await texts_of(session, track.id) if track is not None and subtitles else []
    record = track.engine if track is not None else {}
    source = None if track is None or track.source_track_id is None else sources.get(track.source_track_id)
    created_at = track.created_at if track is not None else run.job.created_at if run is not None else None
    assert created_at is not None
    return TranslationOut(
        id=None if track is None else track.id,
        language=language,
        label=language_label(language),
        source_language=asked[0] if asked is not None else source,
        subtitle=await asyncio.to_thread(format_srt, lines) if subtitles else None,
        revision=0 if track is None else track.revision,
        lines=own.get("lines", 0),
        stale=own.get("stale", 0),
        missing=own.get("missing", 0),
        flagged=own.get("flagged", 0),
        state=state_of(run),
        progress=run.job.progress if run is not None and run.is_open else 100 if track is not None else 0,
        lines_done=run.job.progress_done if run is not None and run.is_open else 0,
        lines_total=(run.job.progress_total or run.job.work) if run is not None and run.is_open else 0,
        eta_s=waiting.eta_s,
        queue_place=waiting.queue_place,
        retry_at=waiting.retry_at,
        stalled_s=waiting.stalled_s,
        engine=engine_label(record["engine"], record["model"]) if "engine" in record and "model" in record else None,
        formality=Formality((asked[1] if asked is not None else None) or (track and track.formality) or "default"),
        notes=[sentence_of_json(note) for note in track.notes] if track is not None else [],
        error=run.job.error if run is not None and run.job.state == JobState.FAILED else None,
        error_code=run.job.error_code if run is not None and run.job.state == JobState.FAILED else None,
        created_at=created_at,
    )


async def _request(session: AsyncSession, run: Run) -> tuple[str, str] | None:
    """Source language and formality of a run, from its frozen request."""
    columns = (Job.request["source_language"].as_string(), Job.request["formality"].as_string())
    row = (await session.execute(select(*columns).where(Job.id == run.job.id))).one_or_none()
    return None if row is None else (row[0], row[1])


async def _counts(session: AsyncSession, tracks: Sequence[CaptionTrack]) -> dict[uuid.UUID, dict[str, int]]:
    """By track: stale lines, source lines without a translation, and lines to review."""
    found = {}
    for track in tracks:
        stale = select(func.count(CaptionLink.target_id.distinct())).where(
            CaptionLink.track_id == track.id, CaptionLink.is_stale
        )
        translated = select(CaptionLink.source_id).where(CaptionLink.track_id == track.id)
        missing = select(func.count()).where(
            CaptionLineRow.track_id == track.source_track_id,
            CaptionLineRow.text != "",
            CaptionLineRow.id.not_in(translated),
        )
        flagged = select(func.count()).where(
            CaptionLineRow.track_id == track.id, cast(CaptionLineRow.flags, Text) != "[]"
        )
        found[track.id] = {
            "lines": await count_lines(session, track.id),
            "stale": await session.scalar(stale) or 0,
            "missing": await session.scalar(missing) or 0,
            "flagged": await session.scalar(flagged) or 0,
        }
    return found
