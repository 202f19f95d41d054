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

    file: str
    """Its path in `benchmarks/results`."""
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
            yield f"benchmarks/results/{each.file} belongs to no bench. Remove it"
        for row in each.rows:
            if row.get("goal", next(iter(GOALS))) not in GOALS:
                yield f"benchmarks/results/{each.file}: {row['goal']} is no goal any more. Measure again"
    have = {each.bench for each in results_in(folder)}
    for name in _benches_with_results():
        if name not in have:
            yield f"The bench {name} has no result in benchmarks/results. Run it, and commit what it writes"


def results_in(folder: Path) -> Iterator[Result]:
    """The results in the order of their files; runs that did not end are left out.

    Those of `models` are outcomes of measurements of any model; few of their figures answer for a goal of this project.
    Only those on record are named after their bench alone: others of one's own have a time in their names.
    """
    on_record = [each for each in folder.glob("models/*.json") if each.name.split(".")[0] in COMMANDS]
    for file in sorted([*folder.glob("*.json"), *on_record]):
        if file.name.endswith(UNFINISHED):
            continue
        stored = json.loads(file.read_text())
        # Service times for `simulate` stand beside the result that they come from.
        if "command" not in stored:
            continue
        machine = stored["machine"]
        figures = [each for system in stored.get("systems", ()) for each in system.get("figures", ())]
        yield Result(
            file=str(file.relative_to(folder)),
            bench=stored["command"].removeprefix("python -m benchmarks ").split(" ")[0],
            command=stored["command"],
            finished_on=stored["finished_at"][:10],
            machine=f"{machine['cores']} cores, {machine['processor']}",
            rows=stored.get("results", [each for each in figures if each.get("goal")]),
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
    lines = []
    for name in _benches_with_results():
        own = [f"[{each.finished_on}](../benchmarks/results/{each.file})" for each in results if each.bench == name]
        lines.append(f"- `{name}`: {COMMANDS[name].about} {', '.join(own) or '**No result on record.**'}\n")
    return "\n## Benches\n\nWith the results on record.\n\n" + "".join(lines)


def _benches_with_results() -> list[str]:
    """The others compare or show results."""
    return [name for name, command in COMMANDS.items() if ".outcomes." not in command.module]


def _number(value: float, unit: str) -> str:
    digits = f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"
    return f"{digits}{unit}" if unit in (RATIO, "%") else f"{digits} {unit}"
