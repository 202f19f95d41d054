"""The short chaos run of jobs: kill and suspend real processes, then count what was lost."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from api.content.files.models import File
from api.platform.jobs.models import Job, OutboxMessage
from api.platform.jobs.states import AttemptEnd, JobState
from api.testing.databases.database_kind import DatabaseKind
from benchmarks.soak.jobs.checker import EACH_FILE, check
from benchmarks.soak.jobs.command import run
from benchmarks.soak.jobs.installation import Installation

FILES = 6
JOBS = FILES * len(EACH_FILE)
PATIENCE_S = 900


@pytest.mark.soak
@pytest.mark.timeout(1000)
async def test_nothing_is_lost_and_nothing_takes_effect_twice() -> None:
    # `python -m benchmarks.soak jobs` does the same on SQLite, whose chaos tests are in `api/tests/jobs`.
    outcome = await run(
        DatabaseKind.POSTGRESQL,
        jobs=JOBS,
        seed=1,
        dispatchers=3,
        patience_s=PATIENCE_S,
        afterwards=the_checker_sees_what_is_wrong,
    )
    assert outcome.findings.problems == []
    assert outcome.findings.endings[AttemptEnd.DONE] == JOBS
    assert outcome.faults


async def the_checker_sees_what_is_wrong(installation: Installation) -> None:
    """The checker must see an effect announced twice, a lost job, a missing object and a surplus one."""
    installation.end_dispatchers()
    async with installation.database.write() as session:
        (job, *_) = await session.scalars(select(Job).order_by(Job.id))
        job.state = JobState.READY
        (announced,) = [
            each
            for each in await session.scalars(select(OutboxMessage))
            if each.payload["data"]["action"] == "Completed" and each.payload["data"]["queue"] == "Encoding"
        ][:1]
        session.add(OutboxMessage(topic=announced.topic, payload=dict(announced.payload)))
        (file, *_) = await session.scalars(select(File).order_by(File.id))
        stored = installation.settings.storage_root / str(file.playback_key)
        stored.rename(stored.with_name("other.m4a"))
    async with installation.database.read() as session:
        findings = " ".join((await check(session, installation.settings, FILES)).problems)
    for wrong in (f"job {job.id}", "announced 2 times", "is missing", "belongs to nobody"):
        assert wrong in findings
