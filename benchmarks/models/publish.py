"""Shows an outcome on the terminal and writes its two files."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.models.compare import EVERYTHING
from benchmarks.models.html import number, parts_of_data, write_html
from benchmarks.models.outcome import Outcome, write_outcome
from benchmarks.models.scoring import interval, value

RESULTS = Path(__file__).parents[1] / "results" / "models"


def publish(outcome: Outcome, out: Path | None) -> Path:
    """Print the values, and write the result and its report. Return the path of the result.

    Without `out` the file is named by the command and the time, so that no result replaces another.
    """
    path = out or RESULTS / f"{outcome.kind}-{outcome.finished_at:%Y%m%d-%H%M%S}.json"
    if path.suffix != ".json":
        path = path.with_name(f"{path.name}.json")
    console = Console()
    for label, wanted in parts_of_data(outcome):
        _print(console, outcome, label, wanted)
    for note in (*outcome.data.notes, *outcome.notes, *(note for run in outcome.systems for note in run.notes)):
        console.print(f"- {note}", markup=False, highlight=False)
    write_outcome(outcome, path)
    page = write_html(path.with_suffix(".html"), [outcome])
    console.print(f"Result: {path}\nReport: {page}", markup=False, highlight=False, soft_wrap=True)
    return path


def _print(console: Console, outcome: Outcome, label: str, wanted: dict[str, str]) -> None:
    table = Table("metric", *(run.name for run in outcome.systems), title=f"{outcome.title} ({label})")
    for metric in outcome.metrics:
        cells = []
        for run in outcome.systems:
            items = [item for item in run.items if all(getattr(item, kind) == name for kind, name in wanted.items())]
            bounds = interval(metric, items) if label == EVERYTHING else None
            cells.append(number(value(metric, items)))
            if bounds is not None:
                cells[-1] += f" ({number(bounds.low)} to {number(bounds.high)})"
        if any(cell != "–" for cell in cells):
            table.add_row(f"{metric.title}{metric.unit and ', '}{metric.unit}", *cells)
    if label == EVERYTHING:
        names = dict.fromkeys((figure.name, figure.unit) for run in outcome.systems for figure in run.figures)
        for name, unit in names:
            own = [{figure.name: figure.value for figure in run.figures}.get(name) for run in outcome.systems]
            table.add_row(f"{name}, {unit}", *map(number, own))
    if table.row_count:
        console.print(table)
