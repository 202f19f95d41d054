"""The traces of a replay: a calm time, a busy one in the middle, and a replica that dies."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from benchmarks.measure.load.arrivals import Arrival, poisson

PEAK = 2.5
"""How many times the rate arrives in the middle third of a peak."""
DIES_AFTER = 0.4
"""The part of the trace after which the replica dies."""


class Trace(StrEnum):
    CALM = "calm"
    PEAK = "peak"
    FAILURES = "failures"


def arrivals_of(trace: Trace, rate: float, seconds: float, clips: int, seed: int) -> list[Arrival]:
    """As `poisson`, at the trace's rates one after the other."""
    if trace is not Trace.PEAK:
        return poisson(rate, seconds, clips, seed)
    third = seconds / 3
    return [
        replace(arrival, due_s=arrival.due_s + number * third)
        for number, times in enumerate((1.0, PEAK, 1.0))
        for arrival in poisson(times * rate, third, clips, seed + number)
    ]
