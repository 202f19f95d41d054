"""How subscriptions live: orders, prorations, schedules and renewals."""

from __future__ import annotations

from datetime import UTC, datetime

from api.testing.stripe.invoices import Invoices
from api.testing.stripe.world import Refused, Thing, add_interval

EXPIRES_AFTER_S = 23 * 3600
RUNNING = ("active", "past_due")


class Engine(Invoices):
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
        lines = self.prorations(sub, price, params.get("proration_date"))
        bill = self.bill(sub, lines, "subscription_update", pending=price)
        if bill["status"] == "open":
            self.collect(bill, off_session=False)
        if bill["status"] == "paid":
            self.switch(sub, price)
            return
        item = {**self._item(sub), "price": price}
        sub["pending_update"] = {
            "expires_at": self.world.now + EXPIRES_AFTER_S,
            "subscription_items": [item],
            "billing_cycle_anchor": None,
            "trial_end": None,
        }

    def prorations(self, sub: Thing, price: Thing, at: str | None = None) -> list[Thing]:
        """A credit for the rest of the period at the old price, and that rest at the new one.

        `at`: the moment from which they count, in seconds; else now.
        """
        item = self._item(sub)
        start, end = item["current_period_start"], item["current_period_end"]
        now = min(max(int(at) if at else self.world.now, start), end)
        left = (end - now) / (end - start)
        old = item["price"]
        credit = self.line(sub, old, -round(old["unit_amount"] * left), now, end, text="Unused time on")
        credit["_share_off"] = self._share_off(sub, old)
        return [
            credit,
            self.line(sub, price, round(price["unit_amount"] * left), now, end, text="Remaining time on"),
        ]

    def _share_off(self, sub: Thing, price: Thing) -> float:
        """The share that a discount took off the newest paid line of a price: a credit gives no more back."""
        for bill in self.world.all("invoice", _subscription=sub["id"], status="paid"):
            for line in bill["lines"]["data"]:
                if line["pricing"]["price_details"]["price"] == price["id"] and line["amount"] > 0:
                    return float(sum(each["amount"] for each in line["discount_amounts"]) / line["amount"])
        return 0.0

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
