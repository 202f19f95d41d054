"""Invoices of the stand-in: what they bill, and what happens when they are charged."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from api.testing.stripe.cards import DECLINED, Behaviour
from api.testing.stripe.world import Refused, Thing, World, add_interval

DAY_S = 86_400
RETRY_AFTER_DAYS = (3, 8, 15)
"""After the first failure; then the subscription ends."""


class Invoices:
    def __init__(self, world: World) -> None:
        self.world = world

    def bill(self, sub: Thing, lines: list[Thing], reason: str, pending: Thing | None = None) -> Thing:
        world = self.world
        bill = self.draft(sub, lines, reason)
        bill |= {"id": world.new_id("in"), "status": "open", "number": self._number(sub)}
        world.things[bill["id"]] = bill
        bill["_pending"] = pending["id"] if pending is not None else None
        sub["latest_invoice"] = bill["id"]
        sub["discounts"] = [name for name in sub["discounts"] if self._goes_on(name)]
        if bill["amount_remaining"] <= 0:
            world.happened("invoice.finalized", bill)
            self._paid(bill)
            return bill
        payment_id = world.new_id("pi")
        world.add(
            "pi",
            "payment_intent",
            id=payment_id,
            client_secret=f"{payment_id}_secret_{world.new_id('x')}",
            amount=bill["amount_remaining"],
            currency=bill["currency"],
            customer=sub["customer"],
            status="requires_confirmation",
            payment_method=self._method_id(sub),
            last_payment_error=None,
            _invoice=bill["id"],
        )
        bill["_payment"] = payment_id
        world.happened("invoice.finalized", bill)
        return bill

    def draft(self, sub: Thing, lines: list[Thing], reason: str) -> Thing:
        """An invoice that does not exist yet, as a preview shows it."""
        now = self.world.now
        subtotal = sum(line["amount"] for line in lines)
        off = self._discounted(sub, lines)
        shown = [{name: value for name, value in line.items() if not name.startswith("_")} for line in lines]
        total = max(0, subtotal - sum(off.values()))
        customer = self.world.get(sub["customer"], "customer")
        return {
            "id": "upcoming",
            "object": "invoice",
            "created": now,
            "livemode": False,
            "metadata": {},
            "customer": customer["id"],
            "customer_email": customer.get("email"),
            "customer_name": customer.get("name"),
            "status": "draft",
            "number": None,
            "currency": sub["currency"],
            "billing_reason": reason,
            "collection_method": "charge_automatically",
            "subtotal": subtotal,
            "total": total,
            "amount_due": total,
            "amount_paid": 0,
            "amount_remaining": total,
            "attempt_count": 0,
            "attempted": False,
            "due_date": None,
            "period_start": now,
            "period_end": now,
            "total_taxes": [],
            "total_discount_amounts": [{"discount": name, "amount": amount} for name, amount in off.items()],
            "discounts": list(sub["discounts"]),
            "parent": {
                "type": "subscription_details",
                "quote_details": None,
                "subscription_details": {"subscription": sub["id"], "metadata": {}},
            },
            "status_transitions": {
                "finalized_at": now,
                "paid_at": None,
                "voided_at": None,
                "marked_uncollectible_at": None,
            },
            "lines": {
                "object": "list",
                "data": shown,
                "has_more": False,
                "url": "/v1/invoices/lines",
            },
            "_subscription": sub["id"],
        }

    def collect(self, bill: Thing, *, off_session: bool, method: str | None = None) -> None:
        """One try to charge an open invoice."""
        world = self.world
        payment = world.get(bill["_payment"], "payment_intent")
        sub = world.get(bill["_subscription"], "subscription")
        payment["payment_method"] = method or self._method_id(sub)
        bill |= {"attempted": True, "attempt_count": bill["attempt_count"] + 1}
        behaviour = self._behaviour(payment["payment_method"])
        if behaviour is Behaviour.PAYS:
            payment["status"] = "succeeded"
            self._paid(bill)
        elif behaviour is Behaviour.ASKS:
            payment["status"] = "requires_action"
            world.happened("invoice.payment_action_required", bill)
            self._failed(bill, sub, off_session=off_session)
        else:
            payment |= {"status": "requires_payment_method", "last_payment_error": _declined()}
            self._failed(bill, sub, off_session=off_session)

    def authenticated(self, payment: Thing, success: bool) -> None:
        """The bank's answer about the customer."""
        bill = self.world.get(payment["_invoice"], "invoice")
        if success and bill["status"] == "open":
            payment["status"] = "succeeded"
            self._paid(bill)
        elif not success:
            message = "We are unable to authenticate your payment method. Please choose a different one and try again."
            error = {"type": "card_error", "code": "payment_intent_authentication_failure", "message": message}
            payment |= {"status": "requires_payment_method", "last_payment_error": error}

    def void(self, bill: Thing) -> Thing:
        if bill["status"] != "open":
            raise Refused(400, "You can only void open invoices.")
        bill["status"] = "void"
        bill["status_transitions"]["voided_at"] = self.world.now
        sub = self.world.get(bill["_subscription"], "subscription")
        if bill.get("_pending") and sub["pending_update"]:
            sub["pending_update"] = None
            self.world.happened("customer.subscription.pending_update_expired", sub)
        self.world.happened("invoice.voided", bill)
        return bill

    def _paid(self, bill: Thing) -> None:
        world = self.world
        bill |= {"status": "paid", "amount_paid": bill["amount_due"], "amount_remaining": 0}
        bill["status_transitions"]["paid_at"] = world.now
        sub = world.get(bill["_subscription"], "subscription")
        sub["_retries"] = []
        if bill.get("_pending") and sub["pending_update"]:
            self.switch(sub, world.get(bill["_pending"], "price"))
            world.happened("customer.subscription.pending_update_applied", sub)
        if sub["status"] in ("incomplete", "past_due"):
            sub["status"] = "active"
            world.happened("customer.subscription.updated", sub)
        world.happened("invoice.paid", bill)

    def _failed(self, bill: Thing, sub: Thing, *, off_session: bool) -> None:
        world = self.world
        world.happened("invoice.payment_failed", bill)
        if bill["billing_reason"] == "subscription_cycle" and sub["status"] == "active":
            sub["status"] = "past_due"
            sub["_retries"] = [world.now + days * DAY_S for days in RETRY_AFTER_DAYS] if off_session else []
            world.happened("customer.subscription.updated", sub)

    def _price(self, params: Thing) -> Thing:
        items = params.get("items") or [{}]
        return self.world.get(items[0].get("price"), "price")

    def _item(self, sub: Thing) -> Thing:
        item: Thing = sub["items"]["data"][0]
        return item

    def switch(self, sub: Thing, price: Thing) -> None:
        self._item(sub)["price"] = price
        sub["pending_update"] = None

    def _method_id(self, sub: Thing) -> str | None:
        customer = self.world.get(sub["customer"], "customer")
        method: str | None = sub["default_payment_method"] or customer["invoice_settings"]["default_payment_method"]
        return method

    def _behaviour(self, method: str | None) -> Behaviour:
        return Behaviour(self.world.get(method, "payment_method")["_behaviour"]) if method else Behaviour.FAILS

    def _number(self, sub: Thing) -> str:
        prefix = sub["customer"].removeprefix("cus_")[:8].upper()
        return f"{prefix}-{len(self.world.all('invoice', customer=sub['customer'])) + 1:04d}"

    def line(self, sub: Thing, price: Thing, amount: int, start: int, end: int, text: str = "") -> Thing:
        name = self.world.get(price["product"], "product")["name"]
        each = f"1 × {name} (at ${price['unit_amount'] / 100:.2f} / {price['recurring']['interval']})"
        return {
            "id": self.world.new_id("il"),
            "object": "line_item",
            "amount": amount,
            "subtotal": amount,
            "currency": price["currency"],
            "description": f"{text} {name}" if text else each,
            "quantity": 1,
            "livemode": False,
            "metadata": {},
            "period": {"start": start, "end": end},
            "discount_amounts": [],
            "taxes": [],
            "subscription": sub["id"],
            "parent": {
                "type": "subscription_item_details",
                "invoice_item_details": None,
                "subscription_item_details": {
                    "proration": bool(text),
                    "subscription": sub["id"],
                    "subscription_item": self._item(sub)["id"] if "items" in sub else None,
                },
            },
            "pricing": {
                "type": "price_details",
                "price_details": {"price": price["id"], "product": price["product"]},
                "unit_amount_decimal": str(price["unit_amount"]),
            },
        }

    def _discount(self, given: Thing, sub: Thing) -> Thing:
        world = self.world
        promotion = world.get(given["promotion_code"], "promotion_code") if "promotion_code" in given else None
        coupon_id = promotion["promotion"]["coupon"] if promotion is not None else given.get("coupon")
        coupon = world.get(coupon_id, "coupon")
        months = coupon["duration_in_months"]
        return world.add(
            "di",
            "discount",
            customer=sub["customer"],
            subscription=sub.get("id"),
            promotion_code=promotion["id"] if promotion is not None else None,
            source={"type": "coupon", "coupon": coupon["id"]},
            start=world.now,
            end=self._months_on(months) if months else None,
        )

    def _months_on(self, months: int) -> int:
        moment = self.world.now
        day = datetime.fromtimestamp(moment, UTC).day
        for _ in range(months):
            moment = add_interval(moment, "month", day)
        return moment

    def discount_of(self, given: Thing, sub: Thing) -> str:
        """For previews."""
        return str(self._discount(given, sub)["id"])

    def _discounted(self, sub: Thing, lines: list[Thing]) -> dict[str, int]:
        """Take the discounts off the lines, each off what the ones before it left. Returns the sums by discount."""
        names = [name for name in sub["discounts"] if self._is_open(name)]
        sums = dict.fromkeys(names, 0)
        for line in lines:
            left = line["amount"]
            if left <= 0:
                continue
            for name in names:
                off = self._off(name, left, sums[name])
                line["discount_amounts"].append({"discount": name, "amount": off})
                left, sums[name] = left - off, sums[name] + off
        for line in lines:
            # A credit takes back the discount that its time was bought with.
            if share := line.get("_share_off"):
                back = -_cents(-line["amount"] * share)
                line["discount_amounts"].append({"discount": "di_credited", "amount": back})
                sums["di_credited"] = back
        return sums

    def _off(self, name: str, amount: int, before: int) -> int:
        """What a discount takes off a line; an amount counts once per invoice."""
        coupon = self._coupon(name)
        if coupon["percent_off"]:
            return _cents(amount * coupon["percent_off"] / 100)
        return max(0, min(amount, (coupon["amount_off"] or 0) - before))

    def _coupon(self, name: str) -> Thing:
        return self.world.get(self.world.get(name, "discount")["source"]["coupon"], "coupon")

    def _is_open(self, name: str) -> bool:
        end = self.world.get(name, "discount")["end"]
        return end is None or end > self.world.now

    def _goes_on(self, name: str) -> bool:
        """Whether a discount stays after an invoice: one for once has had its own."""
        return self._coupon(name)["duration"] != "once" and self._is_open(name)


def _cents(amount: float) -> int:
    """Half a cent is rounded up."""
    return int(Decimal(str(amount)).quantize(Decimal(1), ROUND_HALF_UP))


def _declined() -> dict[str, Any]:
    return {"type": "card_error", "code": "card_declined", "message": DECLINED}
