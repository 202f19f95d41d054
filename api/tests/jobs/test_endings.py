"""How attempts end, on both databases."""

from __future__ import annotations

import pytest

from api.platform.db import clock
from api.platform.jobs import queue
from api.platform.jobs.attempts import endings
from api.platform.jobs.attempts.retries import BACK_OFF_S, JITTER, MAX_ATTEMPTS, MAX_CRASHES, OVERLOAD_ENDS_S
from api.platform.jobs.models import Job
from api.platform.jobs.states import ErrorCode, JobKind, JobState
from api.testing.jobs.ends import BUSY, NOT_MEDIA, fail, finish, lease_of
from api.testing.jobs.job_queue import Jobs, Recorder
from pipelines.messages.attempt import StageFailed
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.results import FlowResult


async def test_a_job_and_its_children_are_committed_together_or_not_at_all(jobs: Jobs, recorder: Recorder) -> None:
    job_id = await jobs.put("parent")
    lease = lease_of(await jobs.claimed())

    class Failing(Recorder):
        async def on_done(self, session: object, job: Job, result: FlowResult) -> None:
            await queue.enqueue(
                session,  # type: ignore[arg-type]
                kind=JobKind.ENCODING,
                subject_id=job.subject_id,
                file_id=None,
                user_id=job.user_id,
                dedup_key="child",
                request=JsonMessage(),
                parent_id=job.id,
            )
            if not self.seen:
                self.seen.append(("failed once", None))
                raise ZeroDivisionError

    handler = Failing()
    with pytest.raises(ZeroDivisionError):
        await finish(jobs, handler, lease)
    assert (await jobs.get(job_id)).state == JobState.RUNNING
    assert await jobs.claim() is None, "a child came without its parent's end"
    assert await finish(jobs, handler, lease) == JobState.DONE
    child = await jobs.claimed()
    assert (child.dedup_key, child.parent_id) == ("child", job_id)


async def attempts_until_failed(jobs: Jobs, recorder: Recorder, why: StageFailed, code: ErrorCode) -> int:
    job_id = await jobs.put(f"{code}-{why.retryable}")
    for attempt in range(1, 20):
        job = await jobs.claimed()
        assert job.attempt == attempt
        if await fail(jobs, recorder, lease_of(job), why, code) == JobState.FAILED:
            ended = await jobs.get(job_id)
            assert (ended.state, ended.error, ended.error_code) == (JobState.FAILED, why.reason, code)
            assert ended.finished_at is not None
            return attempt
        waiting = await jobs.get(job_id)
        assert waiting.state == JobState.READY
        assert await jobs.claim() is None, "it must wait before it is tried again"
        now = await jobs.now()
        expected = BACK_OFF_S[min(attempt, len(BACK_OFF_S)) - 1]
        assert expected - 5 < (waiting.run_after - now).total_seconds() <= expected * (1 + JITTER)
        await jobs.change(job_id, run_after=clock.now())
    raise AssertionError("it never failed")


@pytest.mark.long
async def test_each_error_code_has_its_number_of_attempts(jobs: Jobs, recorder: Recorder) -> None:
    assert await attempts_until_failed(jobs, recorder, NOT_MEDIA, ErrorCode.STAGE) == 1
    assert await attempts_until_failed(jobs, recorder, BUSY, ErrorCode.CRASHED) == MAX_CRASHES == 2
    assert await attempts_until_failed(jobs, recorder, BUSY, ErrorCode.STAGE) == MAX_ATTEMPTS == 5
    assert await attempts_until_failed(jobs, recorder, BUSY, ErrorCode.INFRASTRUCTURE) == MAX_ATTEMPTS
    assert recorder.seen == [("failed", NOT_MEDIA.reason), *[("failed", BUSY.reason)] * 3]


@pytest.mark.long
async def test_a_job_waits_for_a_model_without_room_and_fails_only_after_a_day(jobs: Jobs, recorder: Recorder) -> None:
    job_id = await jobs.put("a")
    for _ in range(2 * MAX_ATTEMPTS):
        job = await jobs.claimed()
        assert job.attempt == 1
        assert await fail(jobs, recorder, lease_of(job), BUSY, ErrorCode.OVERLOADED) == JobState.READY
        assert await jobs.claim() is None, "it must wait before it is tried again"
        await jobs.change(job_id, run_after=clock.now())
    await jobs.change(job_id, created_at=clock.now(-OVERLOAD_ENDS_S - 1))
    for attempt in range(1, MAX_ATTEMPTS + 1):
        job = await jobs.claimed()
        assert job.attempt == attempt
        await fail(jobs, recorder, lease_of(job), BUSY, ErrorCode.OVERLOADED)
        await jobs.change(job_id, run_after=clock.now())
    assert (await jobs.get(job_id)).state == JobState.FAILED


async def test_a_job_fails_even_if_its_handler_does(jobs: Jobs) -> None:
    class Broken(Recorder):
        async def on_failed(self, session: object, job: Job, failure: StageFailed) -> None:
            raise ZeroDivisionError

    job_id = await jobs.put("a")
    lease = lease_of(await jobs.claimed())
    assert await fail(jobs, Broken(), lease, NOT_MEDIA) == JobState.FAILED
    assert (await jobs.get(job_id)).error == NOT_MEDIA.reason


async def test_a_job_handed_back_is_ready_and_the_attempt_does_not_count(jobs: Jobs) -> None:
    job_id = await jobs.put("a")
    lease = lease_of(await jobs.claimed("stopping"))
    async with jobs.database.write() as session:
        await endings.hand_back(session, lease)
    job = await jobs.claimed("other")
    assert (job.id, job.attempt, job.fence) == (job_id, 1, 2)
