"""Reserve, settle and release: who pays, what is refused, and that nothing is ever overdrawn."""

from __future__ import annotations

import asyncio
import uuid

import pytest
from sqlalchemy import delete, select, update

from api.people.ledger.errors import QuotaExceeded
from api.people.ledger.models import Movement
from api.people.plans.minutes import Grant, GrantSource
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobState
from api.testing.ledger import Ledger

MINUTE = 60


async def test_a_reservation_becomes_usage_and_the_rest_returns(ledger: Ledger) -> None:
    ada = await ledger.user()
    await ledger.grant(ada, 10 * MINUTE)
    job = await ledger.reserve(ada, 4 * MINUTE)
    assert (await ledger.balance(ada)).available == 6 * MINUTE
    assert await ledger.settle(job, 3 * MINUTE) == 3 * MINUTE
    balance = await ledger.balance(ada)
    assert (balance.available, balance.held, balance.spent) == (7 * MINUTE, 0, 3 * MINUTE)
    assert await ledger.settle(job) == 0, "settling twice charges once"
    assert await ledger.violations() == []


async def test_the_grant_that_expires_first_pays_first(ledger: Ledger) -> None:
    ada = await ledger.user()
    bought = await ledger.grant(ada, 100, source=GrantSource.TOP_UP, days=1)
    later = await ledger.grant(ada, 100, days=30)
    sooner = await ledger.grant(ada, 100, days=2)
    await ledger.reserve(ada, 250)
    left = {grant.id: grant.available for grant in (await ledger.balance(ada)).grants}
    assert left == {sooner: 0, later: 0, bought: 50}


async def test_a_refusal_says_what_is_left_and_what_to_do(ledger: Ledger) -> None:
    ada = await ledger.user()
    await ledger.grant(ada, 300 * MINUTE)
    await ledger.reserve(ada, 288 * MINUTE)
    with pytest.raises(QuotaExceeded) as refused:
        await ledger.reserve(ada, 42 * MINUTE)
    assert refused.value.message.startswith("This needs 42 min, and 12 min of your 300 min are left. Choose a plan,")
    assert refused.value.code == "quota_exceeded"
    assert (await ledger.balance(ada)).available == 12 * MINUTE


async def test_expired_seconds_pay_for_nothing(ledger: Ledger) -> None:
    ada = await ledger.user()
    await ledger.grant(ada, 500, days=-1)
    await ledger.grant(ada, 100)
    with pytest.raises(QuotaExceeded):
        await ledger.reserve(ada, 200)
    await ledger.reserve(ada, 50)
    assert ("expire", "grant", 500) in await ledger.movements(ada)
    assert await ledger.violations() == []


async def test_a_key_grants_once(ledger: Ledger) -> None:
    ada = await ledger.user()
    grants = {await ledger.grant(ada, 100, key=f"plan:{ada}:2026-11") for _ in range(3)}
    assert len(grants) == 1
    assert (await ledger.balance(ada)).available == 100


@pytest.mark.long
async def test_fifty_at_once_share_the_last_minute(ledger: Ledger) -> None:
    ada = await ledger.user()
    await ledger.grant(ada, MINUTE)

    async def upload(number: int) -> uuid.UUID | None:
        try:
            job = await ledger.reserve(ada, 7)
        except QuotaExceeded:
            return None
        if number % 3 == 0:
            await ledger.settle(job)
        return job

    jobs = [job for job in await asyncio.gather(*(upload(number) for number in range(50))) if job is not None]
    balance = await ledger.balance(ada)
    assert len(jobs) == 8
    assert balance.available == MINUTE - 8 * 7
    assert balance.held + balance.spent == 8 * 7
    assert await ledger.violations() == []


@pytest.mark.long
async def test_the_month_of_a_contract_comes_by_itself_and_follows_its_numbers(ledger: Ledger) -> None:
    ada = await ledger.user()
    await ledger.contract(ada, max_seconds=600)
    assert (await ledger.balance(ada)).available == 600, "before anything was written"
    await asyncio.gather(*(ledger.reserve(ada, 100) for _ in range(4)))
    assert (await ledger.balance(ada)).available == 200
    await ledger.contract(ada, max_seconds=1_000)
    await ledger.reserve(ada, 100)
    assert (await ledger.balance(ada)).available == 500
    await ledger.contract(ada, max_seconds=100)
    with pytest.raises(QuotaExceeded):
        await ledger.reserve(ada, 100)
    await ledger.contract(ada, max_seconds=None)
    await ledger.reserve(ada, 50_000)
    assert (await ledger.balance(ada)).available is None
    assert await ledger.violations() == []


@pytest.mark.long
@pytest.mark.parametrize("defect", ["held twice", "lost movement", "settled twice", "held for a dead job"])
async def test_the_invariants_find_seeded_defects(ledger: Ledger, defect: str) -> None:
    ada = await ledger.user()
    grant = await ledger.grant(ada, 10 * MINUTE)
    settled, held = await ledger.reserve(ada, MINUTE), await ledger.reserve(ada, MINUTE)
    await ledger.settle(settled)
    assert await ledger.violations() == []
    async with ledger.database.write() as session:
        if defect == "held twice":
            await session.execute(update(Grant).where(Grant.id == grant).values(held=Grant.held + MINUTE))
        elif defect == "lost movement":
            await session.execute(delete(Movement).where(Movement.job_id == settled, Movement.kind == "settle"))
        elif defect == "settled twice":
            row = (await session.scalars(select(Movement).where(Movement.kind == "settle"))).one()
            session.add(
                Movement(
                    at=row.at,
                    payer_id=ada,
                    kind=row.kind,
                    funding=row.funding,
                    grant_id=grant,
                    job_id=settled,
                    seconds=MINUTE,
                )
            )
        else:
            await session.execute(update(Job).where(Job.id == held).values(state=JobState.CANCELLED))
    assert await ledger.violations() != []
