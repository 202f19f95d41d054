"""`docs/figures.md`: every goal of this project with the figure on record, written from `benchmarks/results`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.commands import COMMANDS
from benchmarks.goals.table import GOALS
from cluster.testing.goal import RATIO, Goal
from cluster.testing.report import UNFINISHED

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "figures.md"
RESULTS = ROOT / "benchmarks" / "results"
_HEAD = """# Figures

What we promise, and what was measured last. Each goal has a required and a stretch value; most are ratios to the tool
named in it, run alternately on one machine, and one that is measured in several ways shows the worst.
`python -m benchmarks NAME` measures again, `python -m benchmarks.manifests figures` writes this page from
`benchmarks/results`.

| goal | | figure | required | stretch | measured by | on |
|---|---|---|---|---|---|---|
"""
_MARKS = {"stretch": "better than the stretch goal", "met": "met", "short": "**short**"}


@dataclass(frozen=True, slots=True)
class Result:
    """A file of `benchmarks/results`. `rows` have a `goal` where they answer for one."""

    bench: str
    command: str
    finished_on: str
    machine: str
    rows: list[Mapping[str, Any]]


def figures_page(folder: Path = RESULTS) -> str:
    """The page as it must be."""
    results = list(results_in(folder))
    measured = {key: found for key, goal in GOALS.items() if (found := _worst(key, goal, results)) is not None}
    rows = "".join(_row(key, GOALS[key], *found) for key, found in measured.items())
    return _HEAD + rows + _missing(measured) + _benches(results)


def _worst(key: str, goal: Goal, results: list[Result]) -> tuple[float, Result] | None:
    """A goal that is measured in several ways stands for the worst of them."""
    found = [(float(row["value"]), each) for each in results for row in each.rows if row.get("goal") == key]
    if not found:
        return None
    return max(found, key=lambda one: one[0]) if goal.at_most else min(found, key=lambda one: one[0])


def figures_problems(folder: Path = RESULTS) -> Iterator[str]:
    """Results that no bench writes any more, or of goals that there are no more."""
    for each in results_in(folder):
        if each.bench not in COMMANDS:
            yield f"benchmarks/results/{each.bench}.json belongs to no bench. Remove it"
        for row in each.rows:
            if row.get("goal", next(iter(GOALS))) not in GOALS:
                yield f"benchmarks/results/{each.bench}.json: {row['goal']} is no goal any more. Measure again"


def results_in(folder: Path) -> Iterator[Result]:
    """The results in the order of their files; runs that did not end are left out."""
    for file in sorted(folder.glob("*.json")):
        if file.name.endswith(UNFINISHED):
            continue
        stored = json.loads(file.read_text())
        machine = stored["machine"]
        yield Result(
            bench=stored["command"].removeprefix("python -m benchmarks ").split(" ")[0],
            command=stored["command"],
            finished_on=stored["finished_at"][:10],
            machine=f"{machine['cores']} cores, {machine['processor']}",
            rows=stored["results"],
        )


def _row(key: str, goal: Goal, value: float, result: Result) -> str:
    bound = "at most" if goal.at_most else "at least"
    verdict = _MARKS[goal.verdict(value)]
    return (
        f"| {key} | {goal.name} | {_number(value, goal.unit)}, {verdict} | {bound} {_number(goal.required, goal.unit)} "
        f"| {_number(goal.stretch, goal.unit)} | `{result.command}` | {result.finished_on}, {result.machine} |\n"
    )


def _missing(measured: Mapping[str, object]) -> str:
    left = [f"- {key}: {goal.name}\n" for key, goal in GOALS.items() if key not in measured]
    return "\n## Goals without a figure\n\n" + ("".join(left) or "None.\n")


def _benches(results: list[Result]) -> str:
    have = {each.bench for each in results}
    lines = [
        f"- `{name}`: {command.about}{'' if name in have else ' **No result on record.**'}\n"
        for name, command in COMMANDS.items()
        if ".outcomes." not in command.module
    ]
    return "\n## Benches\n\n" + "".join(lines)


def _number(value: float, unit: str) -> str:
    digits = f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"
    return f"{digits}{unit}" if unit in (RATIO, "%") else f"{digits} {unit}"
