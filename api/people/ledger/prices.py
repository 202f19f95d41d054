"""What work costs in seconds of a plan, and extra seconds in money."""

from __future__ import annotations

from api.platform.jobs.job_type import AnyJobType, Price

_PRICES: dict[str, Price | None] = {}


def enter(job_type: AnyJobType) -> None:
    """Enter a kind of work into the price list of this process, free of charge too."""
    _PRICES[job_type.kind] = job_type.price


def price_of(work: str) -> Price | None:
    """The price of a kind of work, None where the ledger does not count it. Raises `KeyError` for an unknown kind."""
    return _PRICES[work]


def priced(work: str, seconds: int) -> int:
    """The seconds to pay for this work on `seconds` of sound, rounded up."""
    price = price_of(work)
    return 0 if price is None else -(-(price.rate * seconds) // 1)


def noun_of(work: str) -> str:
    """Work as the ledger names it. Of a kind that this version does not know, its code."""
    price = _PRICES.get(work)
    return work if price is None else price.noun


def cents_of(seconds_times_price: int) -> int:
    """Cents for extra seconds, given the sum of seconds times the price of a minute. Part of a cent is not charged."""
    return seconds_times_price // 60
