"""Whether a word with a confidence of 80 % is right in 80 of 100 cases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from benchmarks.measure.outcomes.outcome import Curve, Point

Certainty = tuple[float, bool]
"""A word's confidence, and whether it is right."""
_BINS = 10
_LEAST_IN_BIN = 10


def calibration_error(certainty: Sequence[Certainty]) -> float:
    """Mean distance of confidence from the share of right words, over bins weighted by their words (ECE)."""
    distance = sum(
        abs(sum(confidence for confidence, _ in words) - sum(right for _, right in words))
        for words in _binned(certainty).values()
    )
    return distance / len(certainty)


def calibration(certainty: Sequence[Certainty]) -> Curve:
    points = tuple(
        Point(
            x=100 * sum(confidence for confidence, _ in words) / len(words),
            y=100 * sum(right for _, right in words) / len(words),
            label=f"{len(words)} words",
        )
        for _, words in sorted(_binned(certainty).items())
        if len(words) >= _LEAST_IN_BIN
    )
    return Curve(title="Confidence and right words", x_label="mean confidence, %", y_label="right, %", points=points)


def _binned(certainty: Sequence[Certainty]) -> dict[int, list[Certainty]]:
    bins: dict[int, list[Certainty]] = defaultdict(list)
    for confidence, right in certainty:
        bins[min(_BINS - 1, int(confidence * _BINS))].append((confidence, right))
    return bins
