"""The mean of independent runs, with the interval that their differences leave open."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

_T_975 = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13)
"""Student's t, two-sided 95 %, for 1 to 15 degrees of freedom; above that 2.1 is near enough."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """`low` and `high` bound the 95 % interval."""

    value: float
    low: float
    high: float

    def text(self, unit: str = "") -> str:
        return f"{self.value:.3g}{unit} ({self.low:.3g} to {self.high:.3g})"


def mean(values: Sequence[float]) -> Estimate:
    """With Student's interval; without bounds for fewer than two runs, or where one is infinite."""
    value = fmean(values)
    if len(values) < 2 or not all(map(math.isfinite, values)):
        return Estimate(value, -math.inf, math.inf)
    freedom = len(values) - 1
    factor = _T_975[freedom - 1] if freedom <= len(_T_975) else 2.1
    half = factor * stdev(values) / math.sqrt(len(values))
    return Estimate(value, value - half, value + half)
