"""The guarantees of the queue on both databases, without a dispatcher or Ray."""

from __future__ import annotations

import asyncio
import uuid
from datetime import timedelta

import pytest

from api.platform.db import clock
from api.platform.db.engine import Database
from api.platform.db.transitions import IllegalTransition
from api.platform.jobs import queue
from api.platform.jobs.limits import LEASE_S
from api.platform.jobs.models import Job
from api.platform.jobs.queue import LeaseLost
from api.platform.jobs.states import JobKind, JobState
from api.platform.jobs.transitions import JOB_STATE
from api.testing.jobs.ends import BUSY, DONE, NOT_MEDIA, fail, finish, lease_of
from api.testing.jobs.job_queue import Jobs, NumberedRequest, Recorder
from pipelines.messages.json_message import JsonMessage


async def test_the_same_key_is_one_job(jobs: Jobs) -> None:
    first = await jobs.put("same", request=NumberedRequest(key="1"))
    assert await jobs.put("same", request=NumberedRequest(key="2")) == first
    assert (await jobs.get(first)).request == {"key": "1"}


async def test_enqueuing_is_rolled_back_with_the_callers_transaction(jobs: Jobs) -> None:
    user = await jobs.user("ada")

    async def put_and_fail() -> None:
        async with jobs.database.write() as session:
            await queue.enqueue(
                session,
                kind=JobKind.UPLOAD,
                subject_id=user,
                file_id=None,
                user_id=user,
                dedup_key="k",
                request=JsonMessage(),
            )
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await put_and_fail()
    assert await jobs.claim() is None


async def test_a_claim_is_a_lease_by_the_databases_clock(jobs: Jobs) -> None:
    await jobs.put("a")
    job = await jobs.claimed("me")
    assert (job.state, job.owner, job.attempt, job.fence) == (JobState.RUNNING, "me", 1, 1)
    assert job.started_at is not None
    assert job.lease_until is not None
    assert abs(job.lease_until - job.started_at - timedelta(seconds=LEASE_S)) < timedelta(seconds=1)
    assert await jobs.claim() is None


async def test_nothing_is_claimed_before_its_time(jobs: Jobs) -> None:
    job_id = await jobs.put("a")
    await jobs.change(job_id, run_after=clock.now(60))
    assert await jobs.claim() is None


async def test_only_known_kinds_are_claimed(jobs: Jobs) -> None:
    await jobs.put("a", kind=JobKind.EXPORT)
    async with jobs.database.write() as session:
        assert await queue.claim(session, "me", [JobKind.UPLOAD]) is None
        assert await queue.claim(session, "me", [JobKind.EXPORT]) is not None


@pytest.mark.long
async def test_concurrent_claims_never_take_the_same_job(jobs: Jobs, database_url: str) -> None:
    for number in range(40):
        await jobs.put(f"{number}", user=f"user{number % 5}")
    databases = [Database(database_url) for _ in range(6)]

    async def drain(database: Database, owner: str) -> list[uuid.UUID]:
        taken = []
        misses = 0
        while misses < 3:
            async with database.write() as session:
                job = await queue.claim(session, owner)
            if job is None:
                misses += 1
            else:
                taken.append(job.id)
        return taken

    taken = await asyncio.gather(*(drain(each, f"claimer-{n}") for n, each in enumerate(databases)))
    for database in databases:
        await database.close()
    everything = [job_id for each in taken for job_id in each]
    assert len(everything) == len(set(everything)) == 40


async def test_a_lease_that_ended_is_claimed_and_the_late_attempt_changes_nothing(
    jobs: Jobs, recorder: Recorder
) -> None:
    job_id = await jobs.put("a")
    late = lease_of(await jobs.claimed("frozen"))
    await jobs.expire(job_id)
    second = await jobs.claimed("other")
    assert (second.id, second.attempt, second.fence, second.owner) == (job_id, 2, 2, "other")
    for ending in (
        finish(jobs, recorder, late),
        fail(jobs, recorder, late, BUSY),
        fail(jobs, recorder, late, NOT_MEDIA),
    ):
        with pytest.raises(LeaseLost):
            await ending
    async with jobs.database.write() as session:
        assert await queue.renew(session, [late, lease_of(second)]) == {lease_of(second)}
        with pytest.raises(LeaseLost):
            await queue.hold(session, late)
    assert recorder.seen == []
    assert await finish(jobs, recorder, lease_of(second)) == JobState.DONE
    with pytest.raises(LeaseLost):
        await finish(jobs, recorder, lease_of(second))
    job = await jobs.get(job_id)
    assert (job.state, job.result, job.progress, job.owner, job.lease_until) == (
        "done",
        DONE.to_json(),
        100,
        None,
        None,
    )
    assert recorder.seen == [("done", DONE.to_json())]


async def test_a_late_beat_extends_a_lease_that_nobody_took(jobs: Jobs, recorder: Recorder) -> None:
    job_id = await jobs.put("a")
    lease = lease_of(await jobs.claimed())
    await jobs.expire(job_id)
    async with jobs.database.write() as session:
        assert await queue.renew(session, [lease]) == {lease}
    assert await jobs.claim() is None
    assert await finish(jobs, recorder, lease) == JobState.DONE


async def test_chunks_outlive_their_attempt_and_are_stored_once(jobs: Jobs) -> None:
    job_id = await jobs.put("a")
    first = lease_of(await jobs.claimed())
    async with jobs.database.write() as session:
        assert await queue.keep_chunk(session, first, "window-0", {"text": "one"})
    await jobs.expire(job_id)
    second = lease_of(await jobs.claimed())
    async with jobs.database.write() as session:
        assert not await queue.keep_chunk(session, second, "window-0", {"text": "two"})
        assert await queue.keep_chunk(session, second, "window-1", {"text": "three"})
        assert await queue.chunks(session, job_id) == {"window-0": {"text": "one"}, "window-1": {"text": "three"}}


def test_every_step_is_in_the_table_or_raises() -> None:
    for source in JobState:
        for target in JobState:
            job = Job(state=source)
            if target in JOB_STATE.allowed[source]:
                queue.move(job, target)
                assert job.state == target
            else:
                with pytest.raises(IllegalTransition):
                    queue.move(job, target)
