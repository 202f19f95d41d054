"""What a payer has left."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, case, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.ledger.grants import contract_month, usable_grants
from api.people.ledger.models import Funding, LedgerAccount, Movement, MovementKind
from api.people.ledger.month import Month
from api.people.ledger.prices import cents_of
from api.people.ledger.reservations import open_sign
from api.people.plans.enforcement import is_enforced
from api.people.plans.limits import PlanLimits, limits_of
from api.people.plans.minutes import Grant, GrantSource
from api.people.plans.models import COUNTING
from api.people.plans.queries import contract_of, subscription_of
from api.platform.db import clock


@dataclass(frozen=True, slots=True)
class OpenGrant:
    """A grant that may pay now. `seconds` includes corrections. `id` is None for a month that is not yet begun."""

    id: uuid.UUID | None
    source: GrantSource
    seconds: int
    available: int
    held: int
    spent: int
    starts_at: datetime
    expires_at: datetime | None
    note: str | None


@dataclass(frozen=True, slots=True)
class Extra:
    """Minutes beyond the grants, in this calendar month. Money in cents; `price_minute` 0: not for sale.

    `used` counts work that has ended, `held` work that has not.
    """

    is_allowed: bool
    limit: int
    price_minute: int
    used: int
    held: int
    cents: int
    """For both."""
    times_price: int
    """Seconds times price, from which `cents` is made."""

    def fits(self, seconds: int) -> bool:
        """Whether this many more extra seconds are allowed and stay within the limit."""
        if not self.is_allowed or self.price_minute <= 0:
            return False
        return cents_of(self.times_price + seconds * self.price_minute) <= self.limit


@dataclass(frozen=True, slots=True)
class Balance:
    """A payer's seconds. `included` and `available` are None where nothing limits them.

    `renews_at`: when the next month's minutes come, None if none will.
    """

    payer_id: uuid.UUID
    is_enforced: bool
    limits: PlanLimits
    included: int | None
    available: int | None
    held: int
    spent: int
    grants: tuple[OpenGrant, ...]
    extra: Extra
    renews_at: datetime | None


async def balance(session: AsyncSession, payer_id: uuid.UUID) -> Balance:
    """What a payer has left. Writes nothing, also at the start of a contract's month."""
    now: datetime = (await session.scalars(select(clock.now()))).one()
    limits = await limits_of(session, payer_id)
    enforced = is_enforced(session)
    left = [_rest_of(grant) for grant in await usable_grants(session, payer_id, now)]
    left += await _month_to_come(session, payer_id, now)
    is_limited = enforced and limits.seconds_per_month is not None
    return Balance(
        payer_id=payer_id,
        is_enforced=enforced,
        limits=limits,
        included=sum(grant.seconds for grant in left) if is_limited else None,
        available=sum(grant.available for grant in left) if is_limited else None,
        held=sum(grant.held for grant in left),
        spent=sum(grant.spent for grant in left),
        grants=tuple(left),
        extra=await extra_of(session, payer_id, limits, now),
        renews_at=await renewal_of(session, payer_id, now),
    )


def _rest_of(grant: Grant) -> OpenGrant:
    return OpenGrant(
        id=grant.id,
        source=grant.source,
        seconds=grant.available + grant.held + grant.spent + grant.expired,
        available=grant.available,
        held=grant.held,
        spent=grant.spent,
        starts_at=grant.starts_at,
        expires_at=grant.expires_at,
        note=grant.note,
    )


async def _month_to_come(session: AsyncSession, payer_id: uuid.UUID, now: datetime) -> list[OpenGrant]:
    """This month of a contract, before its first use makes a grant of it."""
    contract = await contract_of(session, payer_id)
    month = contract_month(contract, now) if contract is not None else None
    if month is None or await session.scalar(select(Grant.id).where(Grant.key == month.key)) is not None:
        return []
    return [
        OpenGrant(
            id=None,
            source=GrantSource.CONTRACT,
            seconds=month.seconds,
            available=month.seconds,
            held=0,
            spent=0,
            starts_at=month.starts_at,
            expires_at=month.expires_at,
            note=None,
        )
    ]


async def extra_of(session: AsyncSession, payer_id: uuid.UUID, limits: PlanLimits, now: datetime) -> Extra:
    account = await session.get(LedgerAccount, payer_id)
    in_month = Movement.at >= Month.of(now).start
    is_use = case(
        (and_(Movement.kind == MovementKind.SETTLE, in_month), 1),
        (and_(Movement.kind == MovementKind.REFUND, in_month), -1),
        else_=0,
    )
    used, held = is_use * Movement.seconds, open_sign() * Movement.seconds
    price = Movement.price_minute
    sums = select(func.sum(used), func.sum(used * price), func.sum(held), func.sum(held * price)).where(
        Movement.payer_id == payer_id, Movement.funding == Funding.EXTRA
    )
    row = (await session.execute(sums)).one()
    used_s, used_price, held_s, held_price = (int(value or 0) for value in row)
    times_price = max(0, used_price) + held_price
    return Extra(
        is_allowed=account is not None and account.allows_extra,
        limit=account.extra_limit if account is not None else 0,
        price_minute=limits.price_minute,
        used=max(0, used_s),
        held=held_s,
        cents=cents_of(times_price),
        times_price=times_price,
    )


async def renewal_of(session: AsyncSession, payer_id: uuid.UUID, now: datetime) -> datetime | None:
    """When the next month's minutes come: with a contract on the first of the month, else with the paid period."""
    contract = await contract_of(session, payer_id)
    if contract is not None:
        month_end = Month.of(now).end
        return month_end if contract.ends_at is None or contract.ends_at > month_end else None
    subscription = await subscription_of(session, payer_id)
    if subscription is None or subscription.status not in COUNTING:
        return None
    newest = await session.scalar(
        select(func.min(Grant.expires_at)).where(
            Grant.payer_id == payer_id,
            Grant.source == GrantSource.PLAN,
            Grant.starts_at <= now,
            Grant.expires_at > now,
        )
    )
    end = newest or subscription.period_end
    ends = subscription.cancel_at
    return None if end is None or end <= now or (ends is not None and ends <= end) else end
