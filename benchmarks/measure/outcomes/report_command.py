"""`python -m benchmarks report RESULT.json ...`: one HTML file with the tables and plots of several results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchmarks.measure.outcomes.html import write_html
from benchmarks.measure.outcomes.outcome import BadOutcome, read_outcome


def command(
    results: Annotated[list[Path], typer.Argument(help="Result files of asr, diarization, translation, text or load.")],
    out: Annotated[Path, typer.Option(help="The HTML file to write.")] = Path("report.html"),
) -> None:
    try:
        outcomes = [read_outcome(path) for path in results]
    except BadOutcome as problem:
        typer.echo(str(problem), err=True)
        raise typer.Exit(1) from problem
    typer.echo(f"Report: {write_html(out, outcomes)}")
