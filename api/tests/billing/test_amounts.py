"""What pages show before somebody pays is what the invoice takes, to the cent, now and with the next period."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from pypdf import PdfReader

from api.people.billing.models import BillingAccount
from api.platform.db.base import utc_now
from api.testing.browser import SignUp
from api.testing.stripe.client import ASKS, confirm_payment, official_client
from api.testing.stripe.payer import Payer, verify_email
from api.testing.stripe.server import StripeServer, running_stripe

COUPONS: tuple[dict[str, Any], ...] = (
    {"id": "QUARTER", "percent_off": 25, "duration": "forever"},
    {"id": "THIRD", "percent_off": 33.3, "duration": "repeating", "duration_in_months": 2},
    {"id": "WELCOME", "percent_off": 20, "duration": "repeating", "duration_in_months": 3},
    {"id": "FIVER", "amount_off": 500, "currency": "usd", "duration": "once"},
    {"id": "TENNER", "amount_off": 1_000, "currency": "usd", "duration": "repeating", "duration_in_months": 2},
    {"id": "GIFT", "percent_off": 100, "duration": "once"},
)


@pytest.fixture
def server() -> Iterator[StripeServer]:
    """A stand-in of one's own: these tests move its clock."""
    with running_stripe() as server:
        client = official_client(server)
        for coupon in COUPONS:
            client.v1.coupons.create(coupon)  # type: ignore[arg-type]
        yield server


@pytest.fixture
async def buyers(ann: Payer, sign_up: SignUp) -> dict[str | None, Payer]:
    """Somebody for each coupon, and for none."""
    people: dict[str | None, Payer] = {None: ann}
    for coupon in COUPONS:
        browser = await sign_up(f"with.{coupon['id'].lower()}")
        await verify_email(ann.database, browser)
        people[coupon["id"]] = Payer(browser, ann.server, ann.database)
    return people


async def bills(payer: Payer) -> list[dict[str, Any]]:
    """A person's invoices at the stand-in, the newest first."""
    async with payer.database.read() as session:
        account = await session.get_one(BillingAccount, payer.browser.user_id)
    invoices: list[dict[str, Any]] = payer.server.control("things", kind="invoice")
    return [bill for bill in invoices if bill["customer"] == account.customer_id]


async def newest(payer: Payer) -> int:
    return int((await bills(payer))[0]["total"])


async def order(payer: Payer, tier: str, period: str, coupon: str | None) -> dict[str, Any]:
    """Look at the amount, confirm it and pay it."""
    shown = await payer.preview(tier, period, coupon=coupon)
    answer = await payer.order(tier, period, coupon=coupon, due=shown["due_now"])
    assert answer.status_code == 200, answer.text
    step = answer.json()["data"]
    if step["step"] == "confirm":
        await confirm_payment(payer.server, step)
    await payer.refresh()
    return shown


def agrees(shown: dict[str, Any]) -> bool:
    """Whether the lines of a preview add up to its amount."""
    return bool(sum(line["amount"] for line in shown["lines"]) - shown["discount"] == shown["due_now"])


def days_between(first: str, second: str) -> float:
    return abs(datetime.fromisoformat(first) - datetime.fromisoformat(second)) / timedelta(days=1)


@pytest.mark.parametrize("period", ["monthly", pytest.param("yearly", marks=pytest.mark.long)])
async def test_an_order_costs_what_was_shown(buyers: dict[str | None, Payer], ann: Payer, period: str) -> None:
    later = {}
    for coupon, payer in buyers.items():
        shown = await order(payer, "creator", period, coupon)
        assert agrees(shown)
        assert await newest(payer) == shown["due_now"], coupon
        assert sum(grant.seconds for grant in await payer.grants()) == shown["seconds"] == 900 * 60
        subscription = (await payer.billing())["subscription"]
        assert subscription["renewal_amount"] == shown["next_amount"]
        ends = [each["discount_until"] for each in (subscription, shown)]
        # The order begins a moment after it was shown.
        assert ends[0] == ends[1] or days_between(*ends) < 1, coupon
        later[coupon] = shown["next_amount"]
    ann.server.advance(32 if period == "monthly" else 367)
    assert {coupon: await newest(payer) for coupon, payer in buyers.items()} == later


@pytest.mark.long
async def test_an_upgrade_costs_what_was_shown(buyers: dict[str | None, Payer], ann: Payer) -> None:
    later = {}
    for coupon, payer in buyers.items():
        await order(payer, "creator", "monthly", coupon)
        shown = await payer.preview("producer")
        assert shown["is_immediate"]
        assert agrees(shown)
        changed = await payer.change("producer", "monthly", shown)
        assert changed.status_code == 200, changed.text
        assert await newest(payer) == shown["due_now"], coupon
        # The plan promises 3,000 minutes a month, and right after the order nothing of the month is gone.
        first, more = await payer.grants()
        assert (first.seconds, more.seconds) == (900 * 60, shown["seconds"])
        assert (await payer.billing())["subscription"]["renewal_amount"] == shown["next_amount"]
        later[coupon] = shown["next_amount"]
    balance = (await ann.browser.get("/api/ledger/balance")).json()["data"]
    assert (balance["included"], balance["available"]) == (3_000 * 60, 3_000 * 60)
    ann.server.advance(32)
    assert {coupon: await newest(payer) for coupon, payer in buyers.items()} == later


