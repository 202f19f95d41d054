"""The work on a file: the request of each kind of job, and putting it into the queue."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.content.glossary.spoken import spoken_terms
from api.people.ledger.metering import reserve_for
from api.people.ledger.models import Reason
from api.people.plans.payer import priority_of
from api.people.users.teams import knows_voices
from api.platform.jobs import service as jobs
from api.platform.jobs.models import Job
from api.platform.jobs.queue import enqueue
from api.platform.jobs.states import JobKind
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.requests import EncodeRequest, IngestRequest, TranscribeRequest
from pipelines.messages.speakers import SpeakersRequest


@dataclass(frozen=True, slots=True)
class Work:
    """`amount` is the size of the work, see `Job.work`."""

    kind: JobKind
    request: JsonMessage
    amount: int


def ingest_work(file: File) -> Work:
    request = IngestRequest(
        file_id=str(file.id), source_key=file.original_key, filename=file.filename, language=file.language
    )
    return Work(JobKind.UPLOAD, request, file.size_bytes or 0)


def encode_work(file: File) -> Work:
    duration_ms = file.duration_ms or 0
    request = EncodeRequest(file_id=str(file.id), source_key=file.original_key, kind=file.kind, duration_ms=duration_ms)
    return Work(JobKind.ENCODING, request, duration_ms)


async def transcribe_work(session: AsyncSession, file: File) -> Work:
    duration_ms = file.duration_ms or 0
    request = TranscribeRequest(
        file_id=str(file.id),
        audio_key=file.audio_key,
        duration_ms=duration_ms,
        language=file.language,
        terms=await spoken_terms(session, file.user_id, file.team_id),
    )
    return Work(JobKind.TRANSCRIBE, request, duration_ms)


async def speakers_work(session: AsyncSession, file: File) -> Work:
    duration_ms = file.duration_ms or 0
    request = SpeakersRequest(
        file_id=str(file.id),
        audio_key=file.audio_key or "",
        duration_ms=duration_ms,
        channels_key=file.channels_key,
        speakers=file.speaker_count,
        keeps_voices=await knows_voices(session, file.team_id),
    )
    return Work(JobKind.SPEAKERS, request, duration_ms)


async def enqueue_work(
    session: AsyncSession, file: File, work: Work, *, after: Job | None = None, free: Reason | None = None
) -> Job:
    """Queue the work, once for each job that it comes `after`, and reserve its minutes unless it is `free`.

    Raises `QuotaExceeded`; roll back what this call has written then.
    """
    job = await _enqueue(session, file, work, name=after.id if after else uuid.uuid4(), parent=after)
    await reserve_for(session, job, file, duration_ms=file.duration_ms, free=free)
    return job


async def enqueue_again(session: AsyncSession, file: File, work: Work, last: Job | None) -> None:
    """Restart the last job if it has ended and has the same request, else queue a new one. Raises `QuotaExceeded`."""
    is_same = last is not None and type(work.request).read(last.request) == work.request
    if last is not None and is_same and await jobs.retry(session, last.id):
        job = last
    else:
        job = await _enqueue(session, file, work, name=uuid.uuid4(), parent=last)
    await reserve_for(session, job, file, duration_ms=file.duration_ms)


async def _enqueue(session: AsyncSession, file: File, work: Work, *, name: uuid.UUID, parent: Job | None) -> Job:
    return await enqueue(
        session,
        kind=work.kind,
        subject_id=file.id,
        file_id=file.id,
        user_id=file.user_id,
        priority=await priority_of(session, file.user_id, file.team_id),
        dedup_key=f"{work.kind}:{file.id}:{name}",
        request=work.request,
        work=work.amount,
        parent_id=parent.id if parent else None,
    )
