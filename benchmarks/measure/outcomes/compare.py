"""Compares two systems on the same items: better, worse, or no telling.

Quality is compared by paired bootstrap over recordings, speed over pairs of runs (`speed.py`). Verdicts are corrected
for how many there are (Holm 1979, "A simple sequentially rejective multiple test procedure").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from benchmarks.measure.outcomes.outcome import Item, Metric, Outcome, SystemRun, distinct
from benchmarks.measure.outcomes.scoring import (
    LEAST_GROUPS,
    Interval,
    groups_of,
    over,
    parts_of,
    percentiles,
    resampled,
    value,
)
from benchmarks.measure.outcomes.speed import LEAST_RUNS, over_runs

EVERYTHING = "all"
ERROR = 0.05
"""How often any verdict may be wrong where nothing differs."""
ERROR_OF_SPEED = 0.001
"""The same for speed. It is looked at after each change of a model, and a false alarm costs somebody a day."""
RESAMPLES = 10_000
"""More than for intervals: corrected for 100 comparisons, a verdict needs a probability of 0.0005."""
MOST_LOAD = 0.25
"""Load for each core, beyond which another run of the same model may well be slower."""


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

    `interval` is where the difference lies with 95 % confidence, and `chance` how probable so large a difference is
    where none is; None with too few recordings or, for speed, runs.
    """

    metric: Metric
    part: str
    items: int
    first: float
    second: float
    interval: Interval | None
    verdict: Verdict
    chance: float | None = None

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


Run = tuple[Outcome, SystemRun]
Pair = tuple[Item, Item]


def compare(
    first: Outcome, first_run: SystemRun, second: Outcome, second_run: SystemRun, more: Sequence[tuple[Run, Run]] = ()
) -> Compared:
    """Compare what both measured: over everything, then for each language and each condition.

    Speed is judged by the turns of both, where one command took them, and otherwise by the runs: these and `more`.
    """
    metrics = [
        metric.model_copy(update={"is_timed": metric.is_timed or other.is_timed})
        for metric in first.metrics
        for other in second.metrics
        if metric.key == other.key
    ]
    pairs = _paired(first_run.items, second_run.items)
    runs = _turns(first, first_run, second, second_run)
    if not runs:
        runs = [pairs, *(_paired(one.items, other.items) for (_, one), (_, other) in more)]
    found = [
        comparison
        for part, chosen in _parts(pairs)
        for metric in metrics
        if (comparison := _compared(metric, part, chosen, runs)) is not None
    ]
    outcomes = [first, second, *(outcome for pair in more for outcome, _ in pair)]
    notes = (
        *_notes(first, first_run, second, second_run, len(pairs)),
        *_notes_on_speed(outcomes, len(runs), any(each.metric.is_timed for each in found)),
        *_note_on_many(found),
    )
    return Compared(first_run.name, second_run.name, tuple(_corrected(found)), notes)


def _paired(first: Sequence[Item], second: Sequence[Item]) -> list[Pair]:
    theirs = {item.id: item for item in second}
    return [(item, theirs[item.id]) for item in first if item.id in theirs]


def _turns(first: Outcome, first_run: SystemRun, second: Outcome, second_run: SystemRun) -> list[list[Pair]]:
    """Empty unless both took turns with each other."""
    if (first.command, first.finished_at) != (second.command, second.finished_at):
        return []
    return [_paired(one, other) for one, other in zip(first_run.turns, second_run.turns, strict=False)]


def _parts(pairs: Sequence[Pair]) -> Iterator[tuple[str, list[Pair]]]:
    yield EVERYTHING, list(pairs)
    for kind in ("language", "condition"):
        names = distinct(getattr(one, kind) for one, _ in pairs)
        # One language of all items is everything once more.
        if len(names) > 1 or (names and any(not getattr(one, kind) for one, _ in pairs)):
            for name in names:
                yield f"{kind} {name}", [pair for pair in pairs if getattr(pair[0], kind) == name]


