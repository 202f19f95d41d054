"""What a coupon takes off the invoices to come."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

from api.people.billing.grants.minutes import months_before

if TYPE_CHECKING:
    import stripe


@dataclass(frozen=True, slots=True)
class Discount:
    """Applies to invoices that begin before `ends_at`; to all where that is None. `amount_off` in cents."""

    percent_off: float | None
    amount_off: int | None
    ends_at: datetime | None

    def of(self, cents: int) -> int:
        """What it takes off an invoice of this amount."""
        if self.percent_off:
            off = Decimal(cents) * Decimal(str(self.percent_off)) / 100
            return int(off.quantize(Decimal(1), ROUND_HALF_UP))
        return min(cents, self.amount_off or 0)


def discount_of(coupon: stripe.Coupon, ends_at: datetime | None) -> Discount:
    return Discount(coupon.percent_off, coupon.amount_off, ends_at)


def end_of(coupon: stripe.Coupon, start: datetime) -> datetime | None:
    """When a discount ends whose first invoice is that of `start`."""
    if coupon.duration == "once":
        return start
    if coupon.duration == "repeating":
        return months_before(start, -(coupon.duration_in_months or 1))
    return None


def cost_at(price: int, discounts: Iterable[Discount], at: datetime) -> int:
    """What an invoice for a whole period costs that begins at `at`."""
    for discount in discounts:
        if discount.ends_at is None or at < discount.ends_at:
            price -= discount.of(price)
    return price


def until_of(discounts: Iterable[Discount], at: datetime) -> datetime | None:
    """When the discounts of an invoice at `at` end; None where there are none, or where they never end."""
    ends = [discount.ends_at for discount in discounts]
    return None if None in ends else max((end for end in ends if end is not None and end > at), default=None)
