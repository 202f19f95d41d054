"""Whatever happens in whatever order, the ledger adds up and nothing is overdrawn."""

from __future__ import annotations

import asyncio
import contextlib
import uuid

from hypothesis import given, settings
from hypothesis import strategies as st

from api.people.ledger import service
from api.people.ledger.errors import QuotaExceeded
from api.people.ledger.models import Reason
from api.people.plans.minutes import GrantSource
from api.platform.db.engine import Database
from api.platform.http.errors import Conflict
from api.testing.ledger import Ledger

AMOUNTS = st.integers(1, 90)
JOBS = st.integers(0, 3)
STEPS = st.one_of(
    st.tuples(st.just("grant"), AMOUNTS, st.sampled_from([-1, 1, 30, None])),
    st.tuples(st.just("reserve"), AMOUNTS, st.just(0)),
    st.tuples(st.just("settle"), AMOUNTS, JOBS),
    st.tuples(st.just("release"), AMOUNTS, JOBS),
    st.tuples(st.just("refund"), AMOUNTS, JOBS),
    st.tuples(st.just("correct"), st.integers(-90, 90), JOBS),
    st.tuples(st.just("expire"), AMOUNTS, st.just(0)),
    st.tuples(st.just("extra"), st.integers(0, 20), st.booleans()),
)


async def _run(url: str, steps: list[tuple[str, int, int | None]]) -> None:
    database = Database(url, billing=True)
    ledger = Ledger(database)
    payer = await ledger.user("payer")
    await ledger.contract(payer, max_seconds=60, price_minutes=30)
    jobs: list[uuid.UUID] = []
    grants: list[uuid.UUID] = []
    for what, amount, which in steps:
        with contextlib.suppress(QuotaExceeded, Conflict):
            if what == "grant":
                source = GrantSource.TOP_UP if which is None else GrantSource.GOODWILL
                grants.append(await ledger.grant(payer, amount, source=source, days=which))
            elif what == "reserve":
                jobs.append(await ledger.reserve(payer, amount))
            elif what in ("expire", "extra") or (jobs and what != "correct") or grants:
                await _step(ledger, payer, what, amount, which or 0, jobs, grants)
    assert await ledger.violations() == []
    balance = await ledger.balance(payer)
    assert balance.available is not None
    assert balance.available >= 0
    await database.close()


async def _step(
    ledger: Ledger,
    payer: uuid.UUID,
    what: str,
    amount: int,
    which: int,
    jobs: list[uuid.UUID],
    grants: list[uuid.UUID],
) -> None:
    async with ledger.database.write() as session:
        if what == "expire":
            await service.expire_due(session)
        elif what == "extra":
            await service.allow_extra(session, payer, allows_extra=bool(which), limit=amount)
        elif what == "correct" and grants:
            await service.correct(session, grants[which % len(grants)], amount, note="A test")
        elif jobs and what == "settle":
            await service.settle(session, jobs[which % len(jobs)], amount)
        elif jobs and what == "release":
            await service.release(session, jobs[which % len(jobs)], reason=Reason.CANCELLED)
        elif jobs and what == "refund":
            await service.refund(session, jobs[which % len(jobs)], note="A test")


def test_random_sequences_add_up(database_url: str) -> None:
    @settings(max_examples=12)
    @given(st.lists(STEPS, min_size=4, max_size=20))
    def run(steps: list[tuple[str, int, int | None]]) -> None:
        asyncio.run(_run(database_url, steps))

    run()
