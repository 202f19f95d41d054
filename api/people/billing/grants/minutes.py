"""The minutes that a paid invoice brings, month by month.

Only the invoice's lines count, so it does not matter when and how often they are read. A full period brings the plan's
minutes for each of its months. An upgrade within a period bills the rest of it at the new price and credits the old
one; it brings the difference for the same share of the month, in whole minutes: pages promise no seconds.
"""

from __future__ import annotations

from calendar import monthrange
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from api.people.billing.schemas import InvoiceLine
from api.people.plans.tiers import PLANS, BillingPeriod

MONTHS_MAX = 12
"""The longest period is a year."""

Window = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class MonthOfMinutes:
    """Seconds of sound that can be used from `start` to `end`."""

    start: datetime
    end: datetime
    seconds: int


def months_of(lines: Sequence[InvoiceLine]) -> list[MonthOfMinutes]:
    """What an invoice with these lines brings, in the order of time. Empty where it brings nothing."""
    seconds: dict[Window, float] = defaultdict(float)
    for line in lines:
        if line.tier is None or line.start is None or line.end is None or line.end <= line.start:
            continue
        sign = -1 if line.is_proration and line.amount < 0 else 1
        each = sign * PLANS[line.tier].minutes * 60 * line.quantity
        for window, share in _shares(line, line.start, line.end):
            seconds[window] += each * share
    found = [MonthOfMinutes(start, end, _whole_minutes(total)) for (start, end), total in sorted(seconds.items())]
    return [month for month in found if month.seconds > 0]


def _whole_minutes(seconds: float) -> int:
    """Rounded up: an upgrade a second after the payment brings the whole difference. The rest is float's own error."""
    return ceil(round(seconds / 60, 6)) * 60


def _shares(line: InvoiceLine, start: datetime, end: datetime) -> Iterable[tuple[Window, float]]:
    """The months that a line touches, each with the share of it that the line covers."""
    if not line.is_proration and line.period is not BillingPeriod.YEARLY:
        return [((start, end), 1.0)]
    return [(window, _covered(window, start, end)) for window in _windows(start, end)]


def _windows(start: datetime, end: datetime) -> Iterator[Window]:
    """Months back from the end of a period, so that every invoice of a period has the same ones."""
    for count in range(MONTHS_MAX):
        window = (months_before(end, count + 1), months_before(end, count))
        if window[1] <= start:
            return
        yield window


def _covered(window: Window, start: datetime, end: datetime) -> float:
    covered = min(window[1], end) - max(window[0], start)
    return covered / (window[1] - window[0])


def months_before(moment: datetime, count: int) -> datetime:
    """The same day and time `count` months earlier, or that month's last day."""
    index = moment.year * 12 + moment.month - 1 - count
    year, month = divmod(index, 12)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1]))
