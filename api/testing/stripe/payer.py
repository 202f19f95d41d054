"""A person who pays: their browser at the product, and what they do at the stand-in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx2
from sqlalchemy import select, update

from api.people.billing.models import Invoice
from api.people.plans.minutes import Grant
from api.people.plans.models import Subscription
from api.people.users.models import User
from api.platform.db.base import utc_now
from api.platform.db.engine import Database
from api.testing.browser import Browser
from api.testing.stripe.app import WEBHOOK_SECRET
from api.testing.stripe.client import PAYS, confirm_payment, save_card
from api.testing.stripe.delivery import signed
from api.testing.stripe.server import StripeServer


@dataclass
class Payer:
    browser: Browser
    server: StripeServer
    database: Database

    async def intent(self, number: str = PAYS) -> dict[str, Any]:
        """A saved card, as the setup intent that saved it."""
        answer = await self.get("/api/user/stripe/intent")
        assert answer.status_code == 200, answer.text
        intent: dict[str, Any] = answer.json()["data"]
        await save_card(self.server, intent, number)
        return intent

    async def order(
        self,
        tier: str,
        period: str = "monthly",
        *,
        number: str = PAYS,
        coupon: str | None = None,
        due: int | None = None,
    ) -> httpx2.Response:
        """Choose a plan and a card, up to the answer that says how to confirm the payment."""
        intent = await self.intent(number)
        body = {"type": tier, "period": period, "intent": intent["id"], "coupon": coupon, "due": due}
        return await self.browser.post("/api/user/subscribe", json=body)

    async def subscribe(self, tier: str, period: str = "monthly", *, coupon: str | None = None) -> None:
        """Order a plan and pay for it."""
        step = (await self.order(tier, period, coupon=coupon)).json()["data"]
        if step["step"] == "confirm":
            await confirm_payment(self.server, step)
        await self.refresh()

    async def change(self, tier: str, period: str, shown: dict[str, Any] | None = None) -> httpx2.Response:
        """`shown`: the preview that the page confirms."""
        body = {"due": shown["due_now"], "as_of": shown["as_of"]} if shown is not None else None
        return await self.browser.put(f"/api/user/subscription/change/{tier}/{period}", json=body)

    async def preview(self, tier: str, period: str = "monthly", *, coupon: str | None = None) -> dict[str, Any]:
        """What the page shows before an order or a change."""
        path = f"/api/user/subscription/preview/{tier}/{period}"
        answer = await self.browser.get(path, params={"coupon": coupon} if coupon is not None else {})
        assert answer.status_code == 200, answer.text
        return dict(answer.json()["data"])

    async def get(self, path: str) -> httpx2.Response:
        """A GET with the anti-forgery header, which those that change something demand."""
        return await self.browser.get(path, headers=self.browser.csrf_headers())

    async def billing(self) -> dict[str, Any]:
        return dict((await self.browser.get("/api/user/billing")).json()["data"])

    async def refresh(self) -> dict[str, Any]:
        answer = await self.browser.post("/api/user/billing/refresh")
        assert answer.status_code == 200, answer.text
        return dict(answer.json()["data"])

    async def me(self) -> dict[str, Any]:
        return dict((await self.browser.get("/api/user")).json()["data"])

    def events(self) -> list[dict[str, Any]]:
        """This person's events at the stand-in, in the order in which they happened."""
        customers = {
            thing["id"]
            for thing in self.server.control("things", kind="customer")
            if thing["metadata"].get("user_id") == self.browser.user["id"]
        }
        return [each for each in self.server.control("events") if _customer(each) in customers]

    async def deliver(self, event: dict[str, Any], **options: Any) -> httpx2.Response:
        """Bring an event to the webhook."""
        return await deliver(self.browser, event, **options)

    async def subscriptions(self) -> list[Subscription]:
        async with self.database.read() as session:
            statement = select(Subscription).where(Subscription.user_id == self.browser.user_id)
            return list(await session.scalars(statement.order_by(Subscription.created_at)))

    async def invoices(self) -> list[Invoice]:
        async with self.database.read() as session:
            statement = select(Invoice).where(Invoice.user_id == self.browser.user_id)
            return list(await session.scalars(statement.order_by(Invoice.issued_at, Invoice.number)))

    async def grants(self) -> list[Grant]:
        """What the plan has brought to the ledger, in the order of time."""
        async with self.database.read() as session:
            statement = select(Grant).where(Grant.payer_id == self.browser.user_id)
            return list(await session.scalars(statement.order_by(Grant.starts_at, Grant.created_at)))


def _customer(event: dict[str, Any]) -> str:
    about = event["data"]["object"]
    return str(about["id"] if about["object"] == "customer" else about.get("customer"))


async def deliver(
    browser: Browser, event: dict[str, Any], *, secret: str = WEBHOOK_SECRET, timestamp: int | None = None
) -> httpx2.Response:
    body, headers = signed(event, secret, timestamp)
    # Stripe has neither cookies nor an anti-forgery token.
    return await httpx2.AsyncClient(transport=browser._transport, base_url=browser.base_url).post(
        "/api/billing/webhook", content=body, headers=headers
    )


async def verify_email(database: Database, browser: Browser) -> None:
    """Where people pay, they first confirm their address."""
    async with database.write() as session:
        await session.execute(update(User).where(User.id == browser.user_id).values(email_verified_at=utc_now()))
