"""Changes of a running subscription: up, down, another period, cancelled and taken back."""

from __future__ import annotations

import pytest

from api.testing.stripe.client import ASKS, confirm_payment, official_client, save_card
from api.testing.stripe.payer import Payer


async def use_card(ann: Payer, number: str) -> None:
    intent = (await ann.get("/api/user/stripe/intent")).json()["data"]
    saved = await save_card(ann.server, intent, number)
    answer = await ann.browser.put("/api/user/billing/payment", json={"payment_method": saved["payment_method"]})
    assert answer.status_code == 200, answer.text


async def test_an_upgrade_begins_at_once_and_brings_the_difference(ann: Payer) -> None:
    await ann.subscribe("creator")
    preview = (await ann.browser.get("/api/user/subscription/preview/producer/monthly")).json()["data"]
    assert preview["is_immediate"]
    assert preview["due_now"] == pytest.approx(3_000, abs=2)
    assert (await ann.change("producer", "monthly")).json()["data"]["step"] == "done"
    billing = await ann.billing()
    assert (billing["plan"], billing["pending"]) == ("producer", None)
    # Nearly the whole month is left, so nearly the whole difference of 2,100 minutes comes.
    assert sum(grant.seconds for grant in await ann.grants()) == pytest.approx(3_000 * 60, rel=0.001)
    assert [invoice.state for invoice in await ann.invoices()] == ["paid", "paid"]


@pytest.mark.long
async def test_an_upgrade_waits_for_its_payment(ann: Payer) -> None:
    await ann.subscribe("creator")
    await use_card(ann, ASKS)
    step = (await ann.change("producer", "monthly")).json()["data"]
    assert step["step"] == "confirm"
    billing = await ann.billing()
    assert (billing["plan"], billing["pending"]["tier"]) == ("creator", "producer")
    assert billing["due"] == pytest.approx(3_000, abs=2)
    assert len(await ann.grants()) == 1
    await confirm_payment(ann.server, step)
    billing = await ann.refresh()
    assert (billing["plan"], billing["pending"], billing["due"]) == ("producer", None, None)
    assert len(await ann.grants()) == 2


@pytest.mark.long
async def test_an_unpaid_upgrade_can_be_taken_back(ann: Payer) -> None:
    await ann.subscribe("creator")
    await use_card(ann, ASKS)
    await ann.change("producer", "monthly")
    answer = await ann.browser.put("/api/user/subscription/change/cancel")
    assert answer.status_code == 200
    billing = answer.json()["data"]
    assert (billing["plan"], billing["pending"], billing["due"]) == ("creator", None, None)
    assert [invoice.state for invoice in await ann.invoices()] == ["paid", "void"]


@pytest.mark.long
@pytest.mark.parametrize(("tier", "period"), [("personal", "monthly"), ("creator", "yearly"), ("producer", "yearly")])
async def test_a_lower_plan_or_another_period_begins_with_the_next_one(ann: Payer, tier: str, period: str) -> None:
    await ann.subscribe("creator")
    preview = (await ann.browser.get(f"/api/user/subscription/preview/{tier}/{period}")).json()["data"]
    assert (preview["is_immediate"], preview["due_now"]) == (False, 0)
    assert (await ann.change(tier, period)).json()["data"]["step"] == "done"
    billing = await ann.billing()
    assert billing["plan"] == "creator"
    assert (billing["subscription"]["next"]["tier"], billing["subscription"]["next"]["period"]) == (tier, period)
    taken_back = await ann.browser.put("/api/user/subscription/change/cancel")
    assert taken_back.json()["data"]["subscription"]["next"] is None
    nothing = await ann.browser.put("/api/user/subscription/change/cancel")
    assert nothing.status_code == 422
    assert [invoice.total for invoice in await ann.invoices()] == [1_900]


@pytest.mark.long
async def test_another_wish_replaces_the_waiting_one(ann: Payer) -> None:
    await ann.subscribe("producer")
    await ann.change("creator", "monthly")
    await ann.change("personal", "monthly")
    assert (await ann.billing())["subscription"]["next"]["tier"] == "personal"
    # Asking for the present plan takes it back, and an upgrade does so too.
    await ann.change("producer", "monthly")
    assert (await ann.billing())["subscription"]["next"] is None
    await ann.change("personal", "monthly")
    await ann.change("business", "monthly")
    billing = await ann.billing()
    assert (billing["plan"], billing["subscription"]["next"]) == ("business", None)


@pytest.mark.long
async def test_cancel_and_take_it_back(ann: Payer) -> None:
    await ann.subscribe("creator")
    await ann.change("personal", "monthly")
    cancelled = (await ann.get("/api/user/subscription/cancel")).json()["data"]
    subscription = cancelled["subscription"]
    assert subscription["cancel_at"] == subscription["period_end"]
    assert subscription["next"] is None
    assert cancelled["plan"] == "creator"
    refused = await ann.change("producer", "monthly")
    assert refused.status_code == 422
    assert "ends on" in refused.json()["message"]
    back = (await ann.get("/api/user/subscription/uncancel")).json()["data"]
    assert back["subscription"]["cancel_at"] is None


async def test_a_link_on_another_page_cancels_nothing(ann: Payer) -> None:
    await ann.subscribe("creator")
    for call in ("subscription/cancel", "subscription/uncancel", "stripe/intent"):
        assert (await ann.browser.get(f"/api/user/{call}")).status_code == 419
    assert (await ann.billing())["subscription"]["cancel_at"] is None


@pytest.mark.long
async def test_an_order_that_was_never_paid_can_be_cancelled(ann: Payer) -> None:
    await ann.order("creator", number=ASKS)
    assert (await ann.get("/api/user/subscription/cancel")).status_code == 200
    billing = await ann.billing()
    assert (billing["subscription"], billing["due"]) == (None, None)
    assert (await ann.get("/api/user/subscription/cancel")).status_code == 409


@pytest.mark.long
async def test_changes_need_a_subscription_and_a_plan_for_sale(ann: Payer) -> None:
    assert (await ann.change("creator", "monthly")).json()["code"] == "no_subscription"
    assert (await ann.get("/api/user/subscription/uncancel")).status_code == 409
    await ann.subscribe("creator")
    assert (await ann.change("creator", "monthly")).status_code == 422
    assert (await ann.change("corporate", "monthly")).status_code == 422
    assert (await ann.change("cheapest", "monthly")).status_code == 422


@pytest.mark.long
async def test_what_one_did_is_in_the_account_log(ann: Payer) -> None:
    await ann.subscribe("creator")
    await ann.change("producer", "monthly")
    entries = (await ann.browser.get("/api/user/log")).json()["data"]
    sentences = [entry["sentence"] for entry in entries]
    assert "Ordered the plan creator, paid monthly" in sentences
    assert "Changed to the plan producer, paid monthly" in sentences


async def test_prices_follow_the_plans_and_old_subscriptions_keep_theirs(ann: Payer) -> None:
    await ann.subscribe("creator")
    client = official_client(ann.server)
    (price,) = client.v1.prices.list({"lookup_keys": ["sagascript_creator_monthly"], "active": True}).data
    assert price.unit_amount == 1_900
    assert price.metadata.to_dict() == {"tier": "creator", "period": "monthly"}
