"""What transcribing parts of a file again does: it keeps the words as a proposal, and changes no line."""

from __future__ import annotations

import uuid
from fractions import Fraction

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionTrack
from api.content.captions.reruns.models import CaptionProposal
from api.content.files.models import File
from api.people.access.audience import notice_of
from api.platform.jobs.handlers import Handler
from api.platform.jobs.job_type import AnyJobType, JobType, Price
from api.platform.jobs.models import Job
from api.platform.jobs.outbox import add_event
from api.platform.jobs.states import JobKind
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from api.platform.realtime.notices import Notice
from cluster.resources import WAITING_TASK_CPUS
from cluster.wording.message import Message
from pipelines.captions.json_form import word_to_json
from pipelines.messages.attempt import Progress, StageFailed
from pipelines.messages.requests import RETRANSCRIBE, RetranscribeRequest
from pipelines.messages.results import RetranscribeResult


async def notice_of_rerun(
    session: AsyncSession, file: File, action: Action, *, progress: int = 0, reason: str | None = None
) -> Notice:
    message = event(Topic.RERUN, action, slug=file.slug, name=file.name, progress=progress, reason=reason)
    return await notice_of(session, file, message)


class RetranscribeHandler(Handler[RetranscribeResult]):
    async def on_started(self, session: AsyncSession, job: Job) -> None:
        await _announce(session, job, Action.STARTED)

    async def on_progress(self, session: AsyncSession, job: Job, progress: Progress) -> list[Notice]:
        file = await session.get(File, job.subject_id)
        if file is None or job.cancel_requested:
            return []
        return [await notice_of_rerun(session, file, Action.PROGRESS, progress=job.progress)]

    async def on_done(self, session: AsyncSession, job: Job, result: RetranscribeResult) -> None:
        request = RetranscribeRequest.read(job.request)
        track = None if request is None else await session.get(CaptionTrack, uuid.UUID(request.track_id))
        if track is None or request is None:
            return
        await session.execute(delete(CaptionProposal).where(CaptionProposal.track_id == track.id))
        proposal = CaptionProposal(
            id=job.id,
            track_id=track.id,
            user_id=job.user_id,
            spans=[list(span) for span in request.spans],
            words=[word_to_json(word) for word in result.words],
        )
        session.add(proposal)
        await _announce(session, job, Action.COMPLETED, progress=100)

    async def on_failed(self, session: AsyncSession, job: Job, failure: StageFailed) -> None:
        await _announce(session, job, Action.FAILED, reason=failure.reason)

    async def on_cancelled(self, session: AsyncSession, job: Job) -> None:
        await _announce(session, job, Action.ABANDONED)


async def _announce(
    session: AsyncSession, job: Job, action: Action, *, progress: int = 0, reason: str | None = None
) -> None:
    if (file := await session.get(File, job.subject_id)) is not None:
        add_event(session, await notice_of_rerun(session, file, action, progress=progress, reason=reason))


RETRANSCRIBE_JOB = JobType(
    kind=JobKind.RETRANSCRIBE,
    title=Message("reruns.title", "Transcribing lines again"),
    request=RetranscribeRequest,
    result=RetranscribeResult,
    flow=RETRANSCRIBE,
    cpus=WAITING_TASK_CPUS,
    handler=RetranscribeHandler(),
    price=Price(Message("reruns.price", "Transcription of lines"), Fraction(1)),
    has_model=True,
    summary_fields=("language", "duration_ms", "beam_size"),
)
JOB_TYPES: tuple[AnyJobType, ...] = (RETRANSCRIBE_JOB,)
