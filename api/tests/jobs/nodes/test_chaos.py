"""Real dispatcher processes, a real Ray head and real ffmpeg, killed in the middle of a job.

Whatever dies, the job must end, take effect once, and leave no program or file of a dead attempt.
"""

from __future__ import annotations

import asyncio
import os
import signal
import uuid
from datetime import timedelta

import pytest

from api.content.files.models import File, FileStatus
from api.content.preparation.work import ingest_work
from api.platform.db import clock
from api.platform.jobs.limits import SHUTDOWN_S
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState
from api.testing.jobs.installation import Head, Installation, name_of, only_sqlite, parent_of
from cluster.testing.patience import PATIENCE_S


async def assert_encoded_once(installation: Installation, file: File, job_id: uuid.UUID, *, attempt: int) -> None:
    job = await installation.until(job_id, JobState.DONE, JobState.FAILED)
    assert (job.state, job.attempt, job.progress) == (JobState.DONE, attempt, 100), job.error
    async with installation.database.read() as session:
        encoded = await session.get_one(File, file.id)
    assert job.result is not None
    assert encoded.playback_key == job.result["playback_key"]
    assert installation.stored(job_id) == [str(encoded.playback_key).removeprefix("jobs/")]
    assert await installation.announced(file, "Completed") == 1
    assert await installation.announced(file, "Failed") == 0
    await installation.media_processes_end(job_id)


async def expire(installation: Installation, job_id: uuid.UUID) -> None:
    """End the lease now instead of waiting."""
    async with installation.database.write() as session:
        job = await session.get_one(Job, job_id)
        job.lease_until = clock.now(-1)


@pytest.mark.long
@only_sqlite
async def test_a_killed_dispatcher_loses_nothing(installation: Installation) -> None:
    file, job_id = await installation.encoding()
    with installation.holding():
        first = installation.dispatcher()
        await installation.media_process(job_id)
        first.kill()
        first.wait()
    await installation.media_processes_end(job_id)
    assert (await installation.job(job_id)).state == JobState.RUNNING
    installation.dispatcher()
    await expire(installation, job_id)
    await assert_encoded_once(installation, file, job_id, attempt=2)


@pytest.mark.long
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_suspended_dispatcher_resumes_too_late(installation: Installation) -> None:
    """On SQLite a process suspended inside a transaction blocks all writers until it resumes or is killed."""
    file, job_id = await installation.encoding()
    with installation.holding():
        suspended = installation.dispatcher()
        await installation.media_process(job_id)
        suspended.send_signal(signal.SIGSTOP)
        await expire(installation, job_id)
        installation.dispatcher()
        await installation.when(job_id, lambda job: job.attempt == 2)
    # Now both attempts run. The first one's dispatcher resumes and finds out at its next write.
    suspended.send_signal(signal.SIGCONT)
    await assert_encoded_once(installation, file, job_id, attempt=2)
    await installation.logged("job.lease_lost")


@pytest.mark.long
@only_sqlite
async def test_a_killed_worker_or_ffmpeg_counts_as_one_failed_attempt(installation: Installation) -> None:
    first, second = await installation.encoding(), await installation.encoding()
    with installation.holding():
        installation.dispatcher()
        worker = await installation.media_process(first[1])
        os.kill(await installation.media_process(second[1]), signal.SIGKILL)
        while not name_of(worker).startswith("ray::"):
            worker = parent_of(worker)
        os.kill(worker, signal.SIGKILL)
    await asyncio.gather(
        installation.when(first[1], lambda job: job.error_code == "infrastructure"),
        installation.when(second[1], lambda job: job.error_code == "stage"),
    )
    for file, job_id in (first, second):
        await assert_encoded_once(installation, file, job_id, attempt=2)


@pytest.mark.long
@only_sqlite
async def test_the_dispatcher_rejoins_a_cluster_that_died(installation: Installation, head: Head) -> None:
    file, job_id = await installation.encoding()
    with installation.holding():
        installation.dispatcher()
        await installation.media_process(job_id)
        head.kill()
    lost = await installation.when(job_id, lambda job: job.state == JobState.READY)
    assert (lost.attempt, lost.error_code) == (1, "infrastructure")
    head.start()
    await assert_encoded_once(installation, file, job_id, attempt=2)


@pytest.mark.long
@only_sqlite
async def test_a_poison_file_fails_with_its_sentence(installation: Installation) -> None:
    file = await installation.file(FileStatus.WAITING)
    path = installation.settings.storage_root / file.original_key
    path.unlink()
    path.write_bytes(b"This is no video. " * 1000)
    job_id = await installation.enqueue(JobKind.UPLOAD, file, ingest_work(file).request)
    installation.dispatcher()
    job = await installation.until(job_id, JobState.FAILED, JobState.DONE)
    assert (job.state, job.attempt, job.error_code) == (JobState.FAILED, 1, "stage")
    assert job.error is not None
    assert job.error.endswith(".")
    async with installation.database.read() as session:
        failed = await session.get_one(File, file.id)
    assert (failed.status, failed.error) == ("failed", job.error)
    assert installation.stored(job_id) == []


@pytest.mark.long
@only_sqlite
async def test_a_stopped_dispatcher_hands_its_jobs_back(installation: Installation) -> None:
    file, job_id = await installation.encoding()
    with installation.holding():
        first = installation.dispatcher()
        await installation.media_process(job_id)
        first.terminate()
        assert await asyncio.to_thread(first.wait, PATIENCE_TO_STOP_S) == 0
    await installation.media_processes_end(job_id)
    job = await installation.job(job_id)
    assert (job.state, job.attempt, job.owner) == (JobState.READY, 0, None)
    installation.dispatcher()
    await assert_encoded_once(installation, file, job_id, attempt=1)


PATIENCE_TO_STOP_S = 10 * SHUTDOWN_S
"""An idle machine needs at most `SHUTDOWN_S`."""


@pytest.mark.long
@only_sqlite
async def test_beats_extend_the_lease_of_a_job_at_work(installation: Installation) -> None:
    file, job_id = await installation.encoding()
    with installation.holding():
        for _ in range(2):
            installation.dispatcher(lease_s=PATIENCE_S, beat_s=0.5)
        await installation.media_process(job_id)
        first = (await installation.job(job_id)).lease_until
        assert first is not None
        later = first + timedelta(seconds=2)
        await installation.when(job_id, lambda job: job.lease_until is not None and job.lease_until > later)
    await assert_encoded_once(installation, file, job_id, attempt=1)
