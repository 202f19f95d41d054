"""A dispatcher that stops keeps what the models still finish, and its jobs take nothing new."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from sqlalchemy import select

from api.platform.jobs.limits import SHUTDOWN_S
from api.platform.jobs.models import JobChunk
from api.platform.jobs.states import JobKind, JobState
from api.testing.jobs.installation import Installation, only_sqlite
from api.testing.jobs.strange_flows import PARTS, Strange

STOPS_WITHIN_S = 10 * SHUTDOWN_S


@only_sqlite
async def test_what_a_model_works_on_is_kept_when_its_dispatcher_stops(installation: Installation) -> None:
    file = await installation.file()
    job_id = await installation.enqueue(JobKind.TRANSCRIBE, file, Strange(what="windows"))
    first = installation.dispatcher(flows="strange", drain_s=20)
    await until(lambda: has_begun(installation, job_id))
    first.terminate()
    assert await asyncio.to_thread(first.wait, STOPS_WITHIN_S) == 0
    job = await installation.job(job_id)
    assert (job.state, job.attempt, job.owner) == (JobState.READY, 0, None)
    assert await made_by(installation) == {"window-0": 1}
    installation.dispatcher(flows="strange")
    job = await installation.until(job_id, JobState.DONE, JobState.FAILED)
    assert (job.state, job.attempt) == (JobState.DONE, 1)
    assert await made_by(installation) == {"window-0": 1, **{f"window-{n}": 2 for n in range(1, PARTS)}}


async def has_begun(installation: Installation, job_id: object) -> bool:
    return (await installation.job(job_id)).phase != ""  # type: ignore[arg-type]


async def made_by(installation: Installation) -> dict[str, int]:
    async with installation.database.read() as session:
        return dict((await session.execute(select(JobChunk.key, JobChunk.fence))).tuples().all())


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(STOPS_WITHIN_S):
        while not await condition():
            await asyncio.sleep(0.1)
