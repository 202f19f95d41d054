"""Stripe's prices of our plans: found by lookup key, made from `PLANS`."""

from __future__ import annotations

import time
from dataclasses import dataclass

from api.people.billing.errors import PaymentsNotSetUp
from api.people.billing.stripe.gateway import Gateway, stripe_errors
from api.people.plans.tiers import CURRENCY, FOR_SALE, PLANS, BillingPeriod, PlanTier

LOOK_AGAIN_S = 300.0
INTERVALS = {BillingPeriod.MONTHLY: "month", BillingPeriod.YEARLY: "year"}


@dataclass(frozen=True, slots=True)
class Offer:
    """A plan for a period: what one price of Stripe stands for."""

    tier: PlanTier
    period: BillingPeriod

    @property
    def amount(self) -> int:
        return PLANS[self.tier].price(self.period)

    @property
    def lookup_key(self) -> str:
        return f"sagascript_{self.tier}_{self.period}"


OFFERS = tuple(Offer(tier, period) for tier in FOR_SALE for period in BillingPeriod)


class Prices:
    """Prices by offer and offers by price, read again now and then: `sync-prices` may have made new ones."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._ids: dict[Offer, str] = {}
        self._offers: dict[str, Offer | None] = {}
        self._read_at = -LOOK_AGAIN_S

    async def id_of(self, offer: Offer) -> str:
        """The price that a new subscription of this offer has. Raises `PaymentsNotSetUp` where none was made."""
        if time.monotonic() - self._read_at >= LOOK_AGAIN_S or offer not in self._ids:
            await self._read()
        if offer not in self._ids:
            raise PaymentsNotSetUp
        return self._ids[offer]

    async def offer_of(self, price_id: str) -> Offer | None:
        """What a price stands for, also one that is no longer sold. None for a price that is not ours."""
        if price_id not in self._offers:
            with stripe_errors():
                price = await self._gateway.v1.prices.retrieve_async(price_id)
            self._offers[price_id] = _offer_in(price.metadata.to_dict())
        return self._offers[price_id]

    async def _read(self) -> None:
        with stripe_errors():
            found = await self._gateway.v1.prices.list_async(
                {"active": True, "limit": 100, "lookup_keys": [offer.lookup_key for offer in OFFERS]}
            )
        by_key = {price.lookup_key: price.id for price in found.data}
        self._ids = {offer: by_key[offer.lookup_key] for offer in OFFERS if offer.lookup_key in by_key}
        self._offers |= {price_id: offer for offer, price_id in self._ids.items()}
        self._read_at = time.monotonic()


def _offer_in(metadata: dict[str, str]) -> Offer | None:
    try:
        return Offer(PlanTier(metadata["tier"]), BillingPeriod(metadata["period"]))
    except (KeyError, ValueError):
        return None


async def sync_prices(gateway: Gateway) -> list[str]:
    """Create what is missing at Stripe, so that its prices are those of `PLANS`. Returns what was done, in sentences.

    A price cannot be changed: a new one takes over the lookup key, and running subscriptions keep theirs.
    """
    done: list[str] = []
    with stripe_errors():
        products = {product.id for product in (await gateway.v1.products.list_async({"limit": 100})).data}
        prices = await gateway.v1.prices.list_async(
            {"limit": 100, "active": True, "lookup_keys": [offer.lookup_key for offer in OFFERS]}
        )
        present = {price.lookup_key: price for price in prices.data}
        for offer in OFFERS:
            product = f"sagascript_{offer.tier}"
            if product not in products:
                await gateway.v1.products.create_async(
                    {"id": product, "name": f"Sagascript {PLANS[offer.tier].label}", "metadata": {"tier": offer.tier}}
                )
                products.add(product)
                done.append(f"Created the product {product}.")
            old = present.get(offer.lookup_key)
            if old is not None and old.unit_amount == offer.amount and old.currency == CURRENCY:
                continue
            await gateway.v1.prices.create_async(
                {
                    "product": product,
                    "currency": CURRENCY,
                    "unit_amount": offer.amount,
                    "recurring": {"interval": INTERVALS[offer.period]},
                    "lookup_key": offer.lookup_key,
                    "transfer_lookup_key": True,
                    "nickname": f"{PLANS[offer.tier].label}, {offer.period}",
                    "metadata": {"tier": offer.tier, "period": offer.period},
                }
            )
            if old is not None:
                await gateway.v1.prices.update_async(old.id, {"active": False})
            done.append(f"Created the price {offer.lookup_key}: {offer.amount / 100:.2f} {CURRENCY}.")
    return done
