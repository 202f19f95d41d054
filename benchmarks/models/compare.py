"""Compares two systems on the same items: better, worse, or no telling, with paired bootstrap intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from benchmarks.models.outcome import Item, Metric, Outcome, SystemRun, distinct
from benchmarks.models.scoring import LEAST_GROUPS, Interval, groups_of, over, parts_of, percentiles, resampled, value

EVERYTHING = "all"


class Verdict(StrEnum):
    """Of the second system against the first."""

    BETTER = "better"
    WORSE = "worse"
    UNKNOWN = "cannot tell"
    EQUAL = "equal"
    """Every item has the same value."""
    NOT_JUDGED = "not judged"
    """The metric has no better side."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A metric of two systems over part of the data. `difference` is the second value less the first.

    `interval` is where the difference lies with 95 % confidence; None with too few recordings.
    """

    metric: Metric
    part: str
    items: int
    first: float
    second: float
    interval: Interval | None
    verdict: Verdict

    @property
    def difference(self) -> float:
        return self.second - self.first


@dataclass(frozen=True, slots=True)
class Compared:
    """Two systems, every comparison, and sentences on what could not be compared."""

    first: str
    second: str
    comparisons: tuple[Comparison, ...]
    notes: tuple[str, ...]


def compare(first: Outcome, first_run: SystemRun, second: Outcome, second_run: SystemRun) -> Compared:
    """Compare what both measured: over everything, then for each language and each condition."""
    metrics = [metric for metric in first.metrics if any(metric.key == other.key for other in second.metrics)]
    theirs = {item.id: item for item in second_run.items}
    pairs = [(item, theirs[item.id]) for item in first_run.items if item.id in theirs]
    comparisons = tuple(
        found
        for part, chosen in _parts(pairs)
        for metric in metrics
        if (found := _compared(metric, part, chosen)) is not None
    )
    return Compared(
        first_run.name, second_run.name, comparisons, tuple(_notes(first, first_run, second, second_run, len(pairs)))
    )


def _parts(pairs: Sequence[tuple[Item, Item]]) -> Iterator[tuple[str, list[tuple[Item, Item]]]]:
    yield EVERYTHING, list(pairs)
    for kind in ("language", "condition"):
        names = distinct(getattr(one, kind) for one, _ in pairs)
        # One language of all items is everything once more.
        if len(names) > 1 or (names and any(not getattr(one, kind) for one, _ in pairs)):
            for name in names:
                yield f"{kind} {name}", [pair for pair in pairs if getattr(pair[0], kind) == name]


def _compared(metric: Metric, part: str, pairs: Sequence[tuple[Item, Item]]) -> Comparison | None:
    both = [pair for pair in pairs if all(metric.key in item.values for item in pair)]
    ours, theirs = [one for one, _ in both], [other for _, other in both]
    first, second = value(metric, ours), value(metric, theirs)
    if first is None or second is None:
        return None
    bounds = _interval(metric, ours, theirs)
    same = all(one.values[metric.key] == other.values[metric.key] for one, other in both)
    return Comparison(metric, part, len(both), first, second, bounds, _verdict(metric, bounds, same=same))


def _interval(metric: Metric, first: Sequence[Item], second: Sequence[Item]) -> Interval | None:
    """Of the difference: both systems are drawn the same recordings."""
    groups = groups_of(first)
    if groups.max() + 1 < LEAST_GROUPS:
        return None
    one, other = parts_of(metric, first), parts_of(metric, second)
    return percentiles(
        resampled(groups, lambda weights: over(metric, other, weights) - over(metric, one, weights)),
    )


def _verdict(metric: Metric, bounds: Interval | None, *, same: bool) -> Verdict:
    if not metric.is_judged:
        return Verdict.NOT_JUDGED
    if same:
        return Verdict.EQUAL
    if bounds is None or bounds.low <= 0 <= bounds.high:
        return Verdict.UNKNOWN
    return Verdict.BETTER if (bounds.high < 0) == metric.lower_is_better else Verdict.WORSE


def _notes(first: Outcome, first_run: SystemRun, second: Outcome, second_run: SystemRun, shared: int) -> Iterator[str]:
    for run, name in ((first_run, second_run.name), (second_run, first_run.name)):
        if alone := len(run.items) - shared:
            yield f"{alone} of {len(run.items)} items of “{run.name}” are not in “{name}” and were left out."
    groups = len(np.unique(groups_of(first_run.items))) if first_run.items else 0
    if groups < LEAST_GROUPS:
        yield f"Only {groups} recordings: fewer than {LEAST_GROUPS} allow no interval, so nothing can be told."
    for run in (first_run, second_run):
        if failed := sum(bool(item.problem) for item in run.items):
            yield f"“{run.name}” gave no answer for {failed} items; they are in no value that needs one."
    if first.machine.model_copy(update={"load": ()}) != second.machine.model_copy(update={"load": ()}):
        yield "The two ran on different machines: speed and memory say nothing about the models."
    if first.kind != second.kind:
        yield f"The first is a result of “{first.kind}”, the second of “{second.kind}”."
