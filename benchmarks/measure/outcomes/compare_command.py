"""`python -m benchmarks compare A.json B.json`: is the second better than the first, as far as the data can tell?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.measure.outcomes.compare import Compared, Run, compare
from benchmarks.measure.outcomes.html import number, write_html
from benchmarks.measure.outcomes.outcome import BadOutcome, Outcome, SystemRun, read_outcome

STYLES = {"better": "green", "worse": "red"}


def command(
    first: Annotated[Path, typer.Argument(help="Result file of what you have.")],
    second: Annotated[Path, typer.Argument(help="Result file of what you think of using; may be the same file.")],
    more: Annotated[
        list[Path] | None,
        typer.Argument(
            help="More runs of both in turns, by which speed is judged: first, second, first, second …",
            show_default=False,
        ),
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            help="Name of the system of each file, first and second, where a file has several: "
            "--system large-v3 --system turbo. Without it, systems of equal name are compared."
        ),
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Also write a report with plots to this file.")] = None,
) -> None:
    try:
        outcomes = read_outcome(first), read_outcome(second)
        further = _further(tuple(more or ()))
        compared = [
            compare(outcomes[0], one, outcomes[1], other, [_same_systems(pair, one, other) for pair in further])
            for one, other in pairs(outcomes, tuple(system or ()))
        ]
    except BadOutcome as problem:
        typer.echo(str(problem), err=True)
        raise typer.Exit(1) from problem
    console = Console()
    for each in compared:
        _print(console, each)
    if html is not None:
        page = write_html(html, outcomes if first != second else outcomes[:1], compared)
        console.print(f"Report: {page}", markup=False, highlight=False, soft_wrap=True)


def _further(paths: tuple[Path, ...]) -> list[tuple[Outcome, Outcome]]:
    """Raises BadOutcome."""
    if len(paths) % 2:
        raise BadOutcome("Name as many runs of the second system as of the first, in turns: A1 B1 A2 B2.")
    return [(read_outcome(first), read_outcome(second)) for first, second in zip(paths[::2], paths[1::2], strict=True)]


def _same_systems(outcomes: tuple[Outcome, Outcome], first: SystemRun, second: SystemRun) -> tuple[Run, Run]:
    """Further runs of two systems. Raises BadOutcome."""
    one, other = outcomes
    return (one, one.system(first.name)), (other, other.system(second.name))


def pairs(outcomes: tuple[Outcome, Outcome], names: tuple[str, ...]) -> list[tuple[SystemRun, SystemRun]]:
    """Which system is compared with which. Raises BadOutcome."""
    first, second = outcomes
    if len(names) == 2:
        return [(first.system(names[0]), second.system(names[1]))]
    if names:
        raise BadOutcome("Name two systems: --system once for the first file and once for the second.")
    if len(first.systems) == len(second.systems) == 1:
        return [(first.systems[0], second.systems[0])]
    shared = [(run, other) for run in first.systems for other in second.systems if run.name == other.name]
    if not shared or first == second:
        known = "; ".join(", ".join(f"“{run.name}”" for run in each.systems) for each in outcomes)
        raise BadOutcome(f"Name the two systems to compare, with --system twice. The files have: {known}.")
    return shared


def _print(console: Console, compared: Compared) -> None:
    table = Table(
        "metric", "part", "items", "first", "second", "difference (95 %)", "second is",
        title=f"second: “{compared.second}”, first: “{compared.first}”",
    )  # fmt: skip
    for each in compared.comparisons:
        bounds = f" ({number(each.interval.low)} to {number(each.interval.high)})" if each.interval else ""
        style = STYLES.get(each.verdict.value, "")
        table.add_row(
            f"{each.metric.title}{each.metric.unit and ', '}{each.metric.unit}",
            each.part,
            str(each.items),
            number(each.first),
            number(each.second),
            number(each.difference) + bounds,
            f"[{style}]{each.verdict.value}[/]" if style else each.verdict.value,
        )
    console.print(table)
    for note in compared.notes:
        console.print(f"- {note}", markup=False, highlight=False)
