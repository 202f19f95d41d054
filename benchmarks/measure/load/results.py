"""Requests and figures of a load measurement in the form of every result file of models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.measure.load.figures import QUANTILES, Figures, due_within
from benchmarks.measure.load.request import Ending, Request
from benchmarks.measure.outcomes.outcome import Curve, Figure, Formula, Item, Metric, Point

GROUP_S = 5.0
"""Requests that were due within this time wait in the same queue: intervals and comparisons draw them together."""
METRICS = (
    *(
        Metric(
            key=key,
            title=f"Latency {key}",
            unit="s",
            about="From the moment a request was due to its answer. One without an answer counts as long as it waited.",
            formula=Formula.QUANTILE,
            quantile=share,
            is_timed=True,
        )
        for key, share in QUANTILES.items()
    ),
    Metric(
        key="answered",
        title="Answered",
        unit="%",
        about="Requests that got their text.",
        lower_is_better=False,
        scale=100.0,
    ),
)


@dataclass(frozen=True, slots=True)
class Condition:
    """A measured part of a run: one rate, or one number of callers. `x` is where it stands in plots."""

    name: str
    x: float
    figures: Figures
    requests: Sequence[Request]
    warm_up_s: float
    seconds: float

    def items(self) -> Iterator[Item]:
        measured = due_within(self.requests, self.warm_up_s, self.warm_up_s + self.seconds)
        given = [name for name, value in self.figures.latencies.items() if value is not None]
        for index, one in enumerate(measured):
            yield _item(f"{self.name} #{index}", self.name, one, given)

    def shown(self) -> Iterator[Figure]:
        """What the requests alone do not say."""
        yield Figure(name=f"{self.name}: offered", value=self.figures.offered, unit="requests/s")
        yield Figure(name=f"{self.name}: answered", value=self.figures.achieved, unit="requests/s")
        yield Figure(name=f"{self.name}: real-time factor", value=self.figures.speed, unit="s of sound/s")
        yield Figure(name=f"{self.name}: refusals", value=self.figures.refusals, unit="answers")
        yield Figure(name=f"{self.name}: callers late, p99", value=self.figures.late_p99_s, unit="s")
        for ending, count in sorted(self.figures.endings.items()):
            if ending != Ending.DONE:
                yield Figure(name=f"{self.name}: {ending}", value=count, unit="requests")

    def notes(self) -> Iterator[str]:
        """Doubts and errors."""
        if missing := [name for name, value in self.figures.latencies.items() if value is None]:
            yield f"{self.name}: too few requests for {', '.join(missing)}. Measure for longer."
        yield from (f"{self.name}: {doubt}" for doubt in self.figures.doubts)
        yield from (f"{self.name}: {count} × {problem}" for problem, count in self.figures.problems.items())


def latency_curves(conditions: Sequence[Condition], x_label: str) -> Iterator[Curve]:
    """A plot for each quantile over the conditions."""
    for key in QUANTILES:
        points = [
            Point(x=one.x, y=latency)
            for one in conditions
            if (latency := one.figures.latencies[key]) is not None and latency < float("inf")
        ]
        if points:
            yield Curve(title=f"Latency {key}", x_label=x_label, y_label="s", points=tuple(points))


def _item(name: str, condition: str, request: Request, quantiles: Sequence[str]) -> Item:
    values: dict[str, tuple[float, ...]] = {"answered": (float(request.ending is Ending.DONE), 1.0)}
    if request.ending in (Ending.DONE, Ending.UNFINISHED):
        values |= dict.fromkeys(quantiles, (round(request.ended_s - request.due_s, 4),))
    group = f"{condition} {int(request.due_s // GROUP_S)}"
    return Item(id=name, group=group, condition=condition, values=values, problem=request.problem)
