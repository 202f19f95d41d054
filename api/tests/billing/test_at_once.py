"""What happens at the same moment, and events in any order: on both databases where it depends on the database."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from api.people.billing.account import reading
from api.people.billing.account.snapshot import Snapshot, read_customer
from api.people.billing.errors import BadEvent, PaymentsAway
from api.people.billing.models import BillingAccount, BillingChange, BillingEvent, ChangeState
from api.people.billing.payments import open_billing
from api.people.plans.models import Subscription
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.databases.database_kind import DatabaseKind
from api.testing.stripe.client import ASKS
from api.testing.stripe.payer import Payer, deliver

both_databases = pytest.mark.parametrize("database_url", list(DatabaseKind), indirect=True)


@both_databases
async def test_two_clicks_make_one_subscription(ann: Payer) -> None:
    intent = await ann.intent()
    body = {"type": "creator", "period": "monthly", "intent": intent["id"], "coupon": None, "currency": "usd"}
    answers = await asyncio.gather(*(ann.browser.post("/api/user/subscribe", json=body) for _ in range(3)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["data"]["client_secret"] for answer in answers}) == 1
    assert len(await ann.subscriptions()) == 1


@pytest.mark.long
@both_databases
async def test_different_wishes_at_once_end_in_one_of_them(ann: Payer) -> None:
    await ann.subscribe("creator")
    answers = await asyncio.gather(
        ann.change("producer", "monthly"), ann.change("business", "monthly"), ann.change("personal", "monthly")
    )
    assert {answer.status_code for answer in answers} <= {200, 409, 422}
    assert any(answer.status_code == 200 for answer in answers)
    async with ann.database.read() as session:
        opened = select(BillingChange).where(BillingChange.state == ChangeState.OPEN)
        assert list(await session.scalars(opened)) == []
    assert len([one for one in await ann.subscriptions() if one.is_current]) == 1


@pytest.mark.long
async def test_a_reader_who_always_comes_second_is_content_with_what_others_wrote(
    ann: Payer, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ann.subscribe("creator")
    reads = 0

    async def slow(*arguments: Any) -> Snapshot:
        """Read, while somebody else reads and writes."""
        nonlocal reads
        reads += 1
        snapshot = await read_customer(*arguments)
        async with state.database.write() as session:
            await session.execute(update(BillingAccount).values(revision=BillingAccount.revision + 1))
        return snapshot

    monkeypatch.setattr(reading, "read_customer", slow)
    billing = open_billing(state)
    found = await reading.read_account(billing, ann.browser.user_id)
    assert found is not None
    assert [one.offer.tier for one in found.subscriptions] == ["creator"]
    assert reads == 2
    # What an event brings must be written; Stripe sends it again.
    with pytest.raises(PaymentsAway):
        await reading.read_account(billing, ann.browser.user_id, event="1")


@both_databases
async def test_the_database_allows_one_open_change_and_one_current_subscription(ann: Payer, state: AppState) -> None:
    now = utc_now()
    change = {"user_id": ann.browser.user_id, "kind": "cancel", "created_at": now, "updated_at": now}
    async with state.database.write() as session:
        await session.execute(insert(BillingChange).values(**change, state=ChangeState.OPEN))
        await session.execute(insert(BillingChange).values(**change, state=ChangeState.DONE))
    with pytest.raises(IntegrityError):
        async with state.database.write() as session:
            await session.execute(insert(BillingChange).values(**change, state=ChangeState.OPEN))
    row = {"user_id": ann.browser.user_id, "tier": "creator", "period": "monthly", "status": "active"}
    row |= {"created_at": now, "updated_at": now, "is_current": True}
    both = insert(Subscription).values([{**row, "id": uuid4(), "stripe_id": f"sub_{number}"} for number in range(2)])
    with pytest.raises(IntegrityError):
        async with state.database.write() as session:
            await session.execute(both)


@pytest.mark.long
@both_databases
async def test_an_abandoned_change_does_not_block_the_next(ann: Payer, state: AppState) -> None:
    await ann.subscribe("creator")
    old = utc_now() - timedelta(minutes=10)
    row = {"user_id": ann.browser.user_id, "kind": "upgrade", "tier": "business", "period": "monthly"}
    async with state.database.write() as session:
        values = {**row, "created_at": old, "updated_at": old, "state": ChangeState.OPEN}
        await session.execute(insert(BillingChange).values(**values))
    assert (await ann.get("/api/user/subscription/cancel")).status_code == 200


@pytest.mark.long
async def test_events_are_signed_and_fresh(ann: Payer, visitor: Browser) -> None:
    await ann.subscribe("creator")
    event = ann.events()[-1]
    assert (await deliver(visitor, event, secret="whsec_other")).status_code == 400
    assert (await deliver(visitor, event, timestamp=int(time.time()) - 600)).status_code == 400
    assert (await visitor.post("/api/billing/webhook", content=b"{}")).status_code == 400
    assert (await deliver(visitor, event)).status_code == 204
    async with ann.database.read() as session:
        found = await session.get_one(BillingEvent, event["id"])
        assert found.handled_at is not None
    # Again: nothing to do, and Stripe must not hear an error.
    assert (await deliver(visitor, event)).status_code == 204


ODD_EVENTS: list[Any] = [
    {},
    [],
    "event",
    None,
    {"created": 10**18},
    {"created": -1},
    {"created": "soon"},
    {"id": "x" * 300},
    {"id": "evt_\u0000"},
    {"id": 5},
    {"type": None},
    {"data": []},
    {"data": {"object": []}},
    {"data": {"object": {"object": "customer", "id": {}}}},
    {"data": {"object": {"object": "invoice", "customer": [1]}}},
]


@both_databases
async def test_signed_events_of_an_odd_shape_are_refused_with_a_sentence(ann: Payer, visitor: Browser) -> None:
    event = {"id": "evt_1", "type": "invoice.paid", "created": 1_700_000_000, "data": {"object": {"object": "plan"}}}
    assert (await deliver(visitor, event)).status_code == 204
    for number, odd in enumerate(ODD_EVENTS):
        whole = event | {"id": f"evt_odd_{number}"} | odd if isinstance(odd, dict) and odd else odd
        refused = await deliver(visitor, whole)
        assert refused.status_code == 400, odd
        assert refused.json()["message"] == BadEvent.message


@pytest.mark.long
async def test_a_signature_of_the_future_is_refused(ann: Payer, visitor: Browser) -> None:
    await ann.subscribe("creator")
    event = ann.events()[-1]
    for seconds in (400, 3_600, 10**12):
        assert (await deliver(visitor, event, timestamp=int(time.time()) + seconds)).status_code == 400
    # A clock that is a little fast is not a forgery.
    assert (await deliver(visitor, event, timestamp=int(time.time()) + 60)).status_code == 204


@pytest.mark.long
async def test_an_event_waits_while_stripe_is_away(ann: Payer) -> None:
    await ann.subscribe("creator")
    event = ann.events()[-1]
    ann.server.control("fail", is_down=True)
    try:
        assert (await ann.deliver(event)).status_code == 503
    finally:
        ann.server.control("fail")
    assert (await ann.deliver(event)).status_code == 204


@pytest.mark.long
async def test_a_deletion_of_an_earlier_subscription_ends_nothing(ann: Payer) -> None:
    await ann.order("creator", number=ASKS)
    await ann.subscribe("producer")
    deletions = [event for event in ann.events() if event["type"] == "customer.subscription.deleted"]
    assert len(deletions) == 1
    await ann.deliver(deletions[0])
    assert (await ann.billing())["plan"] == "producer"


@pytest.mark.long
@both_databases
async def test_any_order_of_events_leads_to_the_same_state(ann: Payer, state: AppState) -> None:
    """Late, doubled and shuffled: what counts is what Stripe says now."""
    await ann.subscribe("creator")
    await ann.change("producer", "monthly")
    await ann.change("personal", "monthly")
    await ann.get("/api/user/subscription/cancel")
    await ann.get("/api/user/subscription/uncancel")
    expected = await everything(ann)
    events = ann.events()
    assert len(events) >= 10

    @hypothesis_settings(max_examples=6)
    @given(order=st.permutations(events), doubled=st.lists(st.sampled_from(events), max_size=3), gap=st.integers(0, 9))
    def orders(order: list[Any], doubled: list[Any], gap: int) -> None:
        found.append([*order[:gap], *doubled, *order[gap:]])

    found: list[list[Any]] = []
    # Hypothesis runs in no loop of its own: it makes the orders, and this one delivers them.
    await asyncio.to_thread(orders)
    for order in found:
        await forget_events(state)
        answers = [(await ann.deliver(event)).status_code for event in order]
        assert set(answers) == {204}
        assert await everything(ann) == expected
    await forget_events(state)
    together = await asyncio.gather(*(ann.deliver(event) for event in events[:4]))
    assert {answer.status_code for answer in together} <= {204, 503}
    assert await everything(ann) == expected


async def forget_events(state: AppState) -> None:
    async with state.database.write() as session:
        for row in await session.scalars(select(BillingEvent)):
            await session.delete(row)


async def everything(ann: Payer) -> dict[str, Any]:
    """All that billing keeps of a person, without the times of our own writing."""
    async with ann.database.read() as session:
        account = await session.get_one(BillingAccount, ann.browser.user_id)
        card = (account.card_last4, account.pending_tier, account.due_invoice)
    subscriptions = [
        (one.stripe_id, one.is_current, one.tier, one.period, one.status, one.period_end, one.cancel_at, one.next_tier)
        for one in await ann.subscriptions()
    ]
    invoices = [(one.stripe_id, one.number, one.state, one.total, one.lines) for one in await ann.invoices()]
    grants = [(one.key, one.seconds, one.starts_at, one.expires_at) for one in await ann.grants()]
    return {"card": card, "subscriptions": subscriptions, "invoices": invoices, "grants": grants}
