"""A dispatcher renews the leases of the jobs that it runs, and claims others meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from api.platform.jobs.attempts.attempt import RunningAttempt
from api.platform.jobs.attempts.ticks import Ticks
from api.platform.jobs.attempts.tools import Tools
from api.platform.jobs.dispatch.running_attempts import RunningAttempts
from api.platform.jobs.models import Job
from api.platform.realtime.publisher import Publisher
from api.platform.settings import ApiSettings
from api.testing.jobs.ends import lease_of
from api.testing.jobs.job_queue import Jobs, Recorder, recorded
from cluster.storage.opening import open_storage


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_job_claimed_during_a_renewal_keeps_its_lease(jobs: Jobs, database_url: str, tmp_path: Path) -> None:
    """Its attempt was ended as lost, and the job waited for half a minute."""
    settings = ApiSettings(data_dir=tmp_path, database_url=database_url)
    for name in ("first", "second"):
        await jobs.put(name)
    types = recorded(Recorder())
    async with Publisher(settings) as publisher:
        tools = Tools(settings, jobs.database, open_storage(settings), Ticks(publisher))
        running = RunningAttempts(tools)

        def run(job: Job) -> RunningAttempt:
            attempt = RunningAttempt(tools, types[job.kind], job)
            running._running[lease_of(job)] = (attempt, asyncio.create_task(asyncio.Event().wait()))  # type: ignore[arg-type]
            return attempt

        first = await jobs.claimed()
        run(first)
        async with jobs.database.write() as session:
            await session.execute(select(Job).where(Job.id == first.id).with_for_update())
            renewing = asyncio.create_task(running.renew())
            while not await session.scalar(select(func.count()).select_from(text("pg_locks WHERE NOT granted"))):
                await asyncio.sleep(0.01)
            second = run(await jobs.claimed())
        await renewing
        assert not second.is_stopped
        for _, task in running._running.values():
            task.cancel()
