"""Cancelling jobs of real processes in every state: the job ends, and so do its programs.

Leases are far longer than the tests wait, so that nothing here ends because a lease did.
"""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from api.content.files.models import File, FileStatus
from api.content.preparation.work import ingest_work
from api.job_types import JOB_TYPES
from api.platform.db.engine import Database
from api.platform.jobs import queue, service
from api.platform.jobs.states import JobKind, JobState
from api.platform.settings import ApiSettings
from api.testing.jobs.installation import Installation, media_processes, only_sqlite
from api.testing.jobs.strange_flows import Strange

LONG_S = 600.0


async def _cancel(installation: Installation, file: File) -> None:
    async with installation.database.write() as session:
        assert await service.cancel(session, JOB_TYPES, service.of_files([file.id])) == 1


async def _strange(installation: Installation, what: str) -> tuple[File, uuid.UUID]:
    file = await installation.file()
    return file, await installation.enqueue(JobKind.TRANSCRIBE, file, Strange(what=what))


@only_sqlite
async def test_cancelling_a_running_job_ends_its_programs_and_leaves_no_file(installation: Installation) -> None:
    file, job_id = await installation.encoding()
    with installation.holding():
        installation.dispatcher()
        await installation.media_process(job_id)
        await _cancel(installation, file)
        await installation.until(job_id, JobState.CANCELLED)
    assert media_processes(job_id) == []
    assert installation.stored(job_id) == []
    assert await installation.announced(file, "Completed") == 0


@pytest.mark.long
@only_sqlite
async def test_cancelling_while_a_file_is_prepared(installation: Installation) -> None:
    file = await installation.file(FileStatus.WAITING)
    job_id = await installation.enqueue(JobKind.UPLOAD, file, ingest_work(file).request)
    installation.dispatcher(lease_s=LONG_S)
    await installation.when(job_id, lambda job: job.state == JobState.RUNNING)
    await _cancel(installation, file)
    await installation.until(job_id, JobState.CANCELLED)
    await installation.media_processes_end(job_id)
    assert installation.stored(job_id) == []


@pytest.mark.long
@only_sqlite
async def test_an_attempt_that_ignores_cancellation_is_killed(installation: Installation) -> None:
    file, job_id = await _strange(installation, "deaf")
    installation.dispatcher(lease_s=LONG_S, flows="strange")
    await installation.when(job_id, lambda job: job.phase != "")
    await _cancel(installation, file)
    await installation.until(job_id, JobState.CANCELLED)


@pytest.mark.long
@only_sqlite
async def test_another_dispatcher_ends_the_cancelled_job_of_a_dead_one(installation: Installation) -> None:
    file, job_id = await installation.encoding()
    with installation.holding():
        dead = installation.dispatcher(lease_s=LONG_S)
        await installation.media_process(job_id)
        dead.kill()
        dead.wait()
        installation.dispatcher(lease_s=LONG_S)
        await _cancel(installation, file)
        job = await installation.until(job_id, JobState.CANCELLED)
    assert job.attempt == 1, "it was ended and not begun again"
    await installation.media_processes_end(job_id)


@pytest.fixture
async def without_ray(tmp_path: Path, clip: Path, database_url: str) -> AsyncIterator[Installation]:
    settings = ApiSettings(data_dir=tmp_path / "data", database_url=database_url)
    settings.data_dir.mkdir()
    database = Database(settings.db_url)
    made = Installation(settings, database, clip)
    yield made
    made.end()
    await database.close()


@pytest.mark.long
async def test_jobs_are_cancelled_without_ray(without_ray: Installation) -> None:
    file, job_id = await without_ray.encoding()
    async with without_ray.database.write() as session:
        assert await queue.claim(session, "a dispatcher that died with its cluster") is not None
    without_ray.dispatcher()
    await without_ray.logged("dispatcher.waiting_for_ray")
    await _cancel(without_ray, file)
    await without_ray.until(job_id, JobState.CANCELLED)
    assert media_processes(job_id) == []
