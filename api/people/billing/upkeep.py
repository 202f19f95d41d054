"""What billing does by itself, in a web process, because only that has the key of Stripe.

Minutes of yearly plans come month by month. Subscriptions of deleted accounts are cancelled. Customers whose events got
lost are read again. Several web processes may do all this at once: each step can be repeated.
"""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager

import structlog
from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.billing.account.reading import read_account
from api.people.billing.grants.granting import grant_begun_months
from api.people.billing.models import BillingAccount, BillingChange, ChangeState
from api.people.billing.payments import Billing
from api.people.billing.subscription.ending import cancel
from api.people.plans.models import COUNTING, Subscription
from api.people.users.models import User
from api.platform.db import clock
from api.platform.db.engine import DATABASE_AWAY
from api.platform.http.errors import ApiError
from cluster.background import end

EVERY_S = 300.0
AT_ONCE = 50
LATE_S = 3600.0
"""Stripe charges a renewal about an hour after the period ends."""
READ_AGAIN_S = 6 * 3600.0
"""A customer who is late is read this often."""

log = structlog.get_logger(__name__)


@asynccontextmanager
async def keeping(billing: Billing) -> AsyncIterator[None]:
    """Keep billing up to date while the web process runs, if people pay here."""
    task = None
    if billing.gateway.is_set_up:
        await billing.gateway.load()
        task = asyncio.create_task(_forever(billing))
    try:
        yield
    finally:
        if task is not None:
            await end(task)
        await billing.gateway.close()


async def _forever(billing: Billing) -> None:
    while True:
        try:
            await keep(billing)
        except DATABASE_AWAY:
            log.warning("database.unavailable")
        except Exception:
            # Whatever it is, tomorrow's minutes must still come.
            log.exception("billing.upkeep_failed")
        await asyncio.sleep(EVERY_S)


async def keep(billing: Billing) -> None:
    """One round."""
    async with billing.database.write() as session:
        await grant_begun_months(session)
    async with billing.database.read() as session:
        leaving, late = await _leaving(session), await _late(session)
    for user_id in leaving:
        with _logged(user_id):
            await cancel(billing, user_id)
    for user_id in late:
        with _logged(user_id):
            await read_account(billing, user_id)


async def _leaving(session: AsyncSession) -> Sequence[uuid.UUID]:
    """Deleted accounts whose subscription would go on."""
    statement = (
        select(User.id)
        .join(Subscription, Subscription.user_id == User.id)
        .where(User.deleted_at.is_not(None), Subscription.is_current, Subscription.cancel_at.is_(None))
        .limit(AT_ONCE)
    )
    return (await session.scalars(statement)).all()


async def _late(session: AsyncSession) -> Sequence[uuid.UUID]:
    """Customers whose period is over without an event, and those with a change whose outcome is unknown."""
    open_changes = select(BillingChange.user_id).where(
        BillingChange.state == ChangeState.OPEN, BillingChange.created_at < clock.now(-LATE_S)
    )
    statement = (
        select(BillingAccount.user_id)
        .outerjoin(Subscription, (Subscription.user_id == BillingAccount.user_id) & Subscription.is_current.is_(True))
        .where(
            or_(BillingAccount.read_at.is_(None), BillingAccount.read_at < clock.now(-READ_AGAIN_S)),
            or_(
                Subscription.status.in_(COUNTING) & (Subscription.period_end < clock.now(-LATE_S)),
                BillingAccount.user_id.in_(open_changes),
            ),
        )
        .limit(AT_ONCE)
    )
    return (await session.scalars(statement)).all()


@contextlib.contextmanager
def _logged(user_id: uuid.UUID) -> Iterator[None]:
    try:
        yield
    except ApiError as error:
        log.warning("billing.upkeep_put_off", user=str(user_id), error=type(error).__name__)
