"""Successive halving: many combinations get a short run, the better half a run twice as long, and so on.

Jamieson and Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization" (2016).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Round:
    """`keep` is how many go on; `seconds` is the length of each run."""

    runs: int
    seconds: float
    keep: int


def rounds_of(candidates: int, finalists: int, seconds: float) -> list[Round]:
    """The rounds that leave `finalists` of the candidates; none where there are no more."""
    rounds = []
    while candidates > finalists:
        keep = max(finalists, -(-candidates // 2))
        rounds.append(Round(candidates, seconds, keep))
        candidates, seconds = keep, 2 * seconds
    return rounds


def halve(
    candidates: Sequence[T], rounds: Sequence[Round], scores: Callable[[Sequence[T], int, float], Sequence[float]]
) -> list[T]:
    """The survivors, the best first. `scores` gets candidates, number of the round and seconds; lower is better."""
    left = list(candidates)
    for number, each in enumerate(rounds):
        scored = sorted(zip(scores(left, number, each.seconds), range(len(left)), strict=True))
        left = [left[index] for _, index in scored[: each.keep]]
    return left
