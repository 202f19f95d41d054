"""`python -m benchmarks speakers-goals`: goal 24, speech and speakers on one file at once."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.goals.report import Report
from benchmarks.goals.speakers.together import measure_together

NOTE = (
    "Goal 24: both flows on one file, each model in a process of its own, speech by random weights of Whisper base's "
    "shape. On two cores the core-seconds of both together over those of each alone count."
)


def command(
    seconds: Annotated[int, typer.Option(min=60, help="Length of the file.")] = 180,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs that must count.")] = 5,
) -> None:
    report = Report("speakers-goals")
    with tempfile.TemporaryDirectory(prefix="speakers-") as work:
        measure_together(report, Path(work), seconds=seconds, pairs=pairs)
    report.note(NOTE)
    report.write()
