"""Latency, rate and refusals of a run, and whether the run had settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.measure.load.request import Ending, Request

LOOKS = 60
"""Moments at which the backlog is read."""
LEAST_RATE = 0.9
"""Share of the arrivals that must be answered within the measured time, give or take two requests."""
MOST_GROWTH = 0.5
"""The backlog may grow by this share of its mean during the measured time, and by two requests in any case."""
LATE_SHARE, LATE_S = 0.1, 0.02
"""Callers later than this share of the median latency, and than this at all, are a fault of the measurement."""
QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
_ABOVE = 3
"""Values that must lie above a quantile other than the median; else it says nothing, and is not given."""


@dataclass(frozen=True, slots=True)
class Figures:
    """A run, without its warm-up.

    `latencies` are seconds from the moment a request was due, by `QUANTILES`; infinite where requests had no answer,
    None for too few requests. `achieved` is answered requests a second, `speed` seconds of sound answered a second (the
    real-time factor), `refusals` counts answers that asked to come back later.
    """

    offered: float
    achieved: float
    speed: float
    requests: int
    endings: dict[str, int]
    refusals: int
    latencies: dict[str, float | None]
    late_p99_s: float
    doubts: tuple[str, ...]
    problems: dict[str, int]

    @property
    def is_steady(self) -> bool:
        return not self.doubts


def figures_of(requests: Sequence[Request], *, warm_up_s: float, seconds: float) -> Figures:
    """Figures of the requests that were due after the warm-up, within `seconds`. Raises ValueError without any."""
    end = warm_up_s + seconds
    measured = due_within(requests, warm_up_s, end)
    if not measured:
        raise ValueError("No request was due in the measured time: raise the rate or the seconds.")
    answered = [one for one in requests if one.ending is Ending.DONE and warm_up_s <= one.ended_s < end]
    latencies = [one.latency_s for one in measured if one.ending in (Ending.DONE, Ending.UNFINISHED)]
    given = quantiles_of(len(latencies)) if latencies else []
    by_quantile = {name: _quantile(latencies, share) if name in given else None for name, share in QUANTILES.items()}
    late = float(np.quantile([one.late_s for one in measured], 0.99))
    doubts = _growth(requests, warm_up_s, seconds)
    if len(answered) + 2 < LEAST_RATE * len(measured):
        doubts.append(f"Only {len(answered)} of {len(measured)} requests were answered in the measured time.")
    middle = by_quantile["p50"]
    if middle is not None and late > max(LATE_S, LATE_SHARE * middle):
        doubts.append(f"The callers themselves were up to {late * 1000:.0f} ms late: give them a machine of their own.")
    return Figures(
        offered=len(measured) / seconds,
        achieved=len(answered) / seconds,
        speed=sum(one.audio_s for one in answered) / seconds,
        requests=len(measured),
        endings=dict(Counter(str(one.ending) for one in measured)),
        refusals=sum(one.refusals for one in measured),
        latencies=by_quantile,
        late_p99_s=late,
        doubts=tuple(doubts),
        problems=dict(Counter(one.problem for one in measured if one.problem).most_common(10)),
    )


def quantiles_of(count: int) -> list[str]:
    """The quantiles that this many values can give: p95 needs 60, p99 needs 300."""
    return [name for name, share in QUANTILES.items() if name == "p50" or count * (1 - share) >= _ABOVE - 1e-9]


def due_within(requests: Sequence[Request], start_s: float, end_s: float) -> list[Request]:
    """The requests that were due in this time, in order."""
    return sorted((one for one in requests if start_s <= one.due_s < end_s), key=lambda one: one.due_s)


def backlog(requests: Sequence[Request], times: Sequence[float]) -> list[int]:
    """How many requests were due and not yet ended at each time."""
    due = np.sort([one.due_s for one in requests])
    ended = np.sort([one.ended_s for one in requests])
    counts = np.searchsorted(due, times, side="right") - np.searchsorted(ended, times, side="right")
    return [int(count) for count in counts]


def _quantile(latencies: Sequence[float], share: float) -> float:
    # "higher" never averages two values, of which one may be infinite.
    return float(np.quantile(latencies, share, method="higher"))


def _growth(requests: Sequence[Request], warm_up_s: float, seconds: float) -> list[str]:
    times = np.linspace(warm_up_s, warm_up_s + seconds, LOOKS)
    counts = backlog(requests, list(times))
    growth = float(np.polyfit(times, counts, 1)[0]) * seconds
    if growth > max(2.0, MOST_GROWTH * float(np.mean(counts))):
        return [f"Not steady: the backlog grew by {growth:.0f} requests, so the rate is above the capacity."]
    return []
