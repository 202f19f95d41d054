"""The result of a benchmark or a campaign: a table against its goals, and JSON in the package's `results`.

Every value is written when it is measured, to a file that a run which ends replaces by its result. The same command
goes on after the steps in that file.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

from rich.console import Console
from rich.table import Table

from cluster.testing.goal import Goal
from cluster.testing.portable import portable

UNFINISHED = ".unfinished.json"


class Report:
    """Values of one run of a command. `notes` tell readers about weights, sizes and omissions.

    `variant` gives runs separate files that must not replace each other.
    """

    open: ClassVar[list[Report]] = []
    """Those of this process that have no result yet."""

    def __init__(
        self, command: str, variant: str = "", *, package: str, goals: Mapping[str, Goal], folder: Path
    ) -> None:
        self._package = package
        self._goals = goals
        self.folder = folder
        self.command = command
        self._variant = variant
        self.notes: list[str] = []
        self._load_before = os.getloadavg()
        self._rows: list[dict[str, Any]] = []
        self._step: str | None = None
        self._first_row = 0
        self._finished_steps: dict[str, list[dict[str, Any]]] = {}
        self._earlier = self._steps_of_stopped_run()
        Report.open.append(self)

    def begins(self, step: str) -> bool:
        """Whether to measure a step: what is added from now until the next one belongs to it.

        False where a stopped run of the same command has measured it; its values are then in this report.
        """
        self._end_step()
        known = self._earlier.get(step)
        if known is not None:
            self._rows += known
            self._finished_steps[step] = known
            self._say(f"{step}: measured before")
            return False
        self._step, self._first_row = step, len(self._rows)
        self._say(f"{step} …")
        return True

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
        self._added()

    def figure(self, name: str, value: float, unit: str, **detail: Any) -> None:
        """Add a value without a goal."""
        self._rows.append({"name": name, "value": value, "unit": unit, **detail})
        self._added()

    @property
    def values(self) -> dict[str, float]:
        """What was measured so far by name, in this run or in a stopped one that it goes on."""
        return {row["name"]: float(row["value"]) for row in self._rows}

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)

    def write(self) -> Path:
        """Print the table and write `<command>-<variant>.json`; return its path."""
        self._end_step()
        self._print()
        path = self._path(".json")
        self._write(path, {})
        self._path(UNFINISHED).unlink(missing_ok=True)
        Report.open.remove(self)
        return path

    def stop(self) -> None:
        """Print what a stopped run has measured, and how to go on."""
        Report.open.remove(self)
        if not self._rows:
            return
        self._print()
        Console(stderr=True).print(
            f"Stopped. These values are in {self._path(UNFINISHED)}. The same command goes on after them; delete the "
            "file to begin again.",
            markup=False, highlight=False, soft_wrap=True,
        )  # fmt: skip

    def _end_step(self) -> None:
        if self._step is not None:
            self._finished_steps[self._step] = self._rows[self._first_row :]
            self._step = None
            self._write(self._path(UNFINISHED), {"steps": self._finished_steps})

    def _added(self) -> None:
        row = self._rows[-1]
        self._say(f"{row['name']}: {row['value']:.4g} {row['unit']}")
        self._write(self._path(UNFINISHED), {"steps": self._finished_steps})

    def _say(self, sentence: str) -> None:
        sys.stderr.write(f"{sentence}\n")

    def _path(self, ending: str) -> Path:
        return self.folder / f"{self.command}{self._variant and '-'}{self._variant}{ending}"

    def _steps_of_stopped_run(self) -> dict[str, list[dict[str, Any]]]:
        try:
            document = json.loads(self._path(UNFINISHED).read_text())
        except (OSError, ValueError):
            return {}
        return document["steps"] if document.get("command") == self._command_line() else {}

    def _command_line(self) -> str:
        return portable(" ".join([f"python -m {self._package}", self.command, *sys.argv[2:]]))

    def _write(self, path: Path, more: Mapping[str, Any]) -> None:
        document = {
            "command": self._command_line(),
            "finished_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": {"cores": os.cpu_count(), "processor": processor_name(), "python": platform.python_version()},
            "load": {"before": self._load_before, "after": os.getloadavg()},
            "notes": self.notes,
            "results": self._rows,
            **more,
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{path.name}.new")
        new.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        new.replace(path)

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
