"""Compares the speed of two systems over pairs of runs.

Speed differs from run to run, because the machine's load does, so items of one run say nothing about it (Georges and
others 2007, "Statistically rigorous Java performance evaluation"). What else the machine does stretches some items of
some runs many times over, and shortens none: each item counts with the best three quarters of its runs. Runs are what
is drawn again to find how far the sum may be from the truth (Efron 1979, "Bootstrap methods: another look at the
jackknife").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.measure.outcomes.outcome import Formula, Item, Metric
from benchmarks.measure.outcomes.scoring import CONFIDENCE, Interval, value

LEAST_RUNS = 5
"""Pairs of runs below which speed is not judged."""
BEST = 0.75
"""The part of an item's runs that counts."""
DRAWS = 1_000
_SEED = 7

Pair = tuple[Item, Item]


@dataclass(frozen=True, slots=True)
class OverRuns:
    """Both values, where the difference lies with 95 % confidence, and how probable so large a one is by chance.

    `interval` and `chance` are None with too few runs.
    """

    items: int
    first: float
    second: float
    interval: Interval | None = None
    chance: float | None = None


def over_runs(metric: Metric, runs: Sequence[Sequence[Pair]]) -> OverRuns | None:
    """Each run has the pairs of the same items. None where no item has the metric in every run."""
    measured = [{one.id: (one, other) for one, other in pairs if _has(metric, one, other)} for pairs in runs]
    shared = [key for key in measured[0] if all(key in run for run in measured)]
    if not shared:
        return None
    if metric.formula is not Formula.RATIO:
        return _of_values(metric, [[run[key] for key in shared] for run in measured])
    # Runs, items, systems, and amount or what it is of.
    parts = np.array(
        [[[item.values[metric.key] for item in run[key]] for key in shared] for run in measured], np.float64
    )
    first, second = (metric.scale * total for total in _totals(metric, parts))
    if len(runs) < LEAST_RUNS or not (first > 0 and second > 0):
        return OverRuns(len(shared), first, second)
    chance = np.random.default_rng(_SEED)
    drawn = np.array([_change(metric, parts[chance.integers(len(runs), size=len(runs))]) for _ in range(DRAWS)])
    return _judged(len(shared), first, second, float(np.std(drawn, ddof=1)), len(runs))


def _of_values(metric: Metric, runs: Sequence[Sequence[Pair]]) -> OverRuns | None:
    """Of a metric whose items do not count one by one, such as a quantile: by the values of whole runs."""
    values = [(value(metric, [one for one, _ in run]), value(metric, [other for _, other in run])) for run in runs]
    both = np.array([(first, second) for first, second in values if first and second])
    if len(both) < len(runs):
        return None
    first, second = np.exp(np.log(both).mean(axis=0))
    changes = np.log(both[:, 1] / both[:, 0])
    if len(runs) < LEAST_RUNS:
        return OverRuns(len(runs[0]), first, second)
    return _judged(len(runs[0]), first, second, float(np.std(changes, ddof=1)) / len(runs) ** 0.5, len(runs))


def _judged(items: int, first: float, second: float, error: float, runs: int) -> OverRuns:
    """`error` is the standard error of the logarithm of second / first."""
    if error == 0:
        return OverRuns(items, first, second)
    change, freedom = float(np.log(second / first)), runs - 1
    reach = error * float(stats.t.ppf((1 + CONFIDENCE) / 2, freedom))
    low, high = (first * float(np.expm1(change + side * reach)) for side in (-1, 1))
    chance = 2 * float(stats.t.sf(abs(change) / error, freedom))
    return OverRuns(items, first, second, Interval(low, high), chance)


def _change(metric: Metric, parts: NDArray[np.float64]) -> float:
    first, second = _totals(metric, parts)
    return float(np.log(second / first))


def _totals(metric: Metric, parts: NDArray[np.float64]) -> tuple[float, float]:
    """The value of each system: the sum of amounts over the sum of what they are of, each item by its best runs."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = parts[..., 0] / parts[..., 1]
    order = np.argsort(values if metric.lower_is_better else -values, axis=0)
    best = np.take_along_axis(parts, order[..., np.newaxis], axis=0)[: max(1, round(BEST * len(parts)))]
    sums = best.mean(axis=0).sum(axis=0)
    first, second = sums[:, 0] / sums[:, 1]
    return float(first), float(second)


def _has(metric: Metric, *items: Item) -> bool:
    return all(metric.key in item.values for item in items)
