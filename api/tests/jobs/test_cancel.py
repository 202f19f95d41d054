"""Stopping and restarting a job, on both databases."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from api.platform.jobs import queue, service
from api.platform.jobs.attempts import endings
from api.platform.jobs.attempts.attempt import RunningAttempt
from api.platform.jobs.attempts.ticks import Ticks
from api.platform.jobs.attempts.tools import Tools
from api.platform.jobs.limits import CANCEL_LEASE_S
from api.platform.jobs.queue import LeaseLost
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.publisher import Publisher
from api.platform.settings import ApiSettings
from api.testing.jobs.ends import BUSY, NOT_MEDIA, fail, finish, lease_of
from api.testing.jobs.job_queue import Jobs, Recorder, recorded
from cluster.storage.opening import open_storage


async def test_a_waiting_job_is_cancelled_at_once(jobs: Jobs, recorder: Recorder) -> None:
    subject = uuid.uuid4()
    job_id = await jobs.put("a", subject_id=subject)
    await jobs.put("other")
    async with jobs.database.write() as session:
        assert await service.cancel(session, recorded(recorder), service.of_subject(subject, JobKind.UPLOAD)) == 1
        assert await service.cancel(session, recorded(recorder), service.of_subject(subject, JobKind.UPLOAD)) == 0
    assert (await jobs.get(job_id)).state == JobState.CANCELLED
    assert recorder.seen == [("cancelled", None)]
    assert (await jobs.claimed()).dedup_key == "other"


@pytest.mark.parametrize("ending", ["finish", "fail"])
async def test_a_running_job_that_was_cancelled_never_ends_otherwise(
    jobs: Jobs, recorder: Recorder, ending: str
) -> None:
    subject = uuid.uuid4()
    job_id = await jobs.put("a", subject_id=subject)
    lease = lease_of(await jobs.claimed())
    async with jobs.database.write() as session:
        assert await service.cancel(session, recorded(recorder), service.of_subject(subject, JobKind.UPLOAD)) == 1
    assert (await jobs.get(job_id)).state == JobState.RUNNING
    state = await (finish(jobs, recorder, lease) if ending == "finish" else fail(jobs, recorder, lease, BUSY))
    assert state == (await jobs.get(job_id)).state == JobState.CANCELLED
    assert recorder.seen == [("cancelled", None)]


async def test_a_person_may_restart_a_failed_or_cancelled_job(jobs: Jobs, recorder: Recorder) -> None:
    job_id = await jobs.put("a")

    async def retry() -> bool:
        async with jobs.database.write() as session:
            return await service.retry(session, job_id)

    assert not await retry()
    await fail(jobs, recorder, lease_of(await jobs.claimed()), NOT_MEDIA)
    assert await retry()
    job = await jobs.claimed()
    assert (job.id, job.attempt, job.fence, job.error, job.cancel_requested) == (job_id, 1, 2, None, False)
    assert not await retry()


async def _cancel(jobs: Jobs, job_id: uuid.UUID, recorder: Recorder) -> None:
    subject = (await jobs.get(job_id)).subject_id
    async with jobs.database.write() as session:
        assert await service.cancel(session, recorded(recorder), service.of_subject(subject, JobKind.UPLOAD)) == 1


async def test_a_job_that_waits_for_a_retry_is_cancelled_at_once(jobs: Jobs, recorder: Recorder) -> None:
    job_id = await jobs.put("a")
    assert await fail(jobs, recorder, lease_of(await jobs.claimed()), BUSY) == JobState.READY
    await _cancel(jobs, job_id, recorder)
    assert (await jobs.get(job_id)).state == JobState.CANCELLED


async def test_a_job_whose_lease_ended_is_cancelled_at_once_and_its_late_attempt_changes_nothing(
    jobs: Jobs, recorder: Recorder
) -> None:
    job_id = await jobs.put("a")
    late = lease_of(await jobs.claimed())
    await jobs.expire(job_id)
    await _cancel(jobs, job_id, recorder)
    job = await jobs.get(job_id)
    assert (job.state, job.owner, job.finished_at is not None) == (JobState.CANCELLED, None, True)
    with pytest.raises(LeaseLost):
        await finish(jobs, recorder, late)
    assert recorder.seen == [("cancelled", None)]


async def test_a_cancelled_job_of_a_dead_owner_ends_with_its_shortened_lease(jobs: Jobs, recorder: Recorder) -> None:
    job_id = await jobs.put("a")
    lease = lease_of(await jobs.claimed())
    await _cancel(jobs, job_id, recorder)
    async with jobs.database.write() as session:
        assert await queue.renew(session, [lease]) == {lease}, "the owner still holds it and may end it"
        assert await endings.cancel_orphans(session, recorded(recorder)) == 0
    job = await jobs.get(job_id)
    assert job.lease_until is not None
    assert (job.lease_until - await jobs.now()).total_seconds() <= CANCEL_LEASE_S
    await jobs.expire(job_id)
    async with jobs.database.write() as session:
        assert await endings.cancel_orphans(session, recorded(recorder)) == 1
    assert (await jobs.get(job_id)).state == JobState.CANCELLED
    assert recorder.seen == [("cancelled", None)]


async def test_a_job_cancelled_between_its_claim_and_its_start_shows_nothing(
    jobs: Jobs, recorder: Recorder, tmp_path: Path
) -> None:
    job_id = await jobs.put("one")
    job = await jobs.claimed()
    async with jobs.database.write() as session:
        assert await service.cancel(session, recorded(recorder), service.of_subject(job.subject_id, job.kind)) == 1
    settings = ApiSettings(data_dir=tmp_path)
    async with Publisher(settings) as publisher:
        tools = Tools(settings, jobs.database, open_storage(settings), Ticks(publisher))
        async with jobs.database.write() as session:
            await RunningAttempt(tools, recorded(recorder)[job.kind], job)._start(session)
    assert recorder.seen == []
    assert (await jobs.get(job_id)).cancel_requested
