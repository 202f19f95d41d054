"""The report of a campaign, kept in `benchmarks/soak/results`."""

from __future__ import annotations

from pathlib import Path

from benchmarks.soak.goals import GOALS
from cluster.testing import report


class Report(report.Report):
    def __init__(self, command: str, variant: str = "") -> None:
        folder = Path(__file__).parent / "results"
        super().__init__(command, variant, package="benchmarks.soak", goals=GOALS, folder=folder)
