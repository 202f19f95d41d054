"""Attempts that fail in ways ffmpeg cannot reproduce, on a real Ray with the real handlers."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path

import pytest
from sqlalchemy import select

from api.content.files.models import File
from api.platform.jobs import queue
from api.platform.jobs.attempts.outcomes import STALLED_FOR_GOOD
from api.platform.jobs.attempts.retries import MAX_CRASHES
from api.platform.jobs.limits import STALL_GIVE_UP_S, STALL_NOTICE_S
from api.platform.jobs.models import Job, JobAttempt, JobChunk, OutboxMessage
from api.platform.jobs.states import AttemptEnd, ErrorCode, JobKind, JobState
from api.testing.jobs.installation import Installation, only_sqlite
from api.testing.jobs.strange_flows import PARTS, PARTS_BEFORE_DEATH, Strange
from cluster.testing.patience import PATIENCE_S
from pipelines.flows.tasks import INTERNAL_ERROR

JOBS = 6


async def strange(installation: Installation, what: str) -> tuple[File, uuid.UUID]:
    file = await installation.file()
    return file, await installation.enqueue(JobKind.TRANSCRIBE, file, Strange(what=what))


@only_sqlite
async def test_finished_parts_are_stored_and_not_repeated(installation: Installation) -> None:
    file, job_id = await strange(installation, "parts")
    installation.dispatcher(flows="strange")
    job = await installation.until(job_id, JobState.DONE, JobState.FAILED)
    assert (job.state, job.attempt) == (JobState.DONE, 2)
    assert job.result is not None
    assert job.result["made"] == PARTS - PARTS_BEFORE_DEATH
    async with installation.database.read() as session:
        parts = await queue.chunks(session, job_id)
        fences = (await session.scalars(select(JobChunk.fence).order_by(JobChunk.key))).all()
        done = await session.get_one(File, file.id)
    assert list(parts) == [f"window-{number}" for number in range(PARTS)]
    assert fences == [1] * PARTS_BEFORE_DEATH + [2] * (PARTS - PARTS_BEFORE_DEATH)
    assert done.status == "completed"


@pytest.mark.long
@only_sqlite
async def test_unexpected_errors_fail_the_job_after_two_attempts(installation: Installation) -> None:
    """A flow that raises, one that ends without a result, and one whose result the domain rejects."""
    made = [await strange(installation, what) for what in ("raise", "nonsense", "ordinary")]
    installation.dispatcher(flows="strange")
    for file, job_id in made[:2]:
        job = await installation.until(job_id, JobState.FAILED, JobState.DONE)
        assert (job.state, job.attempt, job.error_code) == (JobState.FAILED, MAX_CRASHES, ErrorCode.CRASHED)
        assert job.error == INTERNAL_ERROR
        async with installation.database.read() as session:
            failed = await session.get_one(File, file.id)
        assert failed.status == "failed"
        assert INTERNAL_ERROR in str(failed.error)
    assert (await installation.until(made[2][1], JobState.DONE)).attempt == 1


@pytest.mark.long
@only_sqlite
async def test_two_dispatchers_do_each_of_many_jobs_once(installation: Installation) -> None:
    made = [await strange(installation, "ordinary") for _ in range(JOBS)]
    for _ in range(2):
        installation.dispatcher(flows="strange")
    for _, job_id in made:
        job = await installation.until(job_id, JobState.DONE, JobState.FAILED)
        assert (job.state, job.attempt, job.fence) == (JobState.DONE, 1, 1)
    async with installation.database.read() as session:
        events = (await session.scalars(select(OutboxMessage.payload))).all()
        owners = set(await session.scalars(select(Job.dedup_key)))
    assert len(owners) == JOBS
    completed = sorted(event["data"]["slug"] for event in events if event["data"]["action"] == "Completed")
    assert completed == sorted(file.slug for file, _ in made)


@pytest.mark.long
@only_sqlite
async def test_a_stalled_attempt_is_announced_and_then_ended(installation: Installation, tmp_path: Path) -> None:
    """By a clock that the test sets, so that nothing stalls because the machine is busy."""
    go_on = tmp_path / "go on"
    file = await installation.file()
    job_id = await installation.enqueue(JobKind.TRANSCRIBE, file, Strange(what="still", until=str(go_on)))
    set_clock(tmp_path, 0)
    installation.dispatcher(flows="strange", stall_clock=tmp_path / "clock")
    await installation.when(job_id, lambda job: job.progress_done == 1)
    set_clock(tmp_path, STALL_NOTICE_S + 1)
    await until_stalls(installation, [True])
    go_on.touch()
    await until_stalls(installation, [True, False])
    set_clock(tmp_path, 2 * STALL_NOTICE_S + 2)
    await until_stalls(installation, [True, False, True])
    set_clock(tmp_path, STALL_NOTICE_S + STALL_GIVE_UP_S + 2)
    job = await installation.until(job_id, JobState.DONE, JobState.FAILED)
    assert (job.state, job.attempt) == (JobState.DONE, 2)
    async with installation.database.read() as session:
        ends = (await session.scalars(select(JobAttempt).order_by(JobAttempt.fence))).all()
    assert [attempt.ending for attempt in ends] == [AttemptEnd.RETRIED, AttemptEnd.DONE]
    assert ends[0].note == STALLED_FOR_GOOD
    assert await stalls(installation) == [True, False, True]


def set_clock(folder: Path, seconds: float) -> None:
    draft = folder / "clock.draft"
    draft.write_text(str(seconds))
    draft.replace(folder / "clock")


async def until_stalls(installation: Installation, announced: list[bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while await stalls(installation) != announced:
            await asyncio.sleep(0.05)


async def stalls(installation: Installation) -> list[bool]:
    """Every event that reports the beginning or the end of a stall."""
    async with installation.database.read() as session:
        events = (await session.scalars(select(OutboxMessage.payload).order_by(OutboxMessage.id))).all()
    return [event["data"]["stalled"] for event in events if "stalled" in event.get("data", {})]
