"""What a payer used in a month, in the form in which invoices need it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import case, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.ledger.models import Funding, Movement, MovementKind
from api.people.ledger.month import Month
from api.people.ledger.prices import cents_of


@dataclass(frozen=True, slots=True)
class UsageLine:
    """Seconds of one kind of work, less refunds, that one kind of funding paid for. `cents` is 0 but for extra."""

    work: str
    funding: Funding
    seconds: int
    cents: int


@dataclass(frozen=True, slots=True)
class Usage:
    """All seconds that became usage in a month. `extra_cents` is what an invoice for the month charges for extra.

    It may be less than 0 when more was refunded in the month than used.
    """

    month: Month
    lines: tuple[UsageLine, ...]
    seconds: int
    extra_seconds: int
    extra_cents: int


async def usage_of(
    session: AsyncSession, payer_id: uuid.UUID, month: Month, *, team_id: uuid.UUID | None = None
) -> Usage:
    """The usage of a payer in a month, of one team alone if given. Work counts in the month in which it ended."""
    sign = case((Movement.kind == MovementKind.REFUND, -1), else_=1)
    statement = (
        select(
            Movement.work,
            Movement.funding,
            func.sum(sign * Movement.seconds),
            func.sum(sign * Movement.seconds * Movement.price_minute),
        )
        .where(
            Movement.payer_id == payer_id,
            Movement.kind.in_((MovementKind.SETTLE, MovementKind.REFUND)),
            Movement.at >= month.start,
            Movement.at < month.end,
        )
        .group_by(Movement.work, Movement.funding)
        .order_by(Movement.work, Movement.funding)
    )
    if team_id is not None:
        statement = statement.where(Movement.team_id == team_id)
    rows = (await session.execute(statement)).tuples().all()
    lines = tuple(
        UsageLine(work or "", Funding(funding), int(seconds), cents_of(int(priced)))
        for work, funding, seconds, priced in rows
    )
    extra_priced = sum(int(priced) for _work, _funding, _seconds, priced in rows)
    return Usage(
        month=month,
        lines=lines,
        seconds=sum(line.seconds for line in lines),
        extra_seconds=sum(line.seconds for line in lines if line.funding is Funding.EXTRA),
        extra_cents=cents_of(extra_priced),
    )
