"""The minutes of a plan that a live recording takes: reserved bit by bit while it runs, charged when it is kept."""

from __future__ import annotations

import uuid

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.content.live.errors import OUT_OF_MINUTES
from api.content.live.models import LiveSession
from api.people.ledger.errors import QuotaExceeded
from api.people.ledger.service import reserve
from api.people.plans.payer import payer_of
from api.platform.jobs.models import Job

_STEPS_S = (600, 300, 120, 60)
"""What is reserved at once. Who has less gets the largest of these that is there."""
WARN_S = 300
"""People learn this long before that their minutes end; until then more are reserved."""


async def reserve_first(session: AsyncSession, job: Job, file: File) -> int:
    """Reserve the first minutes. Returns the seconds; raises `QuotaExceeded` without a minute."""
    return await _reserve(session, job, file)


def needs_more(live: LiveSession, recorded_ms: int) -> bool:
    """Whether more must be reserved now."""
    reserved_ms = live.reserved_s * 1000
    return reserved_ms - recorded_ms <= WARN_S * 1000 and reserved_ms < live.ends_at_ms


async def reserve_more(session: AsyncSession, job: Job, file: File, live: LiveSession) -> None:
    """Reserve more while it runs. Where there is no more, it ends when the reserved minutes do."""
    try:
        live.reserved_s += await _reserve(session, job, file)
    except QuotaExceeded:
        live.ends_at_ms, live.ends_why = live.reserved_s * 1000, OUT_OF_MINUTES


async def _reserve(session: AsyncSession, job: Job, file: File) -> int:
    payer_id = await payer_of(session, file.user_id, file.team_id)
    *larger, least = _STEPS_S
    for seconds in larger:
        try:
            return await _take(session, job, file, payer_id, seconds)
        except QuotaExceeded:
            # There may be enough for a smaller step.
            continue
    return await _take(session, job, file, payer_id, least)


async def _take(session: AsyncSession, job: Job, file: File, payer_id: uuid.UUID, seconds: int) -> int:
    async with session.begin_nested():
        await reserve(
            session,
            payer_id=payer_id,
            job_id=job.id,
            file_id=file.id,
            work=job.kind,
            seconds=seconds,
            user_id=file.user_id,
            team_id=file.team_id,
            is_more=True,
        )
    return seconds
