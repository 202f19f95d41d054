"""From choosing a plan to paying for it, with the official client against the stand-in."""

from __future__ import annotations

from datetime import timedelta

import pytest

from api.testing.stripe.client import ASKS, FAILS, REFUSED, confirm_payment, official_client, save_card
from api.testing.stripe.payer import Payer


async def test_a_plan_begins_when_it_is_paid(ann: Payer) -> None:
    assert (await ann.me())["has_subscription"] is False
    step = (await ann.order("creator")).json()["data"]
    assert step["step"] == "confirm"
    me = await ann.me()
    assert (me["has_subscription"], me["has_incomplete_payment"], me["plan"]) == (False, True, "none")
    assert await ann.grants() == []

    await confirm_payment(ann.server, step)
    billing = await ann.refresh()
    assert billing["plan"] == "creator"
    assert billing["subscription"]["status"] == "active"
    assert billing["card"] == {"brand": "visa", "last4": "4242", "month": 12, "year": 2034}
    assert billing["due"] is None
    assert (await ann.me())["has_subscription"] is True
    (grant,) = await ann.grants()
    assert grant.seconds == 900 * 60
    (invoice,) = await ann.invoices()
    assert (invoice.state, invoice.total, invoice.customer_email) == ("paid", 1_900, "ann@example.com")


@pytest.mark.long
async def test_a_year_is_paid_at_once_and_its_minutes_come_monthly(ann: Payer) -> None:
    await ann.subscribe("producer", "yearly")
    (invoice,) = await ann.invoices()
    assert invoice.total == 49_000
    (grant,) = await ann.grants()
    assert grant.seconds == 3_000 * 60
    assert grant.expires_at is not None
    assert timedelta(days=28) <= grant.expires_at - grant.starts_at <= timedelta(days=31)


@pytest.mark.long
async def test_a_lost_answer_is_continued_and_not_repeated(ann: Payer) -> None:
    intent = await ann.intent()
    body = {"type": "creator", "period": "monthly", "intent": intent["id"], "coupon": None, "currency": "usd"}
    before = ann.server.control("things", kind="subscription")
    # The order arrives at Stripe, but neither its answer nor that of the repeat reaches us.
    ann.server.control("fail", lost_path="subscriptions")
    lost = await ann.browser.post("/api/user/subscribe", json=body)
    assert lost.status_code == 503
    assert "payment provider" in lost.json()["message"]
    ann.server.control("fail")
    assert (await ann.browser.post("/api/user/subscribe", json=body)).status_code == 200
    assert len(ann.server.control("things", kind="subscription")) == len(before) + 1


@pytest.mark.long
async def test_nothing_is_half_done_while_stripe_is_away(ann: Payer) -> None:
    intent = await ann.intent()
    body = {"type": "creator", "period": "monthly", "intent": intent["id"], "coupon": None, "currency": "usd"}
    ann.server.control("fail", is_down=True)
    try:
        answer = await ann.browser.post("/api/user/subscribe", json=body)
        assert answer.status_code == 503
        assert await ann.subscriptions() == []
        # What we know already still shows.
        assert (await ann.billing())["plan"] == "none"
    finally:
        ann.server.control("fail")
    assert (await ann.browser.post("/api/user/subscribe", json=body)).status_code == 200


@pytest.mark.long
async def test_the_bank_may_have_questions(ann: Payer) -> None:
    step = (await ann.order("creator", number=ASKS)).json()["data"]
    failed = await confirm_payment(ann.server, step, success=False)
    assert failed["status"] == "requires_payment_method"
    assert (await ann.refresh())["subscription"]["status"] == "incomplete"
    # Trying again needs no new order.
    again = (await ann.browser.post("/api/user/billing/pay")).json()["data"]
    assert again["step"] == "confirm"
    assert (await confirm_payment(ann.server, again))["status"] == "succeeded"
    assert (await ann.refresh())["plan"] == "creator"


@pytest.mark.long
async def test_a_card_that_fails_leaves_the_order_open_for_another_card(ann: Payer) -> None:
    step = (await ann.order("creator", number=FAILS)).json()["data"]
    declined = await confirm_payment(ann.server, step)
    assert declined["last_payment_error"]["message"] == "Your card was declined."
    billing = await ann.refresh()
    assert (billing["plan"], billing["due"]) == ("none", 1_900)
    intent = await ann.intent()
    method = (await official_client(ann.server).v1.setup_intents.retrieve_async(intent["id"])).payment_method
    changed = await ann.browser.put("/api/user/billing/payment", json={"payment_method": method})
    assert changed.json()["data"]["card"]["last4"] == "4242"
    step = (await ann.browser.post("/api/user/billing/pay")).json()["data"]
    await confirm_payment(ann.server, step)
    assert (await ann.refresh())["plan"] == "creator"


