"""How subscriptions live: invoices, payments, prorations, schedules and renewals."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from api.testing.stripe.cards import DECLINED, Behaviour
from api.testing.stripe.world import Refused, Thing, World, add_interval

DAY_S = 86_400
EXPIRES_AFTER_S = 23 * 3600
RETRY_AFTER_DAYS = (3, 8, 15)
"""After the first failure; then the subscription ends."""
RUNNING = ("active", "past_due")


class Engine:
    def __init__(self, world: World) -> None:
        self.world = world

    # ---- subscriptions ------------------------------------------------------------------------------------------

    def subscribe(self, params: Thing) -> Thing:
        world = self.world
        customer = world.get(params.get("customer"), "customer")
        price = self._price(params)
        start = world.now
        anchor_day = datetime.fromtimestamp(start, UTC).day
        end = add_interval(start, price["recurring"]["interval"], anchor_day)
        sub = world.add(
            "sub",
            "subscription",
            customer=customer["id"],
            status="incomplete",
            billing_mode={"type": "flexible"},
            billing_cycle_anchor=start,
            cancel_at=None,
            cancel_at_period_end=False,
            canceled_at=None,
            ended_at=None,
            currency=price["currency"],
            collection_method="charge_automatically",
            default_payment_method=params.get("default_payment_method"),
            discounts=[],
            latest_invoice=None,
            pending_update=None,
            schedule=None,
            start_date=start,
            metadata=params.get("metadata", {}),
            _anchor_day=anchor_day,
            _retries=[],
        )
        item = {"id": world.new_id("si"), "object": "subscription_item", "price": price, "quantity": 1}
        item |= {"current_period_start": start, "current_period_end": end, "subscription": sub["id"], "metadata": {}}
        item |= {"created": start, "discounts": []}
        sub["items"] = {"object": "list", "data": [item], "has_more": False, "url": "/v1/subscription_items"}
        sub["discounts"] = [self._discount(each, sub)["id"] for each in params.get("discounts", [])]
        world.happened("customer.subscription.created", sub)
        line = self.line(sub, price, price["unit_amount"], start, end)
        bill = self.bill(sub, [line], "subscription_create")
        if bill["status"] == "open" and params.get("payment_behavior") != "default_incomplete":
            self.collect(bill, off_session=False)
        return sub

    def update(self, sub: Thing, params: Thing) -> Thing:
        world = self.world
        if sub["status"] in ("canceled", "incomplete_expired"):
            raise Refused(404, f"No such subscription: '{sub['id']}'", code="resource_missing")
        if "default_payment_method" in params:
            sub["default_payment_method"] = params["default_payment_method"]
        if "cancel_at" in params:
            wish = params["cancel_at"]
            ends = {"min_period_end": self._item(sub)["current_period_end"], "": None}
            sub["cancel_at"] = ends[wish] if wish in ends else int(wish)
            sub["canceled_at"] = world.now if sub["cancel_at"] else None
        sub["metadata"] |= params.get("metadata", {})
        if params.get("items"):
            self._change_price(sub, params)
        world.happened("customer.subscription.updated", sub)
        return sub

    def end(self, sub: Thing, status: str = "canceled") -> Thing:
        world = self.world
        for bill in world.all("invoice", _subscription=sub["id"], status="open"):
            self.void(bill)
        sub |= {"status": status, "ended_at": world.now, "canceled_at": world.now, "pending_update": None}
        if sub["schedule"]:
            self.release(world.get(sub["schedule"], "subscription_schedule"))
        kind = "deleted" if status == "canceled" else "updated"
        world.happened(f"customer.subscription.{kind}", sub)
        return sub

    def _change_price(self, sub: Thing, params: Thing) -> None:
        if sub["schedule"]:
            raise Refused(400, "The subscription is managed by the subscription schedule.")
        price = self._price(params)
        lines = self.prorations(sub, price)
        bill = self.bill(sub, lines, "subscription_update", pending=price)
        if bill["status"] == "open":
            self.collect(bill, off_session=False)
        if bill["status"] == "paid":
            self._switch(sub, price)
            return
        item = {**self._item(sub), "price": price}
        sub["pending_update"] = {
            "expires_at": self.world.now + EXPIRES_AFTER_S,
            "subscription_items": [item],
            "billing_cycle_anchor": None,
            "trial_end": None,
        }

    def prorations(self, sub: Thing, price: Thing) -> list[Thing]:
        """A credit for the rest of the period at the old price, and that rest at the new one."""
        item = self._item(sub)
        start, end = item["current_period_start"], item["current_period_end"]
        now = min(max(self.world.now, start), end)
        left = (end - now) / (end - start)
        old = item["price"]
        return [
            self.line(sub, old, -round(old["unit_amount"] * left), now, end, text="Unused time on"),
            self.line(sub, price, round(price["unit_amount"] * left), now, end, text="Remaining time on"),
        ]

    def _switch(self, sub: Thing, price: Thing) -> None:
        self._item(sub)["price"] = price
        sub["pending_update"] = None

    # ---- invoices -----------------------------------------------------------------------------------------------

    def bill(self, sub: Thing, lines: list[Thing], reason: str, pending: Thing | None = None) -> Thing:
        world = self.world
        bill = self.draft(sub, lines, reason)
        bill |= {"id": world.new_id("in"), "status": "open", "number": self._number(sub)}
        world.things[bill["id"]] = bill
        bill["_pending"] = pending["id"] if pending is not None else None
        sub["latest_invoice"] = bill["id"]
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
        off = [self._off(discount, subtotal, reason) for discount in sub["discounts"]]
        total = max(0, subtotal - sum(amount for _, amount in off))
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
            "total_discount_amounts": [{"discount": name, "amount": amount} for name, amount in off],
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
            "lines": {"object": "list", "data": lines, "has_more": False, "url": "/v1/invoices/lines"},
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
            self._switch(sub, world.get(bill["_pending"], "price"))
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

    # ---- schedules ----------------------------------------------------------------------------------------------

    def schedule(self, params: Thing) -> Thing:
        world = self.world
        sub = world.get(params.get("from_subscription"), "subscription")
        if sub["schedule"]:
            raise Refused(400, "This subscription is already attached to a schedule.")
        item = self._item(sub)
        phase = {
            "items": [{"price": item["price"]["id"], "quantity": 1, "metadata": {}, "discounts": []}],
            "start_date": item["current_period_start"],
            "end_date": item["current_period_end"],
            "discounts": [{"discount": name, "coupon": None, "promotion_code": None} for name in sub["discounts"]],
            "metadata": {},
        }
        made = world.add(
            "sub_sched",
            "subscription_schedule",
            customer=sub["customer"],
            subscription=sub["id"],
            status="active",
            end_behavior="release",
            phases=[phase],
            current_phase={"start_date": phase["start_date"], "end_date": phase["end_date"]},
            released_at=None,
            released_subscription=None,
        )
        sub["schedule"] = made["id"]
        world.happened("subscription_schedule.created", made)
        return made

    def update_schedule(self, schedule: Thing, params: Thing) -> Thing:
        if schedule["status"] != "active":
            raise Refused(400, "You cannot update a subscription schedule that is not active.")
        phases: list[Thing] = []
        for given in params.get("phases", []):
            start = int(given.get("start_date") or phases[-1]["end_date"])
            end = given.get("end_date")
            if end is None:
                day = datetime.fromtimestamp(start, UTC).day
                end = add_interval(start, given["duration"]["interval"], day)
            items = [
                {"price": self.world.get(each["price"], "price")["id"], "quantity": 1, "metadata": {}, "discounts": []}
                for each in given["items"]
            ]
            discounts = [
                {"coupon": None, "promotion_code": None, "discount": None, **each}
                for each in given.get("discounts", [])
            ]
            phases.append(
                {"items": items, "start_date": start, "end_date": int(end), "discounts": discounts, "metadata": {}}
            )
        schedule["phases"] = phases
        sub = self.world.get(schedule["subscription"], "subscription")
        self.world.happened("subscription_schedule.updated", schedule)
        self.world.happened("customer.subscription.updated", sub)
        return schedule

    def release(self, schedule: Thing) -> Thing:
        if schedule["status"] != "active":
            raise Refused(400, "You cannot release a subscription schedule that is not active.")
        sub = self.world.get(schedule["subscription"], "subscription")
        schedule |= {"status": "released", "released_at": self.world.now, "released_subscription": sub["id"]}
        schedule["subscription"] = None
        sub["schedule"] = None
        self.world.happened("subscription_schedule.released", schedule)
        self.world.happened("customer.subscription.updated", sub)
        return schedule

    # ---- time ---------------------------------------------------------------------------------------------------

    def advance(self, to: int) -> None:
        """Move the clock forward; whatever is due on the way happens at its own time."""
        while True:
            due = [(moment, sub) for sub in self.world.all("subscription") if (moment := self._next(sub)) is not None]
            moment, sub = min(due, key=lambda each: each[0], default=(to + 1, {}))
            if moment > to:
                break
            self.world.set_now(max(moment, self.world.now))
            self._tick(sub)
        self.world.set_now(to)

    def _next(self, sub: Thing) -> int | None:
        if sub["status"] == "incomplete":
            return int(sub["created"]) + EXPIRES_AFTER_S
        if sub["status"] not in RUNNING:
            return None
        moments = [self._item(sub)["current_period_end"], *sub["_retries"][:1]]
        if sub["cancel_at"]:
            moments.append(sub["cancel_at"])
        if sub["pending_update"]:
            moments.append(sub["pending_update"]["expires_at"])
        return int(min(moments))

    def _tick(self, sub: Thing) -> None:
        now = self.world.now
        if sub["status"] == "incomplete":
            self.end(sub, "incomplete_expired")
        elif sub["cancel_at"] and sub["cancel_at"] <= now:
            self.end(sub)
        elif sub["pending_update"] and sub["pending_update"]["expires_at"] <= now:
            self.void(self.world.get(sub["latest_invoice"], "invoice"))
            sub["pending_update"] = None
        elif sub["_retries"] and sub["_retries"][0] <= now:
            self._retry(sub)
        else:
            self._renew(sub)

    def _retry(self, sub: Thing) -> None:
        left = sub["_retries"][1:]
        bill = self.world.get(sub["latest_invoice"], "invoice")
        self.collect(bill, off_session=True)
        if bill["status"] != "paid":
            sub["_retries"] = left
            if not left:
                self.end(sub)

    def _renew(self, sub: Thing) -> None:
        item = self._item(sub)
        start = item["current_period_end"]
        if sub["schedule"]:
            self._enter_phase(sub, start)
        end = add_interval(start, item["price"]["recurring"]["interval"], sub["_anchor_day"])
        item |= {"current_period_start": start, "current_period_end": end}
        line = self.line(sub, item["price"], item["price"]["unit_amount"], start, end)
        self.world.happened("customer.subscription.updated", sub)
        bill = self.bill(sub, [line], "subscription_cycle")
        if bill["status"] == "open":
            self.collect(bill, off_session=True)

    def _enter_phase(self, sub: Thing, start: int) -> None:
        schedule = self.world.get(sub["schedule"], "subscription_schedule")
        for phase in schedule["phases"]:
            if phase["start_date"] <= start < phase["end_date"]:
                self._item(sub)["price"] = self.world.get(phase["items"][0]["price"], "price")
                schedule["current_phase"] = {"start_date": phase["start_date"], "end_date": phase["end_date"]}
        if schedule["phases"][-1]["end_date"] <= start:
            self.release(schedule)

    # ---- parts --------------------------------------------------------------------------------------------------

    def _price(self, params: Thing) -> Thing:
        items = params.get("items") or [{}]
        return self.world.get(items[0].get("price"), "price")

    def _item(self, sub: Thing) -> Thing:
        item: Thing = sub["items"]["data"][0]
        return item

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
            end=world.now + months * 31 * DAY_S if months else None,
        )

    def discount_of(self, given: Thing, sub: Thing) -> str:
        """For previews."""
        return str(self._discount(given, sub)["id"])

    def _off(self, discount_id: str, subtotal: int, reason: str) -> tuple[str, int]:
        discount = self.world.get(discount_id, "discount")
        coupon = self.world.get(discount["source"]["coupon"], "coupon")
        is_over = discount["end"] is not None and discount["end"] <= self.world.now
        if is_over or (coupon["duration"] == "once" and reason != "subscription_create"):
            return discount_id, 0
        if coupon["percent_off"]:
            return discount_id, max(0, round(subtotal * coupon["percent_off"] / 100))
        return discount_id, min(max(0, subtotal), coupon["amount_off"] or 0)


def _declined() -> dict[str, Any]:
    return {"type": "card_error", "code": "card_declined", "message": DECLINED}
