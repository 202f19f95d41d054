"""Have captions proofread by the text model, and read its proposals."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.ai_texts.errors import NO_CAPTIONS, STILL_LIVE
from api.content.ai_texts.models import AiTextStatus
from api.content.ai_texts.offers import offer_of
from api.content.ai_texts.proofreading.models import Proofreading
from api.content.ai_texts.proofreading.schemas import StartProofreading
from api.content.ai_texts.proofreading.transitions import PROOFREADING_STATUS
from api.content.ai_texts.queries import lines_of
from api.content.ai_texts.transitions import OPEN
from api.content.captions.models import CaptionTrack
from api.content.captions.tracks import TracksOfFile, find_tracks
from api.content.files import queries as files
from api.content.glossary.known_words import listed as known_words
from api.content.glossary.queries import listed as glossary
from api.people.auth.viewer import Viewer
from api.people.ledger.metering import reserve_for
from api.people.plans.payer import priority_of
from api.platform.http.errors import Conflict, NotFound
from api.platform.jobs import service as jobs
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.models import Job
from api.platform.jobs.queue import enqueue
from api.platform.jobs.states import JobKind
from cluster.wording.message import Message
from pipelines.messages.proofread import ProofLine, ProofreadRequest

NOT_PROOFREAD = Message("ai_texts.not_proofread", "These captions are not being proofread.")
UNDER_WAY = Message(
    "ai_texts.under_way", "These captions are being proofread already. Wait for it, or cancel it first."
)
NO_SUCH_LINES = Message(
    "ai_texts.no_such_lines", "These lines are no longer there. Somebody may have deleted or merged them."
)
TERMS_MAX = 500
"""Terms of the glossary that one proofreading takes along."""


async def find(session: AsyncSession, viewer: Viewer, key: str, language: str | None) -> Proofreading | None:
    """The last proofreading of a track; None where there was none."""
    track = (await find_tracks(session, viewer, key)).choose(language).track
    return None if track is None else await _of_track(session, track)


async def start(session: AsyncSession, viewer: Viewer, key: str, wanted: StartProofreading) -> Proofreading:
    """Queue a proofreading of a track, or of some of its lines. Raises `Conflict` while one runs."""
    tracks = await find_tracks(session, viewer, key, hold=True)
    chosen = tracks.choose(wanted.language)
    if chosen.is_live:
        raise Conflict(STILL_LIVE)
    track = chosen.track
    if track is None:
        raise Conflict(NO_CAPTIONS)
    offer = await offer_of(session, viewer, tracks)
    if (reason := offer.reason()) is not None:
        raise Conflict(reason)
    row = await _of_track(session, track)
    if row is not None and row.status in OPEN:
        raise Conflict(UNDER_WAY)
    if row is None:
        row = Proofreading(
            id=uuid.uuid4(),
            file_id=track.file_id,
            track_id=track.id,
            language=track.language,
            status=AiTextStatus.WAITING,
            content={},
        )
        session.add(row)
    else:
        PROOFREADING_STATUS.move(row, AiTextStatus.WAITING)
    row.user_id, row.language, row.progress, row.error, row.content = viewer.user_id, track.language, 0, None, {}
    await _queue(session, viewer, tracks, track, row, wanted)
    return row


async def cancel(
    session: AsyncSession, types: JobTypes, viewer: Viewer, key: str, language: str | None
) -> Proofreading:
    """Stop a proofreading. Raises `Conflict` when none runs."""
    row = await find(session, viewer, key, language)
    if row is None or row.job_id is None or not await jobs.cancel(session, types, Job.id == row.job_id):
        raise Conflict(NOT_PROOFREAD)
    # Jobs first, then the file: everybody locks in this order.
    await files.find(session, viewer, str(row.file_id), hold=True)
    await session.refresh(row)
    # The handler of a job that waited has done this; one that runs is stopped within a second.
    if row.status in OPEN:
        PROOFREADING_STATUS.move(row, AiTextStatus.CANCELLED)
    return row


async def _of_track(session: AsyncSession, track: CaptionTrack) -> Proofreading | None:
    return (await session.scalars(select(Proofreading).where(Proofreading.track_id == track.id))).one_or_none()


async def _queue(
    session: AsyncSession,
    viewer: Viewer,
    tracks: TracksOfFile,
    track: CaptionTrack,
    row: Proofreading,
    wanted: StartProofreading,
) -> None:
    file = tracks.file
    chosen = None if wanted.lines is None else {str(line) for line in wanted.lines}
    lines = [line for line in await lines_of(session, track) if chosen is None or line.id in chosen]
    if not any(line.text.strip() for line in lines):
        raise NotFound(NO_SUCH_LINES) if chosen is not None else Conflict(NO_CAPTIONS)
    terms = await glossary(session, viewer.user_id, viewer.team_id, source=None, target=None)
    known = await known_words(session, viewer)
    names = dict.fromkeys([*(term.source for term in terms), *(word.word for word in known)])
    request = ProofreadRequest(
        file_id=str(file.id),
        track_id=str(track.id),
        language=track.language,
        lines=tuple(ProofLine(id=line.id, text=line.text, speaker=line.speaker) for line in lines),
        task=wanted.task,
        terms=tuple(names)[:TERMS_MAX],
        title=file.name,
    )
    job = await enqueue(
        session,
        kind=JobKind.PROOFREAD,
        subject_id=row.id,
        file_id=file.id,
        user_id=viewer.user_id,
        priority=await priority_of(session, viewer.user_id, file.team_id),
        dedup_key=f"{JobKind.PROOFREAD}:{row.id}:{uuid.uuid4()}",
        request=request,
        work=lines[-1].end_ms - lines[0].start_ms,
    )
    row.job_id = job.id
    await reserve_for(session, job, file, duration_ms=file.duration_ms)
