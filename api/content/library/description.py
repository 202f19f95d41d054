"""A file as pages show it, with its exports, AI texts, translations, tags and place in the queue."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, cast

from sqlalchemy import Row, Select, Table, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.ai_texts.brief import briefs_of
from api.content.ai_texts.schemas import AiTextBrief
from api.content.captions.models import CaptionTrack, TrackOrigin
from api.content.exports.models import Export
from api.content.exports.schemas import describe as describe_export
from api.content.files import playback
from api.content.files.models import File, FileKind
from api.content.files.queries import engine_words
from api.content.files.schemas import PlaybackOut, PlaybackStatus
from api.content.files.waiting import Waiting, waiting_of
from api.content.library.schemas import FileOut
from api.content.speakers.undetected import without_detection
from api.content.tags.queries import tags_of_files
from api.content.tags.schemas import TagOut
from api.content.translations.briefs import translations_of_files
from api.content.translations.schemas import FileTranslationOut
from api.people.access.rules import offers, offers_move
from api.people.auth.viewer import Viewer
from api.platform.db import clock
from api.platform.db.expressions import in_list
from api.platform.jobs.models import Job
from api.platform.jobs.order import queue_position
from api.platform.jobs.states import JobKind, JobState

FileRow = File | Row[*tuple[Any, ...]]
"""A file with the columns that a page shows. For a hundred files, rows cost a third less than objects."""

_FILES, _EXPORTS = cast(Table, File.__table__).c, cast(Table, Export.__table__).c
_JOBS = (
    Job.id,
    Job.subject_id,
    Job.state,
    Job.attempt,
    Job.run_after,
    Job.started_at,
    Job.progress_at,
    Job.eta_at,
)
PAGE_COLUMNS = [
    *(
        column
        for column in _FILES
        if column.name not in ("facts", "original_key", "audio_key", "updated_at", "search_text")
    ),
    File.facts["video"]["fps"].as_float().label("fps"),
    File.facts["video"]["timecode"].as_string().label("timecode"),
]


async def describe_all(session: AsyncSession, viewer: Viewer, files: Sequence[FileRow]) -> list[FileOut]:
    """The files as the viewer's page sees them, with their exports, AI texts, translations and queue positions.

    Takes seven queries, one more when some files cannot be played or speakers should have been detected, and a few once
    a second while any of them waits.
    """
    ids = [file.id for file in files]
    if not ids:
        return []
    exports: dict[uuid.UUID, list[Row[*tuple[Any, ...]]]] = defaultdict(list)
    statement = select(*_EXPORTS).where(in_list(session, Export.file_id, ids)).order_by(Export.created_at.desc())
    for export in await session.execute(statement):
        exports[export.file_id].append(export)
    written = select(CaptionTrack.file_id, CaptionTrack.id).where(
        in_list(session, CaptionTrack.file_id, ids), CaptionTrack.origin == TrackOrigin.TRANSCRIPTION
    )
    transcriptions = {file_id: transcription_id for file_id, transcription_id in await session.execute(written)}
    texts = await briefs_of(session, ids)
    work = {job.subject_id: job for job in await session.execute(_working_jobs(session, ids))}
    positions = await queue_position.positions(
        session, [job.id for job in work.values() if job.state == JobState.READY]
    )
    translations = await translations_of_files(session, ids)
    tags = await tags_of_files(session, ids)
    encodings = await playback.newest_encodings(session, [file.id for file in files if not playback.is_ready(file)])
    undetected = await without_detection(session, files)
    return [
        _describe(
            viewer,
            file,
            exports[file.id],
            texts[file.id],
            translations.get(file.id, []),
            tags.get(file.id, []),
            transcriptions.get(file.id),
            waiting_of(work.get(file.id), positions),
            playback.playback_of(file, encodings.get(file.id)),
            file.id in undetected,
        )
        for file in files
    ]


async def describe(session: AsyncSession, viewer: Viewer, file: File) -> FileOut:
    return (await describe_all(session, viewer, [file]))[0]


def _working_jobs(session: AsyncSession, file_ids: list[uuid.UUID]) -> Select[*tuple[Any, ...]]:
    kinds = (JobKind.UPLOAD, JobKind.TRANSCRIBE)
    return select(*_JOBS, clock.now().label("now")).where(
        in_list(session, Job.subject_id, file_ids),
        Job.kind.in_(kinds),
        Job.state.in_((JobState.READY, JobState.RUNNING)),
        # A job being stopped may already have a successor.
        Job.cancel_requested.is_(False),
    )


def _describe(
    viewer: Viewer,
    file: FileRow,
    exports: list[Row[*tuple[Any, ...]]],
    texts: list[AiTextBrief],
    translations: list[FileTranslationOut],
    tags: list[TagOut],
    transcription_id: uuid.UUID | None,
    waiting: Waiting,
    played: PlaybackOut,
    lacks_speakers: bool,
) -> FileOut:
    base = f"/api/files/{file.slug}"
    playback_ready = played.status == PlaybackStatus.READY
    return FileOut(
        id=file.id,
        slug=file.slug,
        team_id=file.team_id,
        name=file.name,
        filename=file.filename,
        kind=FileKind(file.kind),
        status=file.status,
        progress=file.progress,
        phase=file.phase,
        eta_s=waiting.eta_s,
        queue_place=waiting.queue_place,
        attempt=waiting.attempt,
        retry_at=waiting.retry_at,
        stalled_s=waiting.stalled_s,
        language=file.language,
        duration_ms=file.duration_ms,
        width=file.width,
        height=file.height,
        fps=file.fps or None,
        timecode=file.programme_start or file.timecode or None,
        programme_start=file.programme_start,
        size_bytes=file.size_bytes,
        created_at=file.created_at,
        kept_since=file.kept_since or file.created_at,
        may_change=offers(viewer, file.user_id, file.team_id),
        may_move=offers_move(viewer, file.user_id, file.team_id),
        error=file.error,
        error_code=file.error_code,
        engine=engine_words(file.engine),
        engine_note=file.engine_note,
        lacks_speakers=lacks_speakers,
        upload_id=file.upload_id,
        poster_url=f"{base}/poster" if file.poster_key else None,
        peaks_url=f"{base}/peaks" if file.peaks_key else None,
        spectrogram_url=f"{base}/spectrogram" if file.spectrogram_key else None,
        media_url=f"{base}/media" if playback_ready else None,
        playback_ready=playback_ready,
        playback=played,
        transcription_id=transcription_id,
        exports=[describe_export(export, file.slug) for export in exports],
        ai_texts=texts,
        translations=translations,
        tags=tags,
    )
