"""Queue the measuring of words that people wrote, where the installation has an alignment model."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.editing.saving import Change
from api.content.captions.large.change import LargeChange
from api.content.captions.models import CaptionTrack
from api.content.files.models import File
from api.people.plans.payer import priority_of
from api.platform.capabilities.queries import capability_of
from api.platform.jobs.models import Job
from api.platform.jobs.queue import enqueue
from api.platform.jobs.states import JobKind, JobState
from pipelines.messages.measure import MeasureRequest
from serve.core.capability import TaskState
from serve.tasks.alignment.messages import ALIGNMENT

_THERE = frozenset({TaskState.READY, TaskState.IDLE})
"""An idle model loads when it is needed."""
PAUSE_S = 5.0
"""After a change, so that one job measures what somebody writes in a while."""


async def measure_later(session: AsyncSession, file: File, change: Change) -> None:
    """Measure the words of a change of what was heard. One waiting job of a track does it for all changes until then.

    Translations stay: nobody speaks them. So do captions in any other language than the file's.
    """
    if file.audio_key is None or change.is_move or not _has_estimates(change):
        return
    if (await capability_of(session, ALIGNMENT)).state not in _THERE:
        return
    statement = select(CaptionTrack.id).where(
        CaptionTrack.id == change.track_id,
        CaptionTrack.source_track_id.is_(None),
        CaptionTrack.language == file.language,
    )
    if await session.scalar(statement) is None:
        return
    waits = (Job.kind == JobKind.MEASURE, Job.state == JobState.READY, Job.cancel_requested.is_(False))
    if await session.scalar(select(Job.id).where(Job.file_id == file.id, *waits).limit(1)) is None:
        request = MeasureRequest(
            file_id=str(file.id), track_id=str(change.track_id), audio_key=file.audio_key, since=change.revision - 1
        )
        await queue_measuring(session, file, request, delay_s=PAUSE_S)


async def queue_measuring(session: AsyncSession, file: File, request: MeasureRequest, *, delay_s: float = 0) -> None:
    await enqueue(
        session,
        kind=JobKind.MEASURE,
        subject_id=file.id,
        file_id=file.id,
        user_id=file.user_id,
        priority=await priority_of(session, file.user_id, file.team_id),
        dedup_key=f"{JobKind.MEASURE}:{request.track_id}:{request.since}:{request.from_ms}",
        request=request,
        delay_s=delay_s,
    )


def _has_estimates(change: Change) -> bool:
    if isinstance(change.result, LargeChange):
        return True
    return any(not word.is_measured for line in change.result.after for word in line.words)
