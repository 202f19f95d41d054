"""A person as a customer: buys a plan at the stand-in for Stripe, changes it, cancels it, and keeps it after all."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote

from api.people.auth.csrf import XSRF_COOKIE, XSRF_HEADER
from api.people.plans.tiers import BillingPeriod, PlanTier
from api.testing.stripe.client import confirm_payment, save_card
from api.testing.stripe.server import StripeServer
from benchmarks.soak.browser import Answer
from benchmarks.soak.durability.client.actor import Actor
from benchmarks.soak.durability.journal import Event

OK = 200
TIERS = (PlanTier.PERSONAL, PlanTier.CREATOR, PlanTier.PRODUCER, PlanTier.BUSINESS, PlanTier.ENTERPRISE)
CONFIRM = "confirm"


@dataclass
class Customer(Actor):
    """Each act is noted before the request, and its answer after. Acts that make no sense just now are refused."""

    shop: StripeServer = field(kw_only=True)

    async def live_on(self) -> None:
        """One act by chance."""
        change, keep = self.change_by_chance, self.keep
        await self.luck.choice((change, change, change, self.cancel, keep, keep, self.take_back))()

    async def buy(self, tier: PlanTier = PlanTier.PERSONAL, period: BillingPeriod = BillingPeriod.MONTHLY) -> None:
        """Save a card, order a plan and pay."""
        intent = (await self.insist("GET", "/api/user/stripe/intent", headers=self._headers())).json()["data"]
        await save_card(self.shop, intent)
        body = {"type": tier, "period": period, "intent": intent["id"], "coupon": None, "currency": "usd"}
        await self._pay(await self._act("buy", "POST", "/api/user/subscribe", json=body))

    async def change_by_chance(self) -> None:
        await self.change(self.luck.choice(TIERS), self.luck.choice(tuple(BillingPeriod)))

    async def change(self, tier: PlanTier, period: BillingPeriod = BillingPeriod.MONTHLY) -> None:
        await self._pay(await self._act("change", "PUT", f"/api/user/subscription/change/{tier}/{period}"))

    async def take_back(self) -> None:
        await self._act("take back", "PUT", "/api/user/subscription/change/cancel")

    async def cancel(self) -> None:
        await self._act("cancel", "GET", "/api/user/subscription/cancel")

    async def keep(self) -> None:
        """Take a cancellation back."""
        await self._act("keep", "GET", "/api/user/subscription/uncancel")

    async def _act(self, act: str, method: str, path: str, **body: object) -> Answer:
        self.journal.note(Event.PLAN_ASKED, user_id=self.browser.user_id, act=act)
        answer = await self.insist(method, path, headers=self._headers(), **body)
        self.journal.note(Event.PLAN_ANSWERED, user_id=self.browser.user_id, act=act, status=answer.status_code)
        self.counted(f"plan: {act}" if answer.status_code == OK else "plan: refused")
        return answer

    def _headers(self) -> dict[str, str]:
        """The anti-forgery header, which GETs that change something demand too."""
        return {XSRF_HEADER: unquote(self.browser.http.cookies.get(XSRF_COOKIE) or "")}

    async def _pay(self, answer: Answer) -> None:
        step = answer.json()["data"] if answer.status_code == OK else {}
        if step.get("step") == CONFIRM:
            await confirm_payment(self.shop, step)
        if self.one_in(2):
            # The page asks after a payment. Where it has been closed, the event alone must bring the plan.
            await self.insist("POST", "/api/user/billing/refresh")
