"""Transcribe some lines, or a whole file, again, and decide line by line what to take. Nothing changes before that."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Text, cast, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.actions import RERUN
from api.content.captions.after_change import announce
from api.content.captions.editing.large_command import Plan, fitting, is_large, run_command
from api.content.captions.editing.saving import Change, save
from api.content.captions.errors import CHANGED_SINCE, STILL_LIVE, EditFailed, StaleEdit
from api.content.captions.large import tools
from api.content.captions.large.change import LargeWork
from api.content.captions.models import CaptionRevision, CaptionTrack
from api.content.captions.reading import all_lines
from api.content.captions.reruns.engines import described_engines, require_engine
from api.content.captions.reruns.jobs import notice_of_rerun
from api.content.captions.reruns.models import CaptionProposal
from api.content.captions.reruns.schemas import Decision, NewRerun, ProposedLine, RerunOut, RerunState
from api.content.captions.stored.revision_lines import values_of_text
from api.content.captions.stored.rows import is_sqlite
from api.content.captions.tracks import find_tracks, tracks_of
from api.content.files import queries as files
from api.content.files.language import require_usable
from api.content.files.models import File
from api.content.files.transitions import UNFINISHED
from api.content.glossary.spoken import spoken_terms
from api.people.auth.viewer import Viewer
from api.people.ledger.metering import reserve_for
from api.people.plans.payer import priority_of
from api.platform.db.engine import Database
from api.platform.http.errors import Conflict, NotFound
from api.platform.jobs import service as jobs
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.models import Job
from api.platform.jobs.outbox import add_event
from api.platform.jobs.queue import enqueue
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.messages import Action
from cluster.wording.message import Message
from pipelines.captions.edits.rerun import Choice, LineProposal, Span, chosen_change, proposals_of, spans_of
from pipelines.messages.requests import RetranscribeRequest

ALREADY = Message(
    "captions.already", "Lines of this file are being transcribed again already. Wait until that is done, or stop it."
)
NO_LINES = Message("captions.no_lines", "These lines are no longer there. Choose others.")
NO_SOUND = Message("captions.no_sound", "This file has no sound, so nothing can be transcribed again.")
NOT_TRANSCRIBED = Message("captions.not_transcribed", "This file has no captions yet. Transcribe it first.")
NOT_RUNNING = Message("captions.not_running", "Nothing is being transcribed again for this file.")
NO_PROPOSAL = Message("captions.no_proposal", "There is nothing to decide. Somebody may have done it already.")

_OPEN = (JobState.READY, JobState.RUNNING)
_HISTORY_BYTES = 2_000_000
"""A larger revision, such as an import, is not searched for the oldest text of a line."""


class AlreadyRunning(Conflict):
    code = "already_running"
    message = ALREADY


async def start(session: AsyncSession, viewer: Viewer, key: str, body: NewRerun) -> RerunOut:
    """Queue the work. It costs the seconds of sound that are transcribed, as any transcription does.

    Raises `Conflict` while one runs and without sound or captions, and `QuotaExceeded`.
    """
    file = await files.find(session, viewer, key, hold=True)
    if file.status in UNFINISHED:
        raise Conflict(STILL_LIVE)
    if file.audio_key is None:
        raise Conflict(NO_SOUND)
    track = await _track(session, file)
    if track is None:
        raise Conflict(NOT_TRANSCRIBED)
    if await _open_job(session, file) is not None:
        raise AlreadyRunning
    if body.engine is None:
        await require_usable(session, track.language)
    else:
        await require_engine(session, body.engine, track.language)
    spans: list[tuple[int, int]] = []
    if body.lines is not None:
        chosen = {str(line) for line in body.lines}
        spans = spans_of([line for line in await all_lines(session, track) if line.id in chosen])
        if not spans:
            raise EditFailed.field("lines", NO_LINES)
    duration_ms = sum(until - since for since, until in spans) if spans else file.duration_ms or 0
    request = RetranscribeRequest(
        file_id=str(file.id),
        track_id=str(track.id),
        audio_key=file.audio_key,
        duration_ms=duration_ms,
        language=track.language,
        spans=tuple(spans),
        terms=await spoken_terms(session, file.user_id, file.team_id),
        engine=body.engine or "",
    )
    job = await enqueue(
        session,
        kind=JobKind.RETRANSCRIBE,
        subject_id=file.id,
        file_id=file.id,
        user_id=file.user_id,
        priority=await priority_of(session, file.user_id, file.team_id),
        dedup_key=f"{JobKind.RETRANSCRIBE}:{file.id}:{uuid.uuid4()}",
        request=request,
        work=duration_ms,
    )
    await reserve_for(session, job, file, duration_ms=duration_ms)
    await session.execute(delete(CaptionProposal).where(CaptionProposal.track_id == track.id))
    add_event(session, await notice_of_rerun(session, file, Action.DISPATCHED))
    return await _describe(session, file)


async def read(session: AsyncSession, viewer: Viewer, key: str) -> RerunOut:
    return await _describe(session, await files.find(session, viewer, key))


async def cancel(session: AsyncSession, types: JobTypes, viewer: Viewer, key: str) -> RerunOut:
    file = await files.find(session, viewer, key)
    if not await jobs.cancel(session, types, jobs.of_files([file.id], JobKind.RETRANSCRIBE)):
        raise Conflict(NOT_RUNNING)
    return await _describe(session, file)


async def dismiss(session: AsyncSession, viewer: Viewer, key: str) -> RerunOut:
    """Refuse the whole proposal: every line stays."""
    file = await files.find(session, viewer, key, hold=True)
    track = await _track(session, file)
    if track is not None:
        await session.execute(delete(CaptionProposal).where(CaptionProposal.track_id == track.id))
        add_event(session, await notice_of_rerun(session, file, Action.CHANGED))
    return await _describe(session, file)


async def decide(database: Database, viewer: Viewer, key: str, body: Decision) -> Change:
    """Apply the choices as one change that undo takes back. Raises `StaleEdit` when the captions changed since."""

    async def read(session: AsyncSession) -> LargeWork | None:
        track = (await find_tracks(session, viewer, key)).transcription
        if track is None or body.issued < track.revision or not await is_large(session, track):
            return None
        proposal = await _proposal(session, track)
        if proposal is None:
            return None
        tool = partial(tools.take_proposals, words=proposal.words, spans=_spans(proposal), choices=dict(body.choices))
        lines = await queries.text_of_lines(session, track.id)
        return LargeWork(tool, track.id, track.revision + 1, lines, is_sqlite(session))

    async def write(session: AsyncSession, plan: Plan | None) -> Change:
        tracks = await find_tracks(session, viewer, key, hold=True)
        track = tracks.transcription
        proposal = None if track is None else await _proposal(session, track)
        if track is None or proposal is None:
            raise NotFound(NO_PROPOSAL)
        if body.issued < track.revision:
            raise StaleEdit(CHANGED_SINCE, revision=track.revision)
        result = fitting(plan, track) or chosen_change(await _proposed(session, track, proposal), body.choices)
        await session.delete(proposal)
        change = await save(session, viewer, track, RERUN, result)
        await announce(session, tracks.file, change)
        add_event(session, await notice_of_rerun(session, tracks.file, Action.CHANGED))
        return change

    return await run_command(database, viewer, read, write)


async def _describe(session: AsyncSession, file: File) -> RerunOut:
    track = await _track(session, file)
    proposal = None if track is None else await _proposal(session, track)
    statement = (
        select(Job.state, Job.progress, Job.cancel_requested, Job.error, Job.request)
        .where(Job.file_id == file.id, Job.kind == JobKind.RETRANSCRIBE)
        .order_by(Job.created_at.desc(), Job.id)
        .limit(1)
    )
    job = (await session.execute(statement)).one_or_none()
    lines: list[ProposedLine] = []
    if track is not None and proposal is not None:
        proposed = await _proposed(session, track, proposal)
        worked_on = [each.id for each in proposed if each.joined is not None]
        oldest = await _oldest_texts(session, track, worked_on)
        lines = [_out(each, oldest) for each in proposed]
    state = _state(job, proposal)
    language, request = None if track is None else track.language, None if job is None else job.request
    return RerunOut(
        state=state,
        progress=job.progress if job is not None and state is RerunState.RUNNING else 0,
        error=job.error if job is not None and state is RerunState.FAILED else None,
        revision=0 if track is None else track.revision,
        lines=lines,
        is_whole=proposal is not None and not proposal.spans,
        **await described_engines(session, language, request),
    )


def _state(job: Any, proposal: CaptionProposal | None) -> RerunState:
    if job is not None and job.state in _OPEN:
        if job.cancel_requested:
            return RerunState.CANCELLED
        return RerunState.WAITING if job.state == JobState.READY else RerunState.RUNNING
    if proposal is not None:
        return RerunState.READY
    return RerunState.FAILED if job is not None and job.state == JobState.FAILED else RerunState.NONE


def _out(each: LineProposal, oldest: Mapping[str, str]) -> ProposedLine:
    span = each.mine or each.found
    return ProposedLine(
        id=each.id,
        start_ms=0 if span is None else span.start_ms,
        end_ms=0 if span is None else span.end_ms,
        base=None if each.mine is None else oldest.get(each.id, each.mine.text),
        mine=None if each.mine is None else each.mine.text,
        found=None if each.found is None else each.found.text,
        joined=None if each.joined is None else each.joined.text,
        default=Choice.MINE if each.mine is not None and each.mine.locked else each.default,
    )


async def _proposed(session: AsyncSession, track: CaptionTrack, proposal: CaptionProposal) -> list[LineProposal]:
    lines = await all_lines(session, track)
    return await asyncio.to_thread(proposals_of, lines, proposal.words, _spans(proposal))


def _spans(proposal: CaptionProposal) -> list[Span]:
    return [(first, last) for first, last in proposal.spans]


async def _oldest_texts(session: AsyncSession, track: CaptionTrack, line_ids: Collection[str]) -> dict[str, str]:
    """The oldest text of each of these lines that the history still has."""
    if not line_ids:
        return {}
    statement = (
        select(cast(CaptionRevision.before, Text()))
        .where(
            CaptionRevision.track_id == track.id,
            CaptionRevision.size_bytes > 0,
            CaptionRevision.size_bytes < _HISTORY_BYTES,
        )
        .order_by(CaptionRevision.number.desc())
    )
    texts = (await session.scalars(statement)).all()
    return await asyncio.to_thread(_texts, texts, frozenset(line_ids))


def _texts(values: Sequence[str], line_ids: frozenset[str]) -> dict[str, str]:
    """The newest come first, so an older text takes the place of a newer one."""
    return {line["id"]: line["text"] for text in values for line in values_of_text(text) if line["id"] in line_ids}


async def _track(session: AsyncSession, file: File) -> CaptionTrack | None:
    return (await tracks_of(session, file)).transcription


async def _proposal(session: AsyncSession, track: CaptionTrack) -> CaptionProposal | None:
    return (await session.scalars(select(CaptionProposal).where(CaptionProposal.track_id == track.id))).one_or_none()


async def _open_job(session: AsyncSession, file: File) -> uuid.UUID | None:
    is_open = (Job.state.in_(_OPEN), Job.cancel_requested.is_(False))
    statement = select(Job.id).where(Job.file_id == file.id, Job.kind == JobKind.RETRANSCRIBE, *is_open)
    return await session.scalar(statement.limit(1))
