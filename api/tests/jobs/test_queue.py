"""The queue's promises, on both databases, with no dispatcher and no Ray."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from datetime import timedelta

import pytest

from api.db.engine import Database
from api.jobs import clock, endings, queue, service
from api.jobs.limits import BACK_OFF_S, LEASE_S, MAX_ATTEMPTS, MAX_CRASHES
from api.jobs.models import Job
from api.jobs.queue import Lease, LeaseLost
from api.jobs.states import ALLOWED, ErrorCode, JobKind, JobState
from api.tests.jobs.conftest import Jobs, Recorder
from pipelines.flows.messages import Result, StageFailed

DONE = Result({"made": "it"})
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


async def test_the_same_key_is_one_job(jobs: Jobs) -> None:
    first = await jobs.put("same", request={"version": 1})
    assert await jobs.put("same", request={"version": 2}) == first
    assert (await jobs.get(first)).request == {"version": 1}


async def test_enqueuing_is_undone_with_the_callers_transaction(jobs: Jobs) -> None:
    user = await jobs.user("ada")

    async def put_and_fail() -> None:
        async with jobs.database.write() as session:
            await queue.enqueue(session, kind=JobKind.UPLOAD, subject_id=user, user_id=user, dedup_key="k", request={})
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


async def test_many_files_of_one_user_delay_another_by_one_job_at_most(jobs: Jobs) -> None:
    for number in range(30):
        await jobs.put(f"ada-{number:02}")
    await jobs.put("bob-1", user="bob")
    await jobs.put("bob-2", user="bob")
    order = [(await jobs.claimed()).request["key"] for _ in range(6)]
    assert order[0] == "ada-00"
    assert order[1:4] == ["bob-1", "ada-01", "bob-2"] or order[1:4] == ["bob-1", "bob-2", "ada-01"]
    assert order[4:] == ["ada-02", "ada-03"]


async def test_users_take_turns_when_one_slot_is_free(jobs: Jobs, recorder: Recorder) -> None:
    """Nobody has anything running at the moment of a claim, so the one served longest ago is next."""
    for number in range(4):
        for user in ("ada", "bob", "eve"):
            await jobs.put(f"{user}-{number}", user=user)
    order = []
    for _ in range(9):
        job = await jobs.claimed()
        order.append(job.request["key"].split("-")[0])
        await finish(jobs, recorder, lease_of(job))
    assert [Counter(order[start : start + 3]) for start in (0, 3, 6)] == [Counter(("ada", "bob", "eve"))] * 3


async def test_within_a_user_priority_goes_before_age(jobs: Jobs, recorder: Recorder) -> None:
    for key, priority in (("old", 0), ("urgent", 5), ("new", 0)):
        await jobs.put(key, priority=priority)
    assert [(await jobs.claimed()).request["key"] for _ in range(3)] == ["urgent", "old", "new"]


async def test_claimers_side_by_side_never_take_the_same_job(jobs: Jobs, database_url: str) -> None:
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
    assert (job.state, job.result, job.progress, job.owner, job.lease_until) == ("done", DONE.payload, 100, None, None)
    assert recorder.seen == [("done", DONE.payload)]


async def test_a_late_beat_saves_a_lease_nobody_took(jobs: Jobs, recorder: Recorder) -> None:
    job_id = await jobs.put("a")
    lease = lease_of(await jobs.claimed())
    await jobs.expire(job_id)
    async with jobs.database.write() as session:
        assert await queue.renew(session, [lease]) == {lease}
    assert await jobs.claim() is None
    assert await finish(jobs, recorder, lease) == JobState.DONE


async def test_finishing_puts_children_in_or_neither(jobs: Jobs, recorder: Recorder) -> None:
    job_id = await jobs.put("parent")
    lease = lease_of(await jobs.claimed())

    class Failing(Recorder):
        async def on_done(self, session: object, job: Job, value: Result) -> None:
            await queue.enqueue(
                session,  # type: ignore[arg-type]
                kind=JobKind.ENCODING,
                subject_id=job.subject_id,
                user_id=job.user_id,
                dedup_key="child",
                request={},
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
        assert expected - 5 < (waiting.run_after - now).total_seconds() <= expected
        await jobs.change(job_id, run_after=clock.now())
    raise AssertionError("it never failed")


async def test_each_kind_of_failure_has_its_number_of_attempts(jobs: Jobs, recorder: Recorder) -> None:
    assert await attempts_until_failed(jobs, recorder, NOT_MEDIA, ErrorCode.STAGE) == 1
    assert await attempts_until_failed(jobs, recorder, BUSY, ErrorCode.CRASHED) == MAX_CRASHES == 2
    assert await attempts_until_failed(jobs, recorder, BUSY, ErrorCode.STAGE) == MAX_ATTEMPTS == 5
    assert await attempts_until_failed(jobs, recorder, BUSY, ErrorCode.INFRASTRUCTURE) == MAX_ATTEMPTS
    assert recorder.seen == [("failed", NOT_MEDIA.reason), *[("failed", BUSY.reason)] * 3]


async def test_a_job_fails_even_when_its_domain_cannot_follow(jobs: Jobs) -> None:
    class Broken(Recorder):
        async def on_failed(self, session: object, job: Job, value: StageFailed) -> None:
            raise ZeroDivisionError

    job_id = await jobs.put("a")
    lease = lease_of(await jobs.claimed())
    assert await fail(jobs, Broken(), lease, NOT_MEDIA) == JobState.FAILED
    assert (await jobs.get(job_id)).error == NOT_MEDIA.reason


async def test_a_waiting_job_is_cancelled_at_once(jobs: Jobs, recorder: Recorder) -> None:
    subject = uuid.uuid4()
    job_id = await jobs.put("a", subject_id=subject)
    await jobs.put("other")
    async with jobs.database.write() as session:
        assert await service.cancel(session, [subject], handlers={"upload": recorder}) == 1
        assert await service.cancel(session, [subject], handlers={"upload": recorder}) == 0
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
        assert await service.cancel(session, [subject], handlers={"upload": recorder}) == 1
    assert (await jobs.get(job_id)).state == JobState.RUNNING
    state = await (finish(jobs, recorder, lease) if ending == "finish" else fail(jobs, recorder, lease, BUSY))
    assert state == (await jobs.get(job_id)).state == JobState.CANCELLED
    assert recorder.seen == [("cancelled", None)]


async def test_a_person_may_start_a_failed_or_cancelled_job_again(jobs: Jobs, recorder: Recorder) -> None:
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


async def test_a_job_handed_back_is_ready_and_not_counted(jobs: Jobs) -> None:
    job_id = await jobs.put("a")
    lease = lease_of(await jobs.claimed("stopping"))
    async with jobs.database.write() as session:
        await endings.hand_back(session, lease)
    job = await jobs.claimed("other")
    assert (job.id, job.attempt, job.fence) == (job_id, 1, 2)


async def test_chunks_outlive_their_attempt_and_are_kept_once(jobs: Jobs) -> None:
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


def test_every_move_is_in_the_table_or_refused() -> None:
    for source in JobState:
        for target in JobState:
            job = Job(state=source)
            if target in ALLOWED[source]:
                queue.move(job, target)
                assert job.state == target
            else:
                with pytest.raises(queue.NotAllowed):
                    queue.move(job, target)
