"""Plots as SVG whose colours are CSS variables, so that one picture suits both themes and needs no script."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.style import context
from matplotlib.ticker import FuncFormatter

from benchmarks.measure.outcomes.compare import Comparison, Verdict
from benchmarks.measure.outcomes.outcome import Curve
from benchmarks.measure.outcomes.scoring import Interval

# Written by matplotlib, replaced in the SVG: it knows no variables.
_INK, _FAINT = "#010101", "#020202"
_SERIES = tuple(f"#03030{number}" for number in range(1, 9))
_GOOD, _BAD, _UNKNOWN = "#040401", "#040402", "#040403"
_VARIABLES = {
    _INK: "--ink",
    _FAINT: "--faint",
    **{colour: f"--series-{number}" for number, colour in enumerate(_SERIES, 1)},
    _GOOD: "--good",
    _BAD: "--bad",
    _UNKNOWN: "--unknown",
}
_OF_VERDICT = {Verdict.BETTER: _GOOD, Verdict.WORSE: _BAD}
_MARKERS = "osD^vPX*"
_WIDTH = 7.6
"""Inches; the page scales the picture."""
_LEGEND_CHARS = 80
_STYLE = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "svg.hashsalt": "sagascript",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A value in a plot of values. `series` is the number of its system, from 0."""

    label: str
    series: int
    value: float
    interval: Interval | None


def values_plot(rows: Sequence[Row], systems: Sequence[str], unit: str) -> str:
    """Each value as a point with its interval: a line for each part of the data, a colour and a mark for a system."""
    labels = list(dict.fromkeys(row.label for row in rows))
    many = len(systems)
    figure, axes = _figure(height=0.9 + 0.34 * len(labels) * (0.55 + 0.45 * many))
    for row in rows:
        level = labels.index(row.label) + (row.series - (many - 1) / 2) * 0.7 / max(many, 2)
        colour = _SERIES[row.series % len(_SERIES)]
        if row.interval is not None:
            axes.plot([row.interval.low, row.interval.high], [level, level], color=colour, linewidth=2)
        marker = _MARKERS[row.series % len(_MARKERS)]
        axes.plot([row.value], [level], marker, color=colour, markersize=7, clip_on=False)
        end = row.interval.high if row.interval is not None else row.value
        axes.annotate(
            _short(row.value), (end, level), (7, 0), textcoords="offset points", va="center", fontsize=8, color=_INK
        )
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_xlabel(unit)
    axes.set_xlim(*_from_zero([row.value for row in rows], [row.interval for row in rows]))
    if many > 1:
        for number, name in enumerate(systems):
            axes.plot([], [], _MARKERS[number % len(_MARKERS)], color=_SERIES[number % len(_SERIES)], label=name)
        _legend(figure, axes)
    return _svg(figure)


def comparison_plot(comparisons: Sequence[Comparison]) -> str:
    """The difference of each part of the data with its interval, around zero."""
    figure, axes = _figure(height=0.9 + 0.36 * len(comparisons))
    axes.axvline(0, color=_FAINT, linewidth=1.2)
    for level, each in enumerate(comparisons):
        colour = _OF_VERDICT.get(each.verdict, _UNKNOWN)
        if each.interval is not None:
            axes.plot([each.interval.low, each.interval.high], [level, level], color=colour, linewidth=2.5)
        axes.plot([each.difference], [level], "o", color=colour, markersize=7)
    axes.set_yticks(range(len(comparisons)), [f"{each.part}: {each.verdict}" for each in comparisons])
    axes.set_ylim(len(comparisons) - 0.4, -0.6)
    metric = comparisons[0].metric
    unit = "percentage points" if metric.unit == "%" else metric.unit
    axes.set_xlabel(f"difference, {unit}" if unit else "difference")
    return _svg(figure)


def curves_plot(curves: Sequence[tuple[str, Curve]]) -> str:
    """Curves of one title with the names of their systems."""
    figure, axes = _figure(height=3.6)
    first = curves[0][1]
    for number, (name, curve) in enumerate(curves):
        points = [(point.x, point.y) for point in curve.points]
        colour = _SERIES[number % len(_SERIES)]
        marker = _MARKERS[number % len(_MARKERS)]
        axes.plot(
            *zip(*points, strict=True),
            marker=marker,
            color=colour,
            linewidth=1.8,
            markersize=5,
            label=name,
            clip_on=False,
        )
        for point in curve.points:
            if point.label:
                axes.annotate(
                    point.label, (point.x, point.y), (4, 5), textcoords="offset points", fontsize=8, color=_INK
                )
    if first.is_log_x:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_xlabel(first.x_label)
    axes.set_ylabel(first.y_label)
    axes.set_ylim(bottom=min(0.0, *(point.y for _, curve in curves for point in curve.points)))
    axes.grid(visible=True, color=_FAINT, linewidth=0.5)
    if len(curves) > 1:
        _legend(figure, axes)
    return _svg(figure)


def _figure(*, height: float) -> tuple[Figure, Axes]:
    with context(_STYLE):
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        axes = figure.add_subplot()
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(_FAINT)
    axes.tick_params(colors=_INK, labelcolor=_INK, color=_FAINT)
    axes.xaxis.label.set_color(_INK)
    axes.yaxis.label.set_color(_INK)
    axes.grid(visible=True, axis="x", color=_FAINT, linewidth=0.5)
    axes.set_axisbelow(True)
    figure.patch.set_visible(False)
    axes.patch.set_visible(False)
    return figure, axes


def _legend(figure: Figure, axes: Axes) -> None:
    handles, names = axes.get_legend_handles_labels()
    # Three short names fit beside each other.
    columns = max(1, min(3, _LEGEND_CHARS // max(map(len, names))))
    figure.legend(handles, names, loc="outside upper left", ncols=columns, frameon=False, labelcolor=_INK, fontsize=9)


def _from_zero(values: Sequence[float], intervals: Sequence[Interval | None]) -> tuple[float, float]:
    """Limits that hold zero, so that lengths compare, and everything else."""
    edges = [*values, *(edge for each in intervals if each is not None for edge in (each.low, each.high)), 0.0]
    low, high = min(edges), max(edges)
    # Room for the value beside the longest interval.
    margin = 0.09 * (high - low or 1.0)
    return (low - margin if low < 0 else 0.0, high + margin)


def _short(value: float) -> str:
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2g}" if abs(value) < 1 else f"{value:.2f}"


def _svg(figure: Figure) -> str:
    """The picture as an element that takes the page's width, font and colours."""
    written = io.StringIO()
    with context(_STYLE):
        figure.savefig(written, format="svg", metadata={"Date": None})
    svg = written.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, f"var({variable})")
    # The page says what the picture shows, in a table too.
    return re.sub(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', r'<svg viewBox="\1" aria-hidden="true">', svg, count=1)
