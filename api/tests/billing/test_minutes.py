"""The minutes that an invoice brings, from its lines alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from api.people.billing.grants.minutes import MonthOfMinutes, months_before, months_of
from api.people.billing.schemas import InvoiceLine
from api.people.plans.tiers import PLANS, BillingPeriod, PlanTier

START = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)


def line(
    tier: str, start: datetime, end: datetime, *, amount: int = 1, period: str = "monthly", part: bool = False
) -> InvoiceLine:
    return InvoiceLine(
        text="",
        amount=amount,
        start=start,
        end=end,
        tier=PlanTier(tier),
        period=BillingPeriod(period),
        is_proration=part,
    )


def test_a_month_brings_the_plans_minutes_whatever_its_length() -> None:
    end = datetime(2026, 2, 28, 9, 30, tzinfo=UTC)
    assert months_of([line("creator", START, end)]) == [MonthOfMinutes(START, end, 900 * 60)]


def test_a_year_brings_them_twelve_times() -> None:
    months = months_of([line("creator", START, months_before(START, -12), period="yearly")])
    assert [month.seconds for month in months] == [900 * 60] * 12
    assert months[0].start == START
    assert all(first.end == second.start for first, second in pairwise(months))


@given(share=st.floats(0.001, 0.999), period=st.sampled_from(["monthly", "yearly"]))
def test_an_upgrade_never_brings_more_than_the_higher_plan(share: float, period: str) -> None:
    start = datetime(2026, 3, 5, tzinfo=UTC)
    end = months_before(start, -1 if period == "monthly" else -12)
    at = start + (end - start) * share
    first = months_of([line("creator", start, end, period=period)])
    upgrade = months_of(
        [
            line("creator", at, end, amount=-5, period=period, part=True),
            line("producer", at, end, amount=9, period=period, part=True),
        ]
    )
    total = sum(month.seconds for month in first) + sum(month.seconds for month in upgrade)
    count = len(first)
    low, high = (PLANS[PlanTier(tier)].minutes * 60 * count for tier in ("creator", "producer"))
    assert low <= total <= high + count
    # By the time that is left. Months of a year have different lengths, which shifts a few days.
    assert abs(total - (low + (high - low) * (1 - share))) <= (high - low) * 0.02 + count


def test_lines_of_other_things_bring_nothing() -> None:
    other = InvoiceLine(text="Setup", amount=500, start=START, end=START + timedelta(days=1))
    assert months_of([other, InvoiceLine(text="Credit", amount=-5)]) == []
