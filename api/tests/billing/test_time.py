"""What time brings: renewals, months of a year, failures, and the end. The stand-in's clock starts 100 days ago."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import select, update

from api.people.billing.models import BillingAccount
from api.people.billing.payments import open_billing
from api.people.billing.upkeep import keep
from api.people.users.models import User
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.platform.jobs.models import OutboxMessage
from api.testing.stripe.payer import Payer
from api.testing.stripe.server import StripeServer


def fail_payments(ann: Payer, behaviour: str = "fails") -> None:
    (customer,) = [
        thing
        for thing in ann.server.control("things", kind="customer")
        if thing["metadata"]["user_id"] == ann.browser.user["id"]
    ]
    ann.server.control("card", customer=customer["id"], behaviour=behaviour)


async def bring_events(ann: Payer, since: int = 0) -> int:
    events = ann.events()
    for event in events[since:]:
        assert (await ann.deliver(event)).status_code == 204
    return len(events)


async def test_each_paid_month_brings_its_minutes(ann: Payer, old_shop: StripeServer) -> None:
    await ann.subscribe("creator")
    old_shop.advance(70)
    await bring_events(ann)
    assert [invoice.state for invoice in await ann.invoices()] == ["paid"] * 3
    grants = await ann.grants()
    assert [grant.seconds for grant in grants] == [900 * 60] * 3
    assert all(first.expires_at == second.starts_at for first, second in pairwise(grants))


@pytest.mark.long
async def test_a_downgrade_begins_with_the_next_month(ann: Payer, old_shop: StripeServer) -> None:
    await ann.subscribe("producer")
    await ann.change("personal", "monthly")
    old_shop.advance(35)
    await bring_events(ann)
    billing = await ann.billing()
    assert (billing["plan"], billing["subscription"]["next"]) == ("personal", None)
    assert [grant.seconds for grant in await ann.grants()] == [3_000 * 60, 300 * 60]


@pytest.mark.long
async def test_the_months_of_a_year_come_one_by_one(ann: Payer, old_shop: StripeServer, state: AppState) -> None:
    await ann.subscribe("creator", "yearly")
    assert len(await ann.grants()) == 4, "three months have begun since it was paid, 100 days ago"
    assert len({grant.key for grant in await ann.grants()}) == 4
    for _ in range(2):
        await keep(open_billing(state))
    assert len(await ann.grants()) == 4
    assert all(grant.starts_at <= utc_now() for grant in await ann.grants())


@pytest.mark.long
async def test_a_renewal_that_fails_warns_once_each_time_and_keeps_the_plan(ann: Payer, old_shop: StripeServer) -> None:
    await ann.subscribe("creator")
    fail_payments(ann)
    old_shop.advance(32)
    seen = await bring_events(ann)
    await bring_events(ann)
    billing = await ann.billing()
    assert (billing["subscription"]["status"], billing["plan"], billing["due"]) == ("past_due", "creator", 1_900)
    me = await ann.me()
    assert (me["has_subscription"], me["has_incomplete_payment"]) == (True, True)
    assert len(await ann.grants()) == 1
    mails = await failed_mails(ann)
    assert [(mail["amount"], mail["to"]) for mail in mails] == [("$19", "ann@example.com")]
    assert mails[0]["link"].endswith("/subscription")

    # Paying puts everything right.
    fail_payments(ann, "pays")
    old_shop.advance(4)
    await bring_events(ann, seen)
    billing = await ann.billing()
    assert (billing["subscription"]["status"], billing["due"]) == ("active", None)
    assert len(await ann.grants()) == 2
    assert len(await failed_mails(ann)) == 1


@pytest.mark.long
async def test_without_payment_the_plan_ends(ann: Payer, old_shop: StripeServer) -> None:
    await ann.subscribe("creator")
    fail_payments(ann)
    old_shop.advance(60)
    await bring_events(ann)
    me = await ann.me()
    assert (me["has_subscription"], me["has_ended_subscription"], me["plan"]) == (False, True, "none")
    billing = await ann.billing()
    assert (billing["has_ended"], billing["subscription"]) == (True, None)
    fail_payments(ann, "pays")
    await ann.subscribe("personal")
    assert (await ann.billing())["plan"] == "personal"


@pytest.mark.long
async def test_a_cancelled_subscription_ends_with_its_period(ann: Payer, old_shop: StripeServer) -> None:
    await ann.subscribe("creator")
    await ann.get("/api/user/subscription/cancel")
    old_shop.advance(20)
    await ann.refresh()
    assert (await ann.billing())["plan"] == "creator"
    old_shop.advance(20)
    await bring_events(ann)
    assert (await ann.me())["has_ended_subscription"] is True
    assert len(await ann.grants()) == 1


@pytest.mark.long
async def test_an_order_expires_after_a_day(ann: Payer, old_shop: StripeServer) -> None:
    await ann.order("creator")
    old_shop.advance(2)
    await bring_events(ann)
    me = await ann.me()
    assert (me["has_incomplete_payment"], me["has_ended_subscription"]) == (False, False)


@pytest.mark.long
async def test_lost_events_are_made_up_for(ann: Payer, old_shop: StripeServer, state: AppState) -> None:
    await ann.subscribe("creator")
    old_shop.advance(100)
    async with state.database.write() as session:
        await session.execute(update(BillingAccount).values(read_at=None))
    await keep(open_billing(state))
    assert len(await ann.grants()) == 4


@pytest.mark.long
async def test_a_deleted_account_pays_no_longer(ann: Payer, old_shop: StripeServer, state: AppState) -> None:
    await ann.subscribe("creator")
    async with state.database.write() as session:
        await session.execute(update(User).where(User.id == ann.browser.user_id).values(deleted_at=utc_now()))
    await keep(open_billing(state))
    (subscription,) = await ann.subscriptions()
    assert subscription.cancel_at == subscription.period_end


async def failed_mails(ann: Payer) -> list[dict[str, Any]]:
    async with ann.database.read() as session:
        rows = await session.scalars(select(OutboxMessage).where(OutboxMessage.topic == "mail"))
        return [row.payload for row in rows if row.payload["kind"] == "payment_failed"]
