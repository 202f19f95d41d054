"""Timelines as a result file: an item for each upload, a metric for each phase and quantile."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.measure.load.figures import QUANTILES, quantiles_of
from benchmarks.measure.outcomes.outcome import Figure, Formula, Item, Metric, SystemRun
from benchmarks.measure.pipeline.timeline import ABOUT, PHASES, Moment, Timeline

METRICS = (
    *(
        Metric(
            key=f"{phase} {name}",
            title=f"{phase.capitalize()} {name}",
            unit="s",
            about=ABOUT[phase],
            formula=Formula.QUANTILE,
            quantile=share,
            is_timed=True,
        )
        for phase in PHASES
        for name, share in QUANTILES.items()
    ),
    Metric(
        key="captioned",
        title="Captioned",
        unit="%",
        about="Uploads that got their captions.",
        lower_is_better=False,
        scale=100.0,
    ),
)


def system_of(url: str, timelines: Sequence[Timeline]) -> SystemRun:
    given = quantiles_of(sum(not one.problem for one in timelines))
    return SystemRun(
        name=url,
        engine="sagascript",
        model="",
        items=tuple(_item(index, one, given) for index, one in enumerate(timelines)),
        figures=tuple(_figures(timelines)),
        notes=tuple(f"{one.name}: {one.problem}" for one in timelines if one.problem),
    )


def _item(index: int, timeline: Timeline, quantiles: Sequence[str]) -> Item:
    values: dict[str, tuple[float, ...]] = {"captioned": (float(not timeline.problem), 1.0)}
    for phase, seconds in timeline.phases().items():
        values |= {f"{phase} {name}": (round(seconds, 3),) for name in quantiles}
    return Item(id=f"upload {index}", group=str(index), values=values, problem=timeline.problem)


def _figures(timelines: Sequence[Timeline]) -> list[Figure]:
    finished = [one for one in timelines if not one.problem]
    if not finished:
        return []
    begun = min(one.moments[Moment.DUE] for one in timelines)
    ended = max(one.moments[Moment.ALL_CAPTIONS] for one in finished)
    media_s = sum(one.media_s for one in finished)
    late = max(one.moments[Moment.BEGUN] - one.moments[Moment.DUE] for one in timelines)
    return [
        Figure(name="media captioned", value=media_s, unit="s"),
        Figure(name="from the first drop to the last caption", value=ended - begun, unit="s"),
        Figure(name="real-time factor", value=media_s / (ended - begun), unit="s of media/s"),
        Figure(name="callers late, most", value=late, unit="s"),
    ]
