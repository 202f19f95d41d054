"""The report of a campaign, kept in `soak/results`."""

from __future__ import annotations

from pathlib import Path

from cluster.testing import report
from soak.goals import GOALS


class Report(report.Report):
    def __init__(self, command: str, variant: str = "") -> None:
        folder = Path(__file__).parent / "results"
        super().__init__(command, variant, package="soak", goals=GOALS, folder=folder)
