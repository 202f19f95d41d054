"""Two measurements in turns, so that other load on the machine affects both alike."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

MAX_LOAD_RISE = 1.0
"""A pair is discarded if the 1-minute load rises by more: somebody else started work."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Values of the valid pairs in order, with the 1-minute load before and after each."""

    ours: tuple[float, ...]
    theirs: tuple[float, ...]
    loads: tuple[tuple[float, float], ...]
    discarded: int

    @property
    def ratio(self) -> float:
        """Median of ours divided by median of theirs."""
        return median(self.ours) / median(self.theirs)

    def detail(self) -> dict[str, object]:
        """For the report."""
        return {"ours": self.ours, "theirs": self.theirs, "loads": self.loads, "discarded": self.discarded}


def alternate(ours: Callable[[], float], theirs: Callable[[], float], pairs: int = 5) -> Pairs:
    """Run both in turns until `pairs` pairs are valid, at most twice as many. The order alternates.

    If too few pairs were quiet, all count, and `loads` shows it.
    """
    # Our own threads raise the load too: the average of the first seconds says nothing about others.
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
