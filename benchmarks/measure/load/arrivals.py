"""When callers arrive: a Poisson process whose times are fixed before the first request leaves.

A server that slows down cannot slow the callers, so its delays are not hidden. A load generator that waits for an
answer before it sends the next request omits the very requests that would have waited (coordinated omission).
"""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Arrival:
    """A request: when it is due, in seconds after the start, and the index of its clip."""

    due_s: float
    clip: int


def poisson(rate: float, seconds: float, clips: int, seed: int) -> list[Arrival]:
    """Arrivals of `seconds` at `rate` a second, each with a random one of `clips` clips. `seed` decides all of them."""
    if rate <= 0 or seconds <= 0 or clips < 1:
        raise ValueError(f"Rate, seconds and clips must be above 0, not {rate}, {seconds} and {clips}.")
    chance = random.Random(seed)
    arrivals: list[Arrival] = []
    due = chance.expovariate(rate)
    while due < seconds:
        arrivals.append(Arrival(due, chance.randrange(clips)))
        due += chance.expovariate(rate)
    return arrivals