def _compared(metric: Metric, part: str, pairs: Sequence[Pair], runs: Sequence[Sequence[Pair]]) -> Comparison | None:
    """Without the verdict that the probability gives."""
    both = [pair for pair in pairs if all(metric.key in item.values for item in pair)]
    ours, theirs = [one for one, _ in both], [other for _, other in both]
    first, second = value(metric, ours), value(metric, theirs)
    if first is None or second is None:
        return None
    if metric.is_timed:
        return _over_runs(metric, part, runs, [item.id for item in ours])
    verdict = Verdict.UNKNOWN if metric.is_judged else Verdict.NOT_JUDGED
    if metric.is_judged and all(one.values[metric.key] == other.values[metric.key] for one, other in both):
        verdict = Verdict.EQUAL
    bounds, chance = _over_items(metric, ours, theirs)
    return Comparison(metric, part, len(both), first, second, bounds, verdict, chance)


def _over_items(metric: Metric, first: Sequence[Item], second: Sequence[Item]) -> tuple[Interval | None, float | None]:
    """Of the difference: both systems are drawn the same recordings."""
    groups = groups_of(first)
    if groups.max() + 1 < LEAST_GROUPS:
        return None, None
    one, other = parts_of(metric, first), parts_of(metric, second)
    drawn = resampled(groups, lambda weights: over(metric, other, weights) - over(metric, one, weights), RESAMPLES)
    drawn = drawn[~np.isnan(drawn)]
    if not len(drawn):
        return None, None
    side = min(np.count_nonzero(drawn <= 0), np.count_nonzero(drawn >= 0))
    return percentiles(drawn), min(1.0, 2 * (int(side) + 1) / (len(drawn) + 1))


def _over_runs(metric: Metric, part: str, runs: Sequence[Sequence[Pair]], ids: Sequence[str]) -> Comparison | None:
    """Over the items that every run of both has."""
    over = over_runs(metric, [[pair for pair in pairs if pair[0].id in set(ids)] for pairs in runs])
    if over is None:
        return None
    verdict = Verdict.UNKNOWN if metric.is_judged else Verdict.NOT_JUDGED
    return Comparison(metric, part, over.items, over.first, over.second, over.interval, verdict, over.chance)


def _corrected(comparisons: Sequence[Comparison]) -> Iterator[Comparison]:
    """With verdicts on those that differ by more than chance, by Holm's procedure over all that are judged: once over
    those of quality, once over those of speed."""
    differing: set[int] = set()
    for is_timed, error in ((False, ERROR), (True, ERROR_OF_SPEED)):
        judged = [
            (chance, index) for chance, index in _judged(comparisons) if comparisons[index].metric.is_timed == is_timed
        ]
        for rank, (chance, index) in enumerate(judged):
            if chance > error / (len(judged) - rank):
                break
            differing.add(index)
    for index, each in enumerate(comparisons):
        if index not in differing:
            yield each
        elif (each.difference < 0) == each.metric.lower_is_better:
            yield replace(each, verdict=Verdict.BETTER)
        else:
            yield replace(each, verdict=Verdict.WORSE)


def _judged(comparisons: Sequence[Comparison]) -> list[tuple[float, int]]:
    """The probability and index of each that could get a verdict, the least probable first."""
    return sorted(
        (each.chance, index)
        for index, each in enumerate(comparisons)
        if each.verdict is Verdict.UNKNOWN and each.chance is not None
    )


def _note_on_many(comparisons: Sequence[Comparison]) -> Iterator[str]:
    if (count := len(_judged(comparisons))) > 1:
        yield (
            f"Verdicts are corrected for {count} comparisons (Holm), the intervals are not: one that leaves out 0 may "
            "still be a chance difference."
        )


def _notes_on_speed(outcomes: Sequence[Outcome], runs: int, is_timed: bool) -> Iterator[str]:
    """How busy the machines were, and what is missing for a verdict on speed."""
    if not is_timed:
        return
    loads = [outcome.machine.load[0] for outcome in outcomes if outcome.machine.load]
    if loads:
        shown = ", ".join(f"{load:g}" for load in loads)
        yield f"Load at the end of each run, in the order given: {shown} on {outcomes[0].machine.cores} cores."
    if any(out.machine.load and out.machine.load[0] > (1 + MOST_LOAD) * out.machine.cores for out in outcomes):
        yield "Other work kept a machine busy during a run: its speed is too low."
    if runs < LEAST_RUNS:
        yield (
            f"Speed is judged over at least {LEAST_RUNS} pairs of runs, because it differs from run to run; here "
            f"{'is 1' if runs == 1 else f'are {runs}'}. Measure both with one command and --turns 30, or apart and "
            "in turns, and name all files: A1 B1 A2 B2 …"
        )


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
