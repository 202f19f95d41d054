"""One HTML file that shows results: no network, no script, both themes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from benchmarks.measure.outcomes.compare import EVERYTHING, Compared, Comparison
from benchmarks.measure.outcomes.outcome import Curve, Item, Metric, Outcome, SystemRun, distinct
from benchmarks.measure.outcomes.plots import Row, comparison_plot, curves_plot, values_plot
from benchmarks.measure.outcomes.scoring import Interval, interval, value

WORST = 15
"""Items shown for each system: where it was furthest from the reference."""
_PARTS_SHOWN = 24


@dataclass(frozen=True, slots=True)
class Cell:
    """A value in a table; None where the system has none."""

    value: float | None
    interval: Interval | None = None
    items: int = 0


@dataclass(frozen=True, slots=True)
class MetricSection:
    """A metric of an outcome: a row for each part of the data, a cell for each system."""

    metric: Metric
    rows: list[tuple[str, list[Cell]]]
    plot: Markup


@dataclass(frozen=True, slots=True)
class CurveSection:
    """Curves of one title; `points` are system, x, y and label."""

    title: str
    curve: Curve
    points: list[tuple[str, float, float, str]]
    plot: Markup


@dataclass(frozen=True, slots=True)
class ComparisonSection:
    metric: Metric
    comparisons: list[Comparison]
    plot: Markup


@dataclass(frozen=True, slots=True)
class ComparisonPart:
    compared: Compared
    sections: list[ComparisonSection]


@dataclass(frozen=True, slots=True)
class OutcomePart:
    """`summary` has a row for each metric over everything, and a cell for each system."""

    outcome: Outcome
    summary: list[tuple[Metric, list[Cell]]]
    metrics: list[MetricSection]
    curves: list[CurveSection]
    worst: list[tuple[SystemRun, Metric, list[Item]]]


def report_html(outcomes: Sequence[Outcome], comparisons: Sequence[Compared] = ()) -> str:
    """The page. The comparison comes first: it is what a person opens it for."""
    title = outcomes[0].title if len(outcomes) == 1 else "Comparison" if comparisons else "Results"
    return _template().render(
        title=title,
        comparisons=[ComparisonPart(each, list(_comparison_sections(each))) for each in comparisons],
        parts=[
            OutcomePart(
                each, _summary(each), list(_metric_sections(each)), list(_curve_sections(each)), list(_worst(each))
            )
            for each in outcomes
        ],
    )


def write_html(path: Path, outcomes: Sequence[Outcome], comparisons: Sequence[Compared] = ()) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(report_html(outcomes, comparisons), encoding="utf-8")
    return path


def parts_of_data(outcome: Outcome) -> list[tuple[str, dict[str, str]]]:
    """Names of the parts of the data, everything first, with what their items have in common."""
    items = [item for run in outcome.systems for item in run.items]
    parts: list[tuple[str, dict[str, str]]] = [(EVERYTHING, {})]
    for kind in ("language", "condition"):
        names = distinct(getattr(item, kind) for item in items)
        if len(names) > 1 or (names and any(not getattr(item, kind) for item in items)):
            parts += [(f"{kind} {name}", {kind: name}) for name in names]
    return parts[:_PARTS_SHOWN]


def _summary(outcome: Outcome) -> list[tuple[Metric, list[Cell]]]:
    return [(metric, [_cell(metric, run, {}) for run in outcome.systems]) for metric in outcome.metrics]


def _metric_sections(outcome: Outcome) -> Iterator[MetricSection]:
    names = [run.name for run in outcome.systems]
    for metric in outcome.metrics:
        rows = []
        points = []
        for label, wanted in parts_of_data(outcome):
            cells = [_cell(metric, run, wanted) for run in outcome.systems]
            if all(cell.value is None for cell in cells):
                continue
            rows.append((label, cells))
            points += [
                Row(label, number, cell.value, cell.interval)
                for number, cell in enumerate(cells)
                if cell.value is not None
            ]
        if points:
            # A plot of nothing but zeros shows nothing.
            plot = values_plot(points, names, metric.unit) if any(point.value for point in points) else ""
            yield MetricSection(metric, rows, Markup(plot))


def _cell(metric: Metric, run: SystemRun, wanted: dict[str, str]) -> Cell:
    items = [
        item
        for item in run.items
        if metric.key in item.values and all(getattr(item, kind) == name for kind, name in wanted.items())
    ]
    return Cell(value(metric, items), interval(metric, items), len(items))


def _curve_sections(outcome: Outcome) -> Iterator[CurveSection]:
    curves = [(run.name, curve) for run in outcome.systems for curve in run.curves if curve.points]
    for title in dict.fromkeys(curve.title for _, curve in curves):
        chosen = [(name, curve) for name, curve in curves if curve.title == title]
        points = [(name, point.x, point.y, point.label) for name, curve in chosen for point in curve.points]
        yield CurveSection(title, chosen[0][1], points, Markup(curves_plot(chosen)))


def _comparison_sections(compared: Compared) -> Iterator[ComparisonSection]:
    for key in dict.fromkeys(each.metric.key for each in compared.comparisons):
        chosen = [each for each in compared.comparisons if each.metric.key == key]
        yield ComparisonSection(chosen[0].metric, chosen, Markup(comparison_plot(chosen[:_PARTS_SHOWN])))


def _worst(outcome: Outcome) -> Iterator[tuple[SystemRun, Metric, list[Item]]]:
    """Items with texts to read, the worst by the first metric that the run judges; then those without an answer."""
    judged = next((metric for metric in outcome.metrics if metric.is_judged), None)
    if judged is None:
        return
    for run in outcome.systems:
        scored = [(score, item) for item in run.items if item.texts and (score := value(judged, [item])) is not None]
        scored.sort(key=lambda pair: pair[0], reverse=judged.lower_is_better)
        # An item that is as good as can be teaches nothing.
        best = 0.0 if judged.lower_is_better else 100.0
        worst = [item for score, item in scored[:WORST] if score != best]
        failed = [item for item in run.items if item.problem]
        if worst or failed:
            yield run, judged, [*worst, *failed[:WORST]]


def number(value: float | None) -> str:
    """Enough digits to see a difference, and no more."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.1f}" if abs(value) >= 100 else f"{value:.3g}"


def settings_of(configuration: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Each setting with the names of the groups that it is in; those without a value are left out."""
    found: list[tuple[str, str]] = []
    for key, given in configuration.items():
        if isinstance(given, Mapping):
            found += settings_of(given, f"{prefix}{key}.")
        elif given not in (None, "", [], {}):
            found.append((f"{prefix}{key}", str(given)))
    return found


@lru_cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters.update(number=number, settings=settings_of)
    return environment.get_template("report.html.jinja")
