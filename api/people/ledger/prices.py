"""What work costs in seconds of a plan, and extra seconds in money. The one place where both stand."""

from __future__ import annotations

from fractions import Fraction

from api.platform.jobs.states import JobKind

PRICES: dict[str, Fraction] = {
    JobKind.TRANSCRIBE: Fraction(1),
    JobKind.RETRANSCRIBE: Fraction(1),
    JobKind.TRANSLATE: Fraction(0),
    JobKind.MINUTES: Fraction(0),
    JobKind.PROOFREAD: Fraction(0),
    JobKind.EXPORT: Fraction(0),
    JobKind.SPEECH_TEXT: Fraction(1),
    JobKind.SPEECH_SHORT: Fraction(1),
    JobKind.SPEECH_ENGLISH: Fraction(0),
}
"""Seconds that one second of sound costs, by kind of work. Kinds that are not listed cost nothing."""


def priced(work: str, seconds: int) -> int:
    """The seconds to pay for this work on `seconds` of sound, rounded up."""
    return -(-(PRICES.get(work, Fraction(0)) * seconds) // 1)


def cents_of(seconds_times_price: int) -> int:
    """Cents for extra seconds, given the sum of seconds times the price of a minute. Part of a cent is not charged."""
    return seconds_times_price // 60
