"""The report of a benchmark, kept in `benchmarks/results`."""

from __future__ import annotations

from pathlib import Path

from benchmarks.goals.table import GOALS
from cluster.testing import report


class Report(report.Report):
    def __init__(self, command: str, variant: str = "") -> None:
        folder = Path(__file__).parents[1] / "results"
        super().__init__(command, variant, package="benchmarks", goals=GOALS, folder=folder)
