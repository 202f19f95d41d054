"""One change of a subscription at a time, each under idempotency keys of its own.

A change is open from before the first call to Stripe until its outcome is known. If the answer was lost, asking for the
same change again repeats the same calls under the same keys, so that Stripe does nothing twice. Two clicks are one
change for the same reason.
"""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.billing.account.reading import read_account
from api.people.billing.errors import ChangeUnderWay, PaymentsAway
from api.people.billing.models import BillingChange, ChangeKind, ChangeState
from api.people.billing.payments import Billing
from api.people.billing.stripe.prices import Offer
from api.people.billing.transitions import CHANGE_STATE
from api.platform.db.base import utc_now
from api.platform.http.errors import ApiError

ABANDONED_AFTER = timedelta(minutes=2)
"""Then another change may begin; the outcome of this one shows when Stripe is read."""
REPEATED_WITHIN = timedelta(hours=20)
"""Stripe forgets idempotency keys after 24 hours."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asks for."""

    kind: ChangeKind
    offer: Offer | None = None
    coupon: str | None = None

    def fits(self, change: BillingChange) -> bool:
        tier, period = (self.offer.tier, self.offer.period) if self.offer is not None else (None, None)
        return (change.kind, change.tier, change.period, change.coupon) == (self.kind, tier, period, self.coupon)


@dataclass(frozen=True, slots=True)
class Keys:
    """The idempotency keys of a change."""

    change_id: uuid.UUID

    def of(self, step: str) -> str:
        return f"{self.change_id}:{step}"


async def make_change(billing: Billing, user_id: uuid.UUID, wish: Wish, work: Callable[[Keys], Awaitable[T]]) -> T:
    """Run `work`, then read the customer again. Raises `ChangeUnderWay` while another change is open."""
    change_id = await _begin(billing, user_id, wish)
    try:
        result = await work(Keys(change_id))
        await read_account(billing, user_id)
    except PaymentsAway:
        # Nobody knows what happened: the change stays open, and the next try continues it.
        raise
    except ApiError:
        await _end(billing, change_id, ChangeState.FAILED)
        raise
    await _end(billing, change_id, ChangeState.DONE)
    return result


async def _begin(billing: Billing, user_id: uuid.UUID, wish: Wish) -> uuid.UUID:
    async with billing.database.write() as session:
        for _ in range(2):
            present = await _open_change(session, user_id)
            if present is not None:
                age = utc_now() - present.created_at
                if wish.fits(present) and age < REPEATED_WITHIN:
                    return present.id
                if age < ABANDONED_AFTER:
                    raise ChangeUnderWay
                CHANGE_STATE.move(present, ChangeState.FAILED)
                await session.flush()
            change = BillingChange(
                user_id=user_id,
                kind=wish.kind,
                tier=wish.offer.tier if wish.offer is not None else None,
                period=wish.offer.period if wish.offer is not None else None,
                coupon=wish.coupon,
                state=ChangeState.OPEN,
            )
            try:
                async with session.begin_nested():
                    session.add(change)
            except IntegrityError:
                # Another process was first. Look at what it began.
                continue
            return change.id
    raise ChangeUnderWay


async def _open_change(session: AsyncSession, user_id: uuid.UUID) -> BillingChange | None:
    statement = select(BillingChange).where(BillingChange.user_id == user_id, BillingChange.state == ChangeState.OPEN)
    return (await session.scalars(statement.with_for_update())).one_or_none()


async def _end(billing: Billing, change_id: uuid.UUID, state: ChangeState) -> None:
    async with billing.database.write() as session:
        await session.execute(CHANGE_STATE.update_to(state).where(BillingChange.id == change_id))
