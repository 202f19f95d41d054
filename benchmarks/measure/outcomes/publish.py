"""Shows an outcome on the terminal and writes its two files."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.measure.outcomes.compare import EVERYTHING
from benchmarks.measure.outcomes.html import number, parts_of_data, write_html
from benchmarks.measure.outcomes.outcome import Metric, Outcome, write_outcome
from benchmarks.measure.outcomes.scoring import interval, value

RESULTS = Path(__file__).parents[2] / "results" / "models"


def publish(outcome: Outcome, out: Path | None) -> Path:
    """Print the values, and write the result and its report. Return the path of the result.

    Without `out` the file is named by the command and the time, so that no result replaces another.
    """
    path = out or RESULTS / f"{outcome.kind}-{outcome.finished_at:%Y%m%d-%H%M%S}.json"
    if path.suffix != ".json":
        path = path.with_name(f"{path.name}.json")
    console = Console()
    _print_all(console, outcome)
    _print_parts(console, outcome)
    notes = (*outcome.data.notes, *outcome.notes, *(note for run in outcome.systems for note in run.notes))
    for note in dict.fromkeys(notes):
        console.print(f"- {note}", markup=False, highlight=False)
    write_outcome(outcome, path)
    page = write_html(path.with_suffix(".html"), [outcome])
    console.print(f"Result: {path}\nReport: {page}", markup=False, highlight=False, soft_wrap=True)
    return path


def _print_all(console: Console, outcome: Outcome) -> None:
    """Every metric over everything, with intervals, and the figures of each system."""
    table = Table("metric", *(run.name for run in outcome.systems), title=f"{outcome.title} ({EVERYTHING})")
    for metric in outcome.metrics:
        cells = []
        for run in outcome.systems:
            bounds = interval(metric, run.items)
            cells.append(number(value(metric, run.items)))
            if bounds is not None:
                cells[-1] += f" ({number(bounds.low)} to {number(bounds.high)})"
        table.add_row(_title(metric), *cells)
    for name, unit in dict.fromkeys((figure.name, figure.unit) for run in outcome.systems for figure in run.figures):
        own = [{figure.name: figure.value for figure in run.figures}.get(name) for run in outcome.systems]
        table.add_row(f"{name}, {unit}", *map(number, own))
    console.print(table)


def _print_parts(console: Console, outcome: Outcome) -> None:
    """The first metric, which matters most, by part of the data; the report has the others."""
    parts = [(label, wanted) for label, wanted in parts_of_data(outcome) if label != EVERYTHING]
    if not parts or not outcome.metrics:
        return
    first = outcome.metrics[0]
    table = Table("part", *(run.name for run in outcome.systems), title=_title(first))
    for label, wanted in parts:
        own = [
            value(first, [i for i in run.items if all(getattr(i, kind) == name for kind, name in wanted.items())])
            for run in outcome.systems
        ]
        if any(each is not None for each in own):
            table.add_row(label, *map(number, own))
    console.print(table)


def _title(metric: Metric) -> str:
    return f"{metric.title}{metric.unit and ', '}{metric.unit}"
