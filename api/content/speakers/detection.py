"""Start, follow and stop the detection of who speaks. Its state is that of the newest job, so the two cannot differ."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.tracks import tracks_of
from api.content.files import queries
from api.content.files.models import File
from api.content.files.transitions import UNFINISHED
from api.content.preparation.work import enqueue_work, speakers_work
from api.content.speakers.schemas import DetectionState
from api.people.access.audience import notice_of
from api.people.auth.viewer import Viewer
from api.platform.capabilities.advice import capability_for
from api.platform.db import clock
from api.platform.http.errors import Conflict
from api.platform.jobs import service as jobs
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.models import Job
from api.platform.jobs.outbox import add_event
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from cluster.sentences import paragraph
from cluster.wording.message import Message
from serve.core.capability import Capability, TaskState
from serve.tasks.diarization.messages import DIARIZATION

ALREADY = Message("speakers.already", "Speakers are being detected in this file already.")
NOT_TRANSCRIBED = Message(
    "speakers.not_transcribed", "Speakers are detected in the captions. Transcribe this file first."
)
STILL_LIVE = Message(
    "speakers.still_live", "This file is still being transcribed. Detect its speakers as soon as that is done."
)
NO_SOUND = Message("speakers.no_sound", "This file has no sound, so there is nobody to detect.")
NOT_RUNNING = Message("speakers.not_running", "No detection of speakers is running for this file.")
BY_CHANNEL_ONLY = Message(
    "speakers.by_channel_only", "Here speakers can be detected only in recordings with one speaker on each channel."
)
BY_HAND = Message("speakers.by_hand", "You can still add speakers and choose their lines by hand.")

_OPEN = (JobState.READY, JobState.RUNNING)
_STATES = {
    JobState.READY: DetectionState.WAITING,
    JobState.RUNNING: DetectionState.RUNNING,
    JobState.DONE: DetectionState.READY,
    JobState.FAILED: DetectionState.FAILED,
    JobState.CANCELLED: DetectionState.CANCELLED,
}


class NoSpeakerEngine(Conflict):
    """Nothing here can detect speakers in this file."""

    code = "no_speaker_engine"


class AlreadyDetecting(Conflict):
    code = "already_running"
    message = ALREADY


_COLUMNS: tuple[Any, ...] = (
    Job.id,
    Job.state,
    Job.progress,
    Job.cancel_requested,
    Job.error,
    Job.result,
    Job.attempt,
    Job.run_after,
    Job.eta_at,
    Job.progress_at,
    Job.started_at,
)


async def newest_job(session: AsyncSession, file: File) -> Row[*tuple[Any, ...]] | None:
    """What pages show of the newest detection, and the database's time as `now`."""
    statement: Select[*tuple[Any, ...]] = (
        select(*_COLUMNS, clock.now().label("now"))
        .where(Job.file_id == file.id, Job.kind == JobKind.SPEAKERS)
        .order_by(Job.created_at.desc(), Job.id)
        .limit(1)
    )
    return (await session.execute(statement)).one_or_none()


def is_open(job: Row[*tuple[Any, ...]] | None) -> bool:
    """Whether the detection waits or runs, and nobody has stopped it."""
    return job is not None and job.state in _OPEN and not job.cancel_requested


def state_of(job: Row[*tuple[Any, ...]] | None) -> DetectionState:
    if job is None:
        return DetectionState.NONE
    if job.state in _OPEN and job.cancel_requested:
        return DetectionState.CANCELLED
    return _STATES[job.state]


def refusal(file: File, capability: Capability) -> str | None:
    """Why no engine works for this file, and what to do; None when one does, or while the engine starts.

    A recording with one person per channel needs no model. `capability` is that for the reader.
    """
    if file.audio_key is None:
        return NO_SOUND
    if file.channels_key is not None or capability.may_work:
        return None
    if capability.state is TaskState.FAILED:
        return paragraph(capability.sentence, BY_HAND)
    return paragraph(BY_CHANNEL_ONLY, capability.sentence, BY_HAND)


async def detect(session: AsyncSession, viewer: Viewer, key: str, speakers: int | None) -> File:
    """Queue the detection. Raise `Conflict` while one runs, before the transcription, and where no engine works."""
    file = await queries.find(session, viewer, key, hold=True)
    if file.status in UNFINISHED:
        raise Conflict(STILL_LIVE)
    if (reason := refusal(file, await capability_for(session, DIARIZATION, is_admin=viewer.is_admin))) is not None:
        raise NoSpeakerEngine(reason)
    if (await tracks_of(session, file)).transcription is None:
        raise Conflict(NOT_TRANSCRIBED)
    if is_open(await newest_job(session, file)):
        raise AlreadyDetecting
    # Another transcription detects them again.
    file.detects_speakers, file.speaker_count = True, speakers
    await enqueue_work(session, file, await speakers_work(session, file))
    message = event(Topic.SPEAKERS, Action.DISPATCHED, slug=file.slug, name=file.name)
    add_event(session, await notice_of(session, file, message))
    return file


async def cancel(session: AsyncSession, types: JobTypes, viewer: Viewer, key: str) -> File:
    """Stop the detection; the captions stay as they are."""
    file = await queries.find(session, viewer, key)
    if not await jobs.cancel(session, types, jobs.of_files([file.id], JobKind.SPEAKERS)):
        raise Conflict(NOT_RUNNING)
    return file
