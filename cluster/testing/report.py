"""The result of a benchmark or a campaign: a table against its goals, and JSON in the package's `results`."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from cluster.testing.goal import Goal


class Report:
    """Values of one run of a command. `notes` tell readers about weights, sizes and omissions.

    `variant` gives runs separate files that must not replace each other.
    """

    def __init__(
        self, command: str, variant: str = "", *, package: str, goals: Mapping[str, Goal], folder: Path
    ) -> None:
        self._package = package
        self._goals = goals
        self._folder = folder
        self.command = command
        self._variant = variant
        self.notes: list[str] = []
        self._load_before = os.getloadavg()
        self._rows: list[dict[str, Any]] = []

    def goal(self, key: str, value: float, **detail: Any) -> None:
        """Add the value reached for one of the package's goals."""
        goal = self._goals[key]
        self._rows.append(
            {
                "goal": key,
                "name": goal.name,
                "value": value,
                "unit": goal.unit,
                "required": goal.required,
                "stretch": goal.stretch,
                "verdict": goal.verdict(value),
                **detail,
            }
        )

    def figure(self, name: str, value: float, unit: str, **detail: Any) -> None:
        """Add a value without a goal."""
        self._rows.append({"name": name, "value": value, "unit": unit, **detail})

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)

    def write(self) -> Path:
        """Print the table and write `<command>-<variant>.json`; return its path."""
        self._print()
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{self.command}{self._variant and '-'}{self._variant}.json"
        document = {
            "command": " ".join([f"python -m {self._package}", self.command, *sys.argv[2:]]),
            "finished_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": {"cores": os.cpu_count(), "processor": processor_name(), "python": platform.python_version()},
            "load": {"before": self._load_before, "after": os.getloadavg()},
            "notes": self.notes,
            "results": self._rows,
        }
        path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        return path

    def _print(self) -> None:
        table = Table(
            "goal", "what", "value", "required", "stretch", "verdict", title=f"{self._package} {self.command}"
        )
        for row in self._rows:
            table.add_row(
                row.get("goal", ""),
                row["name"],
                f"{row['value']:.4g} {row['unit']}",
                f"{row['required']:g}" if "required" in row else "",
                f"{row['stretch']:g}" if "stretch" in row else "",
                row.get("verdict", ""),
            )
        console = Console()
        console.print(table)
        for sentence in self.notes:
            console.print(f"- {sentence}")


def processor_name() -> str:
    """The processor as Linux names it."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()