async def test_a_refused_card_cannot_be_used(ann: Payer) -> None:
    intent = (await ann.get("/api/user/stripe/intent")).json()["data"]
    assert (await save_card(ann.server, intent, REFUSED))["error"]["message"] == "Your card was declined."
    body = {"type": "creator", "period": "monthly", "intent": intent["id"], "coupon": None, "currency": "usd"}
    answer = await ann.browser.post("/api/user/subscribe", json=body)
    assert answer.status_code == 422
    assert "intent" in answer.json()["errors"]


@pytest.mark.long
async def test_an_unpaid_order_makes_room_for_another(ann: Payer) -> None:
    await ann.order("creator", number=FAILS)
    await ann.subscribe("producer")
    first, second = await ann.subscriptions()
    assert (first.status, first.is_current) == ("canceled", False)
    assert (second.status, second.is_current, second.tier) == ("active", True, "producer")


@pytest.mark.long
async def test_somebody_with_a_plan_cannot_order_another(ann: Payer) -> None:
    await ann.subscribe("creator")
    answer = await ann.order("producer")
    assert answer.status_code == 409
    assert answer.json()["code"] == "already_subscribed"
    assert len(await ann.subscriptions()) == 1


@pytest.mark.long
async def test_coupons_and_promotion_codes(ann: Payer) -> None:
    coupon = (await ann.browser.get("/api/user/coupon/QUARTER")).json()["data"]
    assert coupon["label"] == "25% off"
    promotion = (await ann.browser.get("/api/user/coupon/spring")).json()["data"]
    assert promotion["percent_off"] == 25
    wrong = await ann.browser.get("/api/user/coupon/NOPE")
    assert wrong.status_code == 422
    assert "coupon" in wrong.json()["errors"]
    preview = await ann.browser.get("/api/user/subscription/preview/creator/monthly?coupon=SPRING")
    assert (preview.json()["data"]["due_now"], preview.json()["data"]["discount"]) == (1_425, 475)
    await ann.subscribe("creator", coupon="SPRING")
    (invoice,) = await ann.invoices()
    assert invoice.total == 1_425
    assert (await ann.billing())["discount"] == "25% off"
    (grant,) = await ann.grants()
    assert grant.seconds == 900 * 60


async def test_a_free_first_month_needs_no_payment(ann: Payer) -> None:
    answer = await ann.order("creator", coupon="GIFT")
    assert answer.json()["data"]["step"] == "done"
    assert (await ann.billing())["plan"] == "creator"
    assert [grant.seconds for grant in await ann.grants()] == [900 * 60]


async def test_coupons_cannot_be_guessed(ann: Payer) -> None:
    statuses = [(await ann.browser.get(f"/api/user/coupon/GUESS{number}")).status_code for number in range(12)]
    assert statuses[:10] == [422] * 10
    assert statuses[10:] == [429] * 2


@pytest.mark.long
async def test_cards_and_intents_of_others_are_refused(ann: Payer, eve: Payer) -> None:
    intent = await ann.intent()
    method = (await official_client(ann.server).v1.setup_intents.retrieve_async(intent["id"])).payment_method
    stolen = {"type": "creator", "period": "monthly", "intent": intent["id"], "coupon": None, "currency": "usd"}
    assert (await eve.browser.post("/api/user/subscribe", json=stolen)).status_code == 422
    assert (await eve.browser.put("/api/user/billing/payment", json={"payment_method": method})).status_code == 422
    assert await eve.subscriptions() == []
    await ann.subscribe("creator")
    (invoice,) = await ann.invoices()
    assert (await eve.browser.get(f"/api/billing/invoices/{invoice.id}/pdf")).status_code == 404
    assert (await eve.browser.get("/api/billing/invoices")).json()["data"] == []
    mine = await ann.browser.get(f"/api/billing/invoices/{invoice.id}/pdf")
    assert mine.content.startswith(b"%PDF")
    assert invoice.number is not None
    assert invoice.number in mine.headers["Content-Disposition"]


@pytest.mark.long
async def test_what_the_page_sends_decides_no_price(ann: Payer) -> None:
    intent = await ann.intent()
    body = {"type": "creator", "period": "monthly", "intent": intent["id"], "currency": "usd"}
    more = {"price": 1, "amount": 1, "customer": "cus_x", "user_id": "x", "price_monthly": 0}
    step = (await ann.browser.post("/api/user/subscribe", json=body | more)).json()["data"]
    await confirm_payment(ann.server, step)
    await ann.refresh()
    assert [invoice.total for invoice in await ann.invoices()] == [1_900]
    for wrong in ({"type": "corporate"}, {"type": "none"}, {"currency": "eur"}, {"period": "weekly"}):
        assert (await ann.browser.post("/api/user/subscribe", json=body | wrong)).status_code == 422
