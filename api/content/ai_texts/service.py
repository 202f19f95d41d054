"""Have texts written, stop that, and delete them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import and_
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.ai_texts import queries
from api.content.ai_texts.errors import BEING_WRITTEN, NO_CAPTIONS, NOT_BEING_WRITTEN, STILL_LIVE
from api.content.ai_texts.events import notice
from api.content.ai_texts.models import AiText, AiTextStatus
from api.content.ai_texts.offers import Offer, offer_of
from api.content.ai_texts.schemas import WriteTexts
from api.content.ai_texts.transitions import AI_TEXT_STATUS, OPEN
from api.content.captions.models import CaptionTrack
from api.content.captions.tracks import TracksOfFile, tracks_of
from api.content.files import queries as files
from api.content.files.models import File
from api.people.auth.viewer import Viewer
from api.people.ledger.metering import reserve_for
from api.people.plans.payer import priority_of
from api.platform.db.reread import reread
from api.platform.http.errors import Conflict, NotFound
from api.platform.jobs import service as jobs
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.models import Job
from api.platform.jobs.outbox import add_event
from api.platform.jobs.queue import enqueue
from api.platform.jobs.states import JobKind
from api.platform.realtime.messages import Action
from pipelines.messages.minutes import MinutesRequest, TextType


async def write(session: AsyncSession, viewer: Viewer, key: str, wanted: WriteTexts) -> tuple[File, Sequence[AiText]]:
    """Queue a text of each type and return all texts of the file. One that is being written is left alone.

    A text that exists is written again, and keeps its version until the new one is whole.
    """
    file = await files.find(session, viewer, key, hold=True)
    tracks = await tracks_of(session, file)
    _require_captions(tracks)
    offer = await offer_of(session, viewer, tracks)
    language = wanted.language or offer.tracks[0]
    offer.require(language, wanted.types)
    existing = {(text.type, text.language): text for text in await queries.of_file(session, file)}
    for type_ in dict.fromkeys(wanted.types):
        text = existing.get((type_, language))
        if text is None:
            text = AiText(
                id=uuid.uuid4(),
                file_id=file.id,
                type=type_,
                language=language,
                status=AiTextStatus.WAITING,
                version=0,
            )
            session.add(text)
        elif text.status in OPEN:
            continue
        await _queue(session, viewer, tracks, text, offer)
    return file, await queries.of_file(session, file)


async def write_again(session: AsyncSession, viewer: Viewer, text_id: uuid.UUID) -> tuple[File, AiText]:
    """Queue a text once more. One that failed or was cancelled continues after the parts that were finished."""
    _, text = await queries.find(session, viewer, text_id)
    # Jobs first, then the file: everybody locks in this order.
    last = await session.get(Job, text.job_id, with_for_update=True) if text.job_id else None
    file, text = await queries.find(session, viewer, text_id, hold=True)
    if text.status in OPEN:
        raise Conflict(BEING_WRITTEN)
    tracks = await tracks_of(session, file)
    _require_captions(tracks)
    offer = await offer_of(session, viewer, tracks)
    offer.require(text.language, [TextType(text.type)])
    await _queue(session, viewer, tracks, text, offer, last)
    return file, text


async def cancel(session: AsyncSession, types: JobTypes, viewer: Viewer, text_id: uuid.UUID) -> tuple[File, AiText]:
    """Stop writing. A text that was being written again keeps the version it has."""
    _, text = await queries.find(session, viewer, text_id)
    if text.job_id is None or not await jobs.cancel(session, types, Job.id == text.job_id):
        raise Conflict(NOT_BEING_WRITTEN)
    file, text = await queries.find(session, viewer, text_id, hold=True)
    # The handler of a job that waited has done this; one that runs is stopped within a second.
    await stop(session, file, text)
    return file, text


async def remove(
    session: AsyncSession, types: JobTypes, viewer: Viewer, key: str, *, type_: TextType | None, language: str | None
) -> None:
    """Delete the texts of a file, or only those of a type or in a language, with all their versions."""
    file = await files.find(session, viewer, key)
    chosen = [text for text in await queries.of_file(session, file) if _is_meant(text, type_, language)]
    if not chosen:
        raise NotFound(queries.TEXT_NOT_FOUND)
    theirs = Job.subject_id.in_([text.id for text in chosen])
    await jobs.cancel(session, types, and_(jobs.of_files([file.id], JobKind.MINUTES), theirs))
    await files.lock(session, file)
    for text in chosen:
        if await reread(session, text) is not None:
            await session.delete(text)


async def stop(session: AsyncSession, file: File, text: AiText) -> None:
    """End a text that a person cancelled, in a transaction that holds it. Does nothing when it has ended already."""
    if text.status not in OPEN:
        return
    AI_TEXT_STATUS.move(text, AiTextStatus.READY if text.version else AiTextStatus.CANCELLED)
    text.progress = 0
    add_event(session, await notice(session, file, text, Action.ABANDONED))


def _require_captions(tracks: TracksOfFile) -> None:
    if tracks.choose().is_live:
        raise Conflict(STILL_LIVE)
    if not tracks.tracks:
        raise Conflict(NO_CAPTIONS)


def _is_meant(text: AiText, type_: TextType | None, language: str | None) -> bool:
    return (type_ is None or text.type == type_) and (language is None or text.language == language)


async def _queue(
    session: AsyncSession, viewer: Viewer, tracks: TracksOfFile, text: AiText, offer: Offer, last: Job | None = None
) -> None:
    """Queue the job of a text whose file the caller has locked, or restart `last` when it had the same request."""
    file = tracks.file
    source = _track_in(tracks, offer.source(text.language))
    lines = await queries.lines_of(session, source) if source is not None else []
    if source is None or not any(line.text.strip() for line in lines):
        raise Conflict(NO_CAPTIONS)
    request = MinutesRequest(
        file_id=str(file.id),
        ai_text_id=str(text.id),
        type=TextType(text.type),
        language=text.language,
        source_language=source.language,
        lines=tuple(lines),
        title=file.name,
    )
    is_same = last is not None and MinutesRequest.read(last.request) == request
    if last is not None and is_same and await jobs.retry(session, last.id):
        job = last
    else:
        job = await enqueue(
            session,
            kind=JobKind.MINUTES,
            subject_id=text.id,
            file_id=file.id,
            user_id=viewer.user_id,
            priority=await priority_of(session, viewer.user_id, file.team_id),
            dedup_key=f"{JobKind.MINUTES}:{text.id}:{uuid.uuid4()}",
            request=request,
            work=lines[-1].end_ms,
            parent_id=last.id if last is not None else None,
        )
        text.job_id = job.id
    await reserve_for(session, job, file, duration_ms=file.duration_ms)
    text.user_id = viewer.user_id
    text.progress, text.error = 0, None
    if text.status != AiTextStatus.WAITING:
        AI_TEXT_STATUS.move(text, AiTextStatus.WAITING)
    add_event(session, await notice(session, file, text, Action.DISPATCHED))


def _track_in(tracks: TracksOfFile, language: str) -> CaptionTrack | None:
    return next((track for track in tracks.tracks if track.language == language), tracks.transcription)
