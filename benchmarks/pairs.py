"""Two things measured in turns, so that whatever else the machine does meets both alike."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

MAX_LOAD_RISE = 1.0
"""A pair during which the 1-minute load rose by more is thrown away: somebody else began to work."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Values of the pairs that count, in order, and the 1-minute load before and after each."""

    ours: tuple[float, ...]
    theirs: tuple[float, ...]
    loads: tuple[tuple[float, float], ...]
    discarded: int

    @property
    def ratio(self) -> float:
        """Median of ours by median of theirs."""
        return median(self.ours) / median(self.theirs)

    def detail(self) -> dict[str, object]:
        """For the report."""
        return {"ours": self.ours, "theirs": self.theirs, "loads": self.loads, "discarded": self.discarded}


def alternate(ours: Callable[[], float], theirs: Callable[[], float], pairs: int = 5) -> Pairs:
    """Run both in turns until `pairs` count, at most twice as often. Who goes first changes from pair to pair.

    When too few pairs were quiet, all that were run count, and `loads` tells.
    """
    # One's own threads raise the load as well: the average of the first seconds says nothing about others.
    quiet: list[tuple[float, float, tuple[float, float]]] = []
    every: list[tuple[float, float, tuple[float, float]]] = []
    while len(quiet) < pairs and len(every) < 2 * pairs:
        before = os.getloadavg()[0]
        if len(every) % 2:
            their_value, our_value = theirs(), ours()
        else:
            our_value, their_value = ours(), theirs()
        pair = (our_value, their_value, (before, os.getloadavg()[0]))
        every.append(pair)
        if pair[2][1] - before <= MAX_LOAD_RISE:
            quiet.append(pair)
    kept = quiet if len(quiet) == pairs else every
    return Pairs(
        tuple(pair[0] for pair in kept),
        tuple(pair[1] for pair in kept),
        tuple(pair[2] for pair in kept),
        len(every) - len(kept),
    )
