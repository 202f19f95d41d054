"""Coupons and promotion codes: both are typed into the same field."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from api.people.billing.discounts.discount import Discount, discount_of, end_of
from api.people.billing.schemas import CouponOut
from api.people.billing.stripe.gateway import Gateway, stripe_errors
from api.people.billing.words import money
from api.platform.http.errors import Invalid
from cluster.wording.message import Message, Wording

if TYPE_CHECKING:
    import stripe

NOT_VALID = Message("billing.not_valid", "This coupon is not valid. Check the spelling, or go on without it.")


@dataclass(frozen=True, slots=True)
class FoundCoupon:
    out: CouponOut
    coupon: stripe.Coupon
    promotion_code: str | None
    """Stripe's id of the promotion code that was typed; None for the coupon's own id."""

    def discount(self) -> stripe.params.SubscriptionCreateParamsDiscount:
        """As Stripe's `discounts` want it."""
        if self.promotion_code is not None:
            return {"promotion_code": self.promotion_code}
        return {"coupon": self.coupon.id}

    def from_now(self, start: datetime) -> Discount:
        """What it takes off a subscription that begins at `start`."""
        return discount_of(self.coupon, end_of(self.coupon, start))


async def find_coupon(gateway: Gateway, code: str) -> FoundCoupon:
    """Look a code up, first as a promotion code. Raises `Invalid` when it is neither, or no longer valid."""
    import stripe

    with stripe_errors():
        found = await gateway.v1.promotion_codes.list_async(
            {"code": code, "active": True, "limit": 1, "expand": ["data.promotion.coupon"]}
        )
        promotion = found.data[0] if found.data else None
        coupon = promotion.promotion.coupon if promotion is not None else None
        if promotion is None:
            try:
                coupon = await gateway.v1.coupons.retrieve_async(code)
            except stripe.InvalidRequestError:
                raise Invalid.field("coupon", NOT_VALID) from None
    if coupon is None or isinstance(coupon, str) or not coupon.valid:
        raise Invalid.field("coupon", NOT_VALID)
    out = CouponOut(
        code=code,
        label=describe_coupon(coupon),
        percent_off=coupon.percent_off,
        amount_off=coupon.amount_off,
        duration=str(coupon.duration),
        months=coupon.duration_in_months,
    )
    return FoundCoupon(out, coupon, promotion.id if promotion is not None else None)


_FOR_MONTHS = Wording("coupons.months", "{off} off for {count} month", "{off} off for {count} months")


def describe_coupon(coupon: stripe.Coupon) -> str:
    """A coupon in words, such as "25% off for 3 months"."""
    off = f"{coupon.percent_off:g}%" if coupon.percent_off else money(coupon.amount_off or 0)
    if coupon.duration == "once":
        return Message("coupons.first_invoice", "{off} off the first invoice", off=off)
    if coupon.duration == "repeating":
        months = coupon.duration_in_months or 1
        return _FOR_MONTHS(off=off, count=months)
    return Message("coupons.off", "{off} off", off=off)
