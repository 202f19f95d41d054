"""Values of metrics over many items, and their bootstrap intervals.

Intervals are percentiles of resampled recordings (Bisani and Ney 2004, "Bootstrap estimates for confidence intervals in
ASR performance evaluation"): items of one recording are drawn together, because they are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure.outcomes.outcome import Formula, Item, Metric

Values = NDArray[np.float64]

RESAMPLES = 2_000
CONFIDENCE = 0.95
LEAST_GROUPS = 5
"""Of fewer recordings an interval says nothing."""
_SEED = 20
_AT_ONCE = 100
"""Resamples that are in memory together."""
_BLEU_ORDERS = 4
_CHRF_BETA = 2.0


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float


def value(metric: Metric, items: Sequence[Item]) -> float | None:
    """The metric over all items that have it; None where none has, or where nothing was counted."""
    parts = parts_of(metric, items)
    if not len(parts):
        return None
    result = float(over(metric, parts, np.ones((1, len(parts))))[0])
    return None if np.isnan(result) else result


def interval(metric: Metric, items: Sequence[Item]) -> Interval | None:
    """Where the value lies with 95 % confidence; None for too few recordings."""
    chosen = [item for item in items if metric.key in item.values]
    groups = groups_of(chosen)
    if not chosen or groups.max() + 1 < LEAST_GROUPS:
        return None
    parts = parts_of(metric, chosen)
    return percentiles(resampled(groups, lambda weights: over(metric, parts, weights)))


def parts_of(metric: Metric, items: Sequence[Item]) -> Values:
    """One row for each item that has the metric."""
    return np.array([item.values[metric.key] for item in items if metric.key in item.values], np.float64)


def groups_of(items: Sequence[Item]) -> NDArray[np.int64]:
    """The number of each item's group, from 0."""
    known: dict[str, int] = {}
    return np.array([known.setdefault(item.group, len(known)) for item in items], np.int64)


def resampled(groups: NDArray[np.int64], score: Callable[[Values], Values], resamples: int = RESAMPLES) -> Values:
    """Scores of draws of as many groups, with return. `score` takes weights of items, a row for each draw."""
    count = int(groups.max()) + 1
    chance = np.random.default_rng(_SEED)
    scores = []
    for _ in range(0, resamples, _AT_ONCE):
        draws = chance.multinomial(count, np.full(count, 1 / count), size=_AT_ONCE)
        scores.append(score(draws[:, groups].astype(np.float64)))
    return np.concatenate(scores)


def percentiles(scores: Values) -> Interval | None:
    # A draw may hold no word at all.
    scores = scores[~np.isnan(scores)]
    if not len(scores):
        return None
    low, high = np.quantile(scores, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Interval(float(low), float(high))


def over(metric: Metric, parts: Values, weights: Values) -> Values:
    """The metric for each row of `weights`, which say how often each item counts. NaN where nothing counts."""
    if metric.formula is Formula.QUANTILE:
        return metric.scale * _quantile(parts[:, 0], weights, metric.quantile)
    return metric.scale * _OF_SUMS[metric.formula](weights @ parts)


def _ratio(sums: Values) -> Values:
    result: Values = np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), np.nan), where=sums[:, 1] > 0)
    return result


def _bleu(sums: Values) -> Values:
    """Corpus BLEU, 0 to 100, with sacrebleu's exponential smoothing of orders without a match."""
    length, wanted = sums[:, 0], sums[:, 1]
    matches, runs = sums[:, 2 : 2 + _BLEU_ORDERS], sums[:, 2 + _BLEU_ORDERS :]
    logs = np.zeros(len(sums))
    halves = np.ones(len(sums))
    orders = np.zeros(len(sums))
    for order in range(_BLEU_ORDERS):
        counted = runs[:, order] > 0
        missed = counted & (matches[:, order] == 0)
        halves = np.where(missed, halves * 2, halves)
        hits = np.where(missed, 1 / halves, matches[:, order])
        logs += np.log(np.where(counted, hits / np.where(counted, runs[:, order], 1), 1))
        orders += counted
    # Nothing matches at all: zero, as sacrebleu says, not what smoothing would leave.
    something = (matches[:, 0] > 0) & (orders == _BLEU_ORDERS)
    brevity = np.where(length < wanted, np.exp(1 - wanted / np.maximum(length, 1)), 1)
    return np.where(something, 100 * brevity * np.exp(logs / _BLEU_ORDERS), np.where(wanted > 0, 0.0, np.nan))


def _chrf(sums: Values) -> Values:
    """Corpus chrF, 0 to 100, as sacrebleu has it: F, with recall counting twice, of precision and recall that are means
    over the orders that both sides have."""
    runs, wanted, matches = sums[:, 0::3], sums[:, 1::3], sums[:, 2::3]
    counted = (runs > 0) & (wanted > 0)
    orders = np.maximum(counted.sum(axis=1), 1)
    precision = np.divide(matches, runs, out=np.zeros_like(matches), where=counted).sum(axis=1) / orders
    recall = np.divide(matches, wanted, out=np.zeros_like(matches), where=counted).sum(axis=1) / orders
    weight = _CHRF_BETA**2
    bottom = weight * precision + recall
    scores = np.divide((1 + weight) * precision * recall, bottom, out=np.zeros_like(bottom), where=bottom > 0)
    return np.where(wanted.sum(axis=1) > 0, 100 * scores, np.nan)


def _quantile(values: Values, weights: Values, quantile: float) -> Values:
    """The smallest value that at least this share of the weight does not exceed."""
    order = np.argsort(values)
    sums = np.cumsum(weights[:, order], axis=1)
    reached = sums >= quantile * sums[:, -1:] - 1e-9
    result = values[order][np.argmax(reached, axis=1)]
    return np.where(sums[:, -1] > 0, result, np.nan)


_OF_SUMS: dict[Formula, Callable[[Values], Values]] = {
    Formula.RATIO: _ratio,
    Formula.BLEU: _bleu,
    Formula.CHRF: _chrf,
}
