"""The calls of Stripe's API that the stand-in answers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from api.testing.stripe.engine import Engine
from api.testing.stripe.world import Refused, Thing, World, add_interval

Call = Callable[[World, Engine, list[str], Thing], Any]
"""Gets the ids in the path and the parameters; returns an object or a list of them."""


def _int(value: Any) -> int | None:
    return None if value in (None, "") else int(value)


def make_customer(world: World, _engine: Engine, _ids: list[str], params: Thing) -> Thing:
    values = {name: params.get(name) for name in ("email", "name")}
    customer = world.add(
        "cus",
        "customer",
        **values,
        metadata=params.get("metadata", {}),
        invoice_settings={"default_payment_method": None},
    )
    world.happened("customer.created", customer)
    return customer


def update_customer(world: World, _engine: Engine, ids: list[str], params: Thing) -> Thing:
    customer = world.get(ids[0], "customer")
    method = params.get("invoice_settings", {}).get("default_payment_method")
    if method is not None:
        if world.get(method, "payment_method")["customer"] != customer["id"]:
            raise Refused(400, "The customer does not have a payment method with this ID.", param="invoice_settings")
        customer["invoice_settings"]["default_payment_method"] = method
    world.happened("customer.updated", customer)
    return customer


def make_intent(world: World, _engine: Engine, _ids: list[str], params: Thing) -> Thing:
    known = {"customer", "allowed_payment_method_types", "usage", "metadata", "expand"}
    if unknown := set(params) - known:
        raise Refused(400, f"Received unknown parameter: {unknown.pop()}", code="parameter_unknown")
    intent_id = world.new_id("seti")
    return world.add(
        "seti",
        "setup_intent",
        id=intent_id,
        client_secret=f"{intent_id}_secret_{world.new_id('x')}",
        customer=world.get(params.get("customer"), "customer")["id"],
        payment_method=None,
        status="requires_payment_method",
        usage=params.get("usage", "off_session"),
        last_setup_error=None,
    )


def make_product(world: World, _engine: Engine, _ids: list[str], params: Thing) -> Thing:
    return world.add("prod", "product", **{"active": True, **params})


def make_price(world: World, _engine: Engine, _ids: list[str], params: Thing) -> Thing:
    key = params.get("lookup_key")
    holders = [price for price in world.all("price") if key is not None and price.get("lookup_key") == key]
    if holders and params.get("transfer_lookup_key") != "true":
        raise Refused(400, f"A price already has the lookup key {key}.", param="lookup_key")
    for holder in holders:
        holder["lookup_key"] = None
    return world.add(
        "price",
        "price",
        active=True,
        product=world.get(params["product"], "product")["id"],
        currency=params["currency"],
        unit_amount=int(params["unit_amount"]),
        recurring={"interval": params["recurring"]["interval"], "interval_count": 1},
        lookup_key=key,
        nickname=params.get("nickname"),
        metadata=params.get("metadata", {}),
        type="recurring",
    )


def update_price(world: World, _engine: Engine, ids: list[str], params: Thing) -> Thing:
    price = world.get(ids[0], "price")
    price["active"] = params.get("active", "true") == "true"
    return price


def list_prices(world: World, _engine: Engine, _ids: list[str], params: Thing) -> list[Thing]:
    keys = params.get("lookup_keys")
    found = [price for price in world.all("price") if price["active"] or params.get("active") != "true"]
    return [price for price in found if keys is None or price["lookup_key"] in keys]


def make_coupon(world: World, _engine: Engine, _ids: list[str], params: Thing) -> Thing:
    return world.add(
        "coupon",
        "coupon",
        id=params.get("id"),
        percent_off=float(params["percent_off"]) if "percent_off" in params else None,
        amount_off=_int(params.get("amount_off")),
        currency=params.get("currency"),
        duration=params.get("duration", "once"),
        duration_in_months=_int(params.get("duration_in_months")),
        name=params.get("name"),
        redeem_by=None,
        times_redeemed=0,
        valid=True,
    )


def make_promotion_code(world: World, _engine: Engine, _ids: list[str], params: Thing) -> Thing:
    coupon = world.get(params["promotion"]["coupon"], "coupon")
    return world.add(
        "promo",
        "promotion_code",
        active=True,
        code=params["code"],
        promotion={"type": "coupon", "coupon": coupon["id"]},
        customer=None,
        times_redeemed=0,
    )


def list_promotion_codes(world: World, _engine: Engine, _ids: list[str], params: Thing) -> list[Thing]:
    code = str(params.get("code", "")).casefold()
    return [each for each in world.all("promotion_code") if each["active"] and each["code"].casefold() == code]


def list_subscriptions(world: World, _engine: Engine, _ids: list[str], params: Thing) -> list[Thing]:
    found = world.all("subscription", customer=params["customer"])
    return found if params.get("status") == "all" else [one for one in found if one["status"] != "canceled"]


def make_preview(world: World, engine: Engine, _ids: list[str], params: Thing) -> Thing:
    wanted = params.get("subscription_details", {})
    price = world.get(wanted["items"][0]["price"], "price")
    if "subscription" in params:
        sub = world.get(params["subscription"], "subscription")
        return engine.draft(sub, engine.prorations(sub, price, wanted.get("proration_date")), "subscription_update")
    new: Thing = {
        "id": None,
        "customer": params["customer"],
        "currency": price["currency"],
        "discounts": [],
    }
    new["discounts"] = [engine.discount_of(each, new) for each in params.get("discounts") or []]
    day = datetime.fromtimestamp(world.now, UTC).day
    end = add_interval(world.now, price["recurring"]["interval"], day)
    return engine.draft(new, [engine.line(new, price, price["unit_amount"], world.now, end)], "subscription_create")


def _found(kind: str) -> Call:
    return lambda world, _engine, ids, _params: world.get(ids[0], kind)


def _listed(kind: str) -> Call:
    def listed(world: World, _engine: Engine, _ids: list[str], params: Thing) -> list[Thing]:
        customer = params.get("customer")
        return world.all(kind, customer=customer) if customer else world.all(kind)

    return listed


CALLS: dict[tuple[str, str], Call] = {
    ("POST", "customers"): make_customer,
    ("GET", "customers/*"): _found("customer"),
    ("POST", "customers/*"): update_customer,
    ("POST", "setup_intents"): make_intent,
    ("GET", "setup_intents/*"): _found("setup_intent"),
    ("GET", "payment_methods/*"): _found("payment_method"),
    ("POST", "products"): make_product,
    ("GET", "products"): _listed("product"),
    ("POST", "prices"): make_price,
    ("POST", "prices/*"): update_price,
    ("GET", "prices"): list_prices,
    ("GET", "prices/*"): _found("price"),
    ("POST", "coupons"): make_coupon,
    ("GET", "coupons"): _listed("coupon"),
    ("GET", "coupons/*"): _found("coupon"),
    ("POST", "promotion_codes"): make_promotion_code,
    ("GET", "promotion_codes"): list_promotion_codes,
    ("POST", "subscriptions"): lambda _world, engine, _ids, params: engine.subscribe(params),
    ("GET", "subscriptions"): list_subscriptions,
    ("GET", "subscriptions/*"): _found("subscription"),
    ("POST", "subscriptions/*"): lambda world, engine, ids, params: engine.update(
        world.get(ids[0], "subscription"), params
    ),
    ("DELETE", "subscriptions/*"): lambda world, engine, ids, _params: engine.end(world.get(ids[0], "subscription")),
    ("POST", "subscription_schedules"): lambda _world, engine, _ids, params: engine.schedule(params),
    ("GET", "subscription_schedules/*"): _found("subscription_schedule"),
    ("POST", "subscription_schedules/*"): lambda world, engine, ids, params: engine.update_schedule(
        world.get(ids[0], "subscription_schedule"), params
    ),
    ("POST", "subscription_schedules/*/release"): lambda world, engine, ids, _params: engine.release(
        world.get(ids[0], "subscription_schedule")
    ),
    ("GET", "invoices"): _listed("invoice"),
    ("GET", "invoices/*"): _found("invoice"),
    ("POST", "invoices/*/void"): lambda world, engine, ids, _params: engine.void(world.get(ids[0], "invoice")),
    ("POST", "invoices/create_preview"): make_preview,
}


def find_call(method: str, path: str) -> tuple[Call, list[str]]:
    """The call for a path below `/v1/`, and the ids in it."""
    parts = path.strip("/").split("/")
    literal = CALLS.get((method, "/".join(parts)))
    if literal is not None:
        return literal, []
    form = "/".join("*" if index == 1 else part for index, part in enumerate(parts))
    call = CALLS.get((method, form))
    if call is None:
        raise Refused(404, f"Unrecognized request URL ({method}: /v1/{path}).")
    return call, parts[1:2]