@pytest.mark.long
async def test_a_waiting_change_costs_what_was_shown(buyers: dict[str | None, Payer], ann: Payer) -> None:
    later = {}
    for coupon in (None, "WELCOME", "GIFT"):
        payer = buyers[coupon]
        await order(payer, "producer", "monthly", coupon)
        shown = await payer.preview("creator")
        assert (shown["is_immediate"], shown["due_now"], shown["seconds"]) == (False, 0, 0)
        await payer.change("creator", "monthly", shown)
        billing = await payer.billing()
        assert billing["subscription"]["renewal_amount"] == shown["next_amount"]
        assert billing["subscription"]["next"]["price"] == shown["price"]
        later[coupon] = shown["next_amount"]
    ann.server.advance(32)
    assert {coupon: await newest(buyers[coupon]) for coupon in later} == later


@pytest.mark.long
async def test_an_upgrade_that_waits_for_its_payment_costs_what_was_shown(ann: Payer) -> None:
    await order(ann, "creator", "monthly", "WELCOME")
    customer = ann.server.control("things", kind="customer")[0]
    ann.server.control("card", customer=customer["id"], behaviour="asks")
    shown = await ann.preview("producer")
    await ann.change("producer", "monthly", shown)
    assert (await ann.billing())["due"] == (await bills(ann))[0]["amount_due"] == shown["due_now"]
    # Looked at again, it is the same invoice, and choosing it again makes no other.
    again = await ann.preview("producer")
    assert (again["due_now"], again["discount"]) == (shown["due_now"], shown["discount"])
    count = len(await bills(ann))
    step = (await ann.change("producer", "monthly", again)).json()["data"]
    assert (step["step"], len(await bills(ann))) == ("confirm", count)
    other = await ann.browser.post("/api/user/billing/pay", json={"due": shown["due_now"] + 1})
    assert (other.status_code, other.json()["code"]) == (409, "amount_changed")
    paid = (await ann.browser.post("/api/user/billing/pay", json={"due": shown["due_now"]})).json()["data"]
    await confirm_payment(ann.server, paid)
    assert (await ann.refresh())["plan"] == "producer"


@pytest.mark.long
async def test_another_amount_than_shown_is_not_charged(ann: Payer) -> None:
    refused = await ann.order("creator", due=1_520)
    assert (refused.status_code, refused.json()["code"]) == (409, "amount_changed")
    assert "Nothing was charged" in refused.json()["message"]
    assert ann.server.control("things", kind="invoice") == []
    await order(ann, "creator", "monthly", None)
    shown = await ann.preview("producer")
    cheaper = await ann.change("producer", "monthly", shown | {"due_now": shown["due_now"] - 1})
    assert cheaper.json()["code"] == "amount_changed"
    as_of = datetime.fromisoformat(shown["as_of"])
    # Nobody chooses the moment: one to come would cost next to nothing, one of the former period is not this one's.
    for moved in (timedelta(days=20), timedelta(days=-1)):
        at_another_time = await ann.change("producer", "monthly", shown | {"as_of": (as_of + moved).isoformat()})
        assert at_another_time.json()["code"] == "amount_changed"
    assert len(await bills(ann)) == 1
    assert (await ann.change("producer", "monthly", shown)).status_code == 200
    assert await newest(ann) == shown["due_now"]


async def test_a_price_that_is_no_longer_sold_is_shown_as_it_was(ann: Payer) -> None:
    client = official_client(ann.server)
    key, interval = "sagascript_creator_monthly", {"interval": "month"}
    (sold,) = client.v1.prices.list({"lookup_keys": [key]}).data
    made: Any = {"product": sold.product, "currency": "usd", "recurring": interval, "lookup_key": key}
    made |= {"transfer_lookup_key": True, "metadata": sold.metadata.to_dict()}
    client.v1.prices.create(made | {"unit_amount": 1_700})
    shown = await order(ann, "creator", "monthly", None)
    client.v1.prices.create(made | {"unit_amount": 1_900})
    subscription = (await ann.refresh())["subscription"]
    assert subscription["price"] == subscription["renewal_amount"] == shown["due_now"] == 1_700
    ann.server.advance(32)
    assert await newest(ann) == 1_700


async def test_the_bank_asks_for_the_amount_that_was_shown(ann: Payer) -> None:
    shown = await ann.preview("creator", coupon="WELCOME")
    await ann.order("creator", number=ASKS, coupon="WELCOME", due=shown["due_now"])
    billing = await ann.billing()
    assert billing["due"] == shown["due_now"] == (await bills(ann))[0]["amount_due"] == 1_520
    # The document says who sells and who buys, when, and how the amount comes about.
    (invoice,) = await ann.invoices()
    answer = await ann.browser.get(f"/api/billing/invoices/{invoice.id}/pdf")
    text = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)
    now = utc_now()
    today = f"{now.day} {now:%B %Y}"
    for words in ("Sagascript", "Ann", "ann@example.com", today, "Sagascript Creator", "-3.80 USD", "Tax", "15.20 USD"):
        assert words in text, words
