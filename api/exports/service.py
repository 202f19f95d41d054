"""Start, stop and remove exports."""

from __future__ import annotations

import asyncio
import uuid

from sqlalchemy.ext.asyncio import AsyncSession

from api.auth.viewer import Viewer
from api.captions import service as captions
from api.captions.speakers import names_of
from api.captions.tracks import tracks_of
from api.db.reread import reread
from api.exports import queries
from api.exports.errors import MissingGlyphs
from api.exports.models import Export, ExportMode, ExportStatus
from api.exports.schemas import ExportRequest
from api.files import queries as files
from api.files.models import File
from api.http.errors import Conflict, Invalid
from api.jobs import service as jobs
from api.jobs.cleanup import remove_later
from api.jobs.job_type import JobTypes
from api.jobs.outbox import add_event
from api.jobs.queue import enqueue
from api.jobs.states import JobKind
from api.ledger.metering import reserve_for
from api.realtime.events import child_of, event
from api.realtime.messages import Action, PollingMessage, Topic
from api.realtime.notices import Notice, notice_of
from api.styles.service import frozen_style
from pipelines.captions.json_form import line_from_json, line_to_json
from pipelines.captions.speaker_names import with_speakers
from pipelines.captions.srt import format_srt
from pipelines.captions.style import DEFAULT_STYLE
from pipelines.flows import requests as flow_requests
from pipelines.languages import language_label
from pipelines.media.glyphs import missing_characters

STILL_LISTENING = "The transcription is still running. Export the video when it has finished."
NO_CAPTIONS = "There are no captions to export yet. Add a line first."
NO_SUCH_LANGUAGE = "There are no captions in this language. Translate them first, or choose another language."


def message(
    file: File, export: Export, action: Action, *, progress: int = 0, reason: str | None = None
) -> PollingMessage:
    """The event of an export."""
    return event(
        Topic.EXPORT,
        action,
        slug=file.slug,
        name=file.name,
        child=child_of(export.language),
        language=language_label(export.language),
        progress=progress,
        reason=reason,
    )


async def notice(
    session: AsyncSession, file: File, export: Export, action: Action, *, progress: int = 0, reason: str | None = None
) -> Notice:
    """The event with its audience: everyone who may see the file, including the colleague who exports it."""
    return await notice_of(session, file, message(file, export, action, progress=progress, reason=reason))


async def check_glyphs(session: AsyncSession, viewer: Viewer, key: str, request: ExportRequest) -> None:
    """Raise `MissingGlyphs` when a burn-in would draw boxes and the person has not accepted that.

    Call it before the write begins: searching the fonts of a machine takes 0.1 s, the first time a second.
    """
    if request.mode is not ExportMode.BURNED or request.accept_boxes:
        return
    file = await files.find(session, viewer, key)
    track = await captions.of_track(session, (await tracks_of(session, file)).exactly(request.language))
    missing = await asyncio.to_thread(lambda: missing_characters(line.text for line in track.texts))
    if missing:
        raise MissingGlyphs(missing)


async def start(session: AsyncSession, viewer: Viewer, key: str, request: ExportRequest) -> tuple[File, Export]:
    """Queue an export of the captions as they are now. The same captions in the same form are rendered once."""
    # On a double click, the second request waits here and then finds the export of the first.
    file = await files.find(session, viewer, key, hold=True)
    track = await captions.of_track(session, (await tracks_of(session, file)).exactly(request.language))
    if track.is_live:
        raise Conflict(STILL_LISTENING)
    if not track.texts:
        raise Conflict(NO_CAPTIONS)
    if request.language != track.language:
        raise Invalid.field("language", NO_SUCH_LANGUAGE)
    existing = await queries.same(
        session, track.id, mode=request.mode, revision=track.revision, speakers=request.speakers
    )
    if existing is not None:
        return file, existing
    export = Export(
        id=uuid.uuid4(),
        file_id=file.id,
        track_id=track.id,
        user_id=viewer.user_id,
        language=track.language,
        mode=request.mode,
        speakers=request.speakers,
        revision=track.revision,
        status=ExportStatus.SUBMITTED,
    )
    session.add(export)
    # Only a drawn picture needs the words: reading them costs ten times as much.
    lines = [line_from_json(each) for each in track.values] if request.mode is ExportMode.BURNED else track.texts
    shown = with_speakers(lines, await names_of(session, file.id), request.speakers)
    style = await frozen_style(session, file) if request.mode is ExportMode.BURNED else None
    add_event(session, await notice(session, file, export, Action.DISPATCHED))
    job = await enqueue(
        session,
        kind=JobKind.EXPORT,
        subject_id=export.id,
        file_id=file.id,
        user_id=viewer.user_id,
        team_id=file.team_id,
        dedup_key=f"export:{export.id}",
        request=flow_requests.ExportRequest(
            file_id=str(file.id),
            source_key=file.original_key,
            srt=format_srt(shown),
            lines=None if style is None else [line_to_json(line) for line in shown],
            style=style or DEFAULT_STYLE,
            language=track.language,
            mode=request.mode.value,
            accept_boxes=request.accept_boxes,
            kind=file.kind,
            width=file.width,
            height=file.height,
            duration_ms=file.duration_ms or 0,
        ),
        work=file.duration_ms or 0,
    )
    await reserve_for(session, job, file, duration_ms=file.duration_ms)
    return file, export


async def remove(session: AsyncSession, types: JobTypes, viewer: Viewer, key: str, export_id: uuid.UUID) -> None:
    """Stop a running export, or remove a finished one with its video."""
    file = await files.find(session, viewer, key)
    export = await queries.find(session, file, export_id)
    await jobs.cancel(session, types, jobs.of_subject(export.id, JobKind.EXPORT))
    if await reread(session, export) is None:
        return
    if export.export_key is not None:
        remove_later(session, keys=[export.export_key])
    await session.delete(export)
