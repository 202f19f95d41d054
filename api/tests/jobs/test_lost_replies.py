"""The reply to a commit can get lost: an accepted result stays, any other is removed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.db.engine import Database, Staging
from api.platform.jobs.attempts.attempt import RunningAttempt
from api.platform.jobs.attempts.ticks import Ticks
from api.platform.jobs.attempts.tools import Tools
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobState
from api.platform.realtime.publisher import Publisher
from api.platform.settings import ApiSettings
from api.testing.jobs.job_queue import Jobs, Recorder, recorded
from cluster.storage.folder import LocalStorage
from pipelines.flows.tasks import storage_prefix
from pipelines.messages.attempt import Result
from pipelines.messages.results import ExportResult


class BreakingDatabase(Database):
    """Break the connection right after the next transaction commits."""

    breaks = False

    @asynccontextmanager
    async def write(self, staging: Staging | None = None) -> AsyncIterator[AsyncSession]:
        async with super().write(staging) as session:
            yield session
        if self.breaks:
            self.breaks = False
            raise OperationalError("COMMIT", None, ConnectionError("the server closed the connection"))


class FinishedAttempt:
    """An attempt with a finished result, and the object it produced."""

    def __init__(self, job: Job, database: BreakingDatabase, recorder: Recorder, data_dir: Path) -> None:
        settings = ApiSettings(data_dir=data_dir)
        self.storage = LocalStorage(settings.storage_root)
        self.key = f"{storage_prefix(str(job.id), job.fence)}/made.mp4"
        source = data_dir / "made.mp4"
        source.write_bytes(b"a video")
        self.storage.put(source, self.key)
        ticks = Ticks(Publisher(settings))
        self.attempt = RunningAttempt(Tools(settings, database, self.storage, ticks), recorded(recorder)[job.kind], job)

    async def end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        async def outcome() -> Result:
            return Result(ExportResult(export_key=self.key, size_bytes=7))

        monkeypatch.setattr(self.attempt, "_outcome", outcome)
        await self.attempt.run()


@pytest.fixture
async def breaking(jobs: Jobs) -> AsyncIterator[BreakingDatabase]:
    database = BreakingDatabase(str(jobs.database.engine.url.render_as_string(hide_password=False)))
    yield database
    await database.close()


async def test_a_result_that_was_accepted_is_kept(
    jobs: Jobs, breaking: BreakingDatabase, recorder: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = await jobs.put("export")
    made = FinishedAttempt(await jobs.claimed(), breaking, recorder, tmp_path)
    breaking.breaks = True
    await made.end(monkeypatch)
    assert not breaking.breaks, "the answer was not lost, so nothing was tried"
    assert (await jobs.get(job_id)).state == JobState.DONE
    assert made.storage.exists(made.key)
    assert [what for what, _ in recorder.seen] == ["done"]


async def test_a_result_that_came_too_late_is_removed(
    jobs: Jobs, breaking: BreakingDatabase, recorder: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = await jobs.put("export")
    made = FinishedAttempt(await jobs.claimed(), breaking, recorder, tmp_path)
    await jobs.expire(job_id)
    await jobs.claimed("another")
    await made.end(monkeypatch)
    assert (await jobs.get(job_id)).state == JobState.RUNNING
    assert not made.storage.exists(made.key)
    assert recorder.seen == []
