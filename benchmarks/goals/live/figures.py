"""Figures of recordings that were followed: delays, changes and errors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.goals.live.following import Followed, errors_by_sentence
from benchmarks.goals.live.talks import Talk
from benchmarks.goals.report import Report
from benchmarks.goals.table import GOALS
from benchmarks.measure.outcomes.scoring import Values, percentiles, resampled
from pipelines.evidence.errors import WordErrors

TINY = "tiny model"


def report_on(talks: Sequence[Talk], results: Sequence[Followed], report: Report, *, label: str) -> None:
    """As goals; with a `label`, as figures of that name, but for the errors: only there one engine reads twice."""
    name = label or f"{TINY}: "
    shown: list[float] = []
    final: list[float] = []
    live: list[WordErrors] = []
    again: list[WordErrors] = []
    for each, said in zip(results, talks, strict=True):
        for delays, more in zip((shown, final), each.delays(said), strict=True):
            delays += more
        live += errors_by_sentence(said, [one.word for one in each.live])
        again += errors_by_sentence(said, each.read_again)
    words = [word for each in results for word in each.live]
    low, high = _interval(live, again)
    for key, value, more_of_it in (
        ("35-shown", float(np.percentile(shown, 95)) / 1000, {"words": len(shown)}),
        ("35-final", float(np.percentile(final, 95)) / 1000, {"words": len(final)}),
        ("36-before", 100 * sum(word.has_changed for word in words) / max(1, len(words)), {"words": len(words)}),
        ("36-after", float(sum(each.rewritten for each in results)), {"words": len(words)}),
        ("36-errors", _percent(live) - _percent(again), {"low": low, "high": high}),
    ):
        if bool(label) == (key == "36-errors"):
            report.goal(key, value, **more_of_it)
        else:
            report.figure(f"{name}{GOALS[key].name}", value, GOALS[key].unit, **more_of_it)
    report.figure(f"{name}word end to shown, median", float(np.median(shown)) / 1000, "s")
    report.figure(f"{name}word end to final, median", float(np.median(final)) / 1000, "s")
    report.figure(f"{name}word errors, live", _percent(live), "%")
    report.figure(f"{name}word errors, read again", _percent(again), "%")


def _percent(errors: Sequence[WordErrors]) -> float:
    return WordErrors.sum(errors).percent


def _interval(live: Sequence[WordErrors], again: Sequence[WordErrors]) -> tuple[float, float]:
    """Of the difference in points, with 95 % confidence: sentences are drawn, each with both of its readings."""
    counts = np.array([(one.total - other.total, one.words) for one, other in zip(live, again, strict=True)], float)

    def points(weights: Values) -> Values:
        sums: Values = weights @ counts
        return np.asarray(100 * sums[:, 0] / np.maximum(1, sums[:, 1]))

    found = percentiles(resampled(np.arange(len(counts)), points))
    assert found is not None
    return found.low, found.high
