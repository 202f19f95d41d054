"""Ways for a test to end its attempt."""

from __future__ import annotations

from api.platform.jobs.attempts import endings
from api.platform.jobs.models import Job
from api.platform.jobs.queue import Lease
from api.platform.jobs.states import ErrorCode, JobState
from api.testing.jobs.job_queue import Jobs, Recorder
from pipelines.messages.attempt import StageFailed
from pipelines.messages.results import ExportResult

DONE = ExportResult(export_key="made", size_bytes=1)
BUSY = StageFailed("model", "The model is busy.", retryable=True)
NOT_MEDIA = StageFailed("probe", "This is not a video.", retryable=False)


def lease_of(job: Job) -> Lease:
    return Lease(job.id, job.fence)


async def finish(jobs: Jobs, recorder: Recorder, lease: Lease) -> JobState:
    async with jobs.database.write() as session:
        return await endings.finish(session, recorder, lease, DONE)


async def fail(
    jobs: Jobs, recorder: Recorder, lease: Lease, why: StageFailed, code: ErrorCode = ErrorCode.STAGE
) -> JobState:
    async with jobs.database.write() as session:
        return await endings.fail(session, recorder, lease, why, code)
