"""Every combination of batch size, wait and number of callers, on one loaded engine."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from benchmarks.measure.load.configuration import Configuration
from benchmarks.measure.load.engine_process import EngineProcess, Run
from benchmarks.measure.load.figures import figures_of
from benchmarks.measure.load.results import Condition
from benchmarks.measure.outcomes.outcome import Curve, Figure, Point, SystemRun
from benchmarks.measure.progress import progress
from serve.core.replica_messages import BatchLimits

MIB = 2**20


@dataclass(frozen=True, slots=True)
class Axes:
    batches: Sequence[int]
    waits_ms: Sequence[int]
    callers: Sequence[int]


@dataclass(frozen=True, slots=True)
class Cell:
    limits: BatchLimits
    condition: Condition
    run: Run


def measure(process: EngineProcess, limits: BatchLimits, axes: Axes, *, warm_up_s: float, seconds: float) -> list[Cell]:
    cells = []
    grid = list(product(axes.batches, axes.waits_ms, axes.callers))
    with progress("Batch, wait, callers", len(grid)) as advance:
        for batch, wait_ms, callers in grid:
            chosen = replace(limits, max_batch=batch, wait_ms=wait_ms)
            # A bound of the whole batch would cut the batches that are measured here.
            chosen = replace(chosen, max_batch_cost=None)
            run = process.take_turns(chosen, callers, warm_up_s + seconds)
            figures = figures_of(run.requests, warm_up_s=warm_up_s, seconds=seconds)
            name = f"{callers} callers" if callers != 1 else "1 caller"
            cells.append(Cell(chosen, Condition(name, callers, figures, run.requests, warm_up_s, seconds), run))
            advance(f"batch {batch}, wait {wait_ms} ms, {name}")
    return cells


def systems_of(cells: Sequence[Cell], process: EngineProcess, configuration: Configuration) -> Iterator[SystemRun]:
    """A system for each batch and wait, with its latency over its throughput."""
    info = process.loaded.info
    for limits in dict.fromkeys(cell.limits for cell in cells):
        own = [cell for cell in cells if cell.limits == limits]
        yield SystemRun(
            name=f"batch {limits.max_batch}, wait {limits.wait_ms} ms",
            engine=info.engine,
            model=info.model,
            configuration={
                **configuration.text(),
                "max_batch": limits.max_batch,
                "batch_wait_ms": limits.wait_ms,
                "max_batch_cost": None,
            },
            items=tuple(item for cell in own for item in cell.condition.items()),
            figures=tuple(_figures(own)),
            curves=tuple(_curves(own)),
            notes=tuple(note for cell in own for note in cell.condition.notes()),
        )


def write_csv(cells: Sequence[Cell], path: Path) -> None:
    """One row for each combination. Times are seconds, memory is MiB; empty where there is no value."""
    rows = list(map(_row, cells))
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _row(cell: Cell) -> dict[str, object]:
    figures, run = cell.condition.figures, cell.run
    return {
        "max_batch": cell.limits.max_batch,
        "wait_ms": cell.limits.wait_ms,
        "callers": round(cell.condition.x),
        "requests_per_s": round(figures.achieved, 4),
        "real_time_factor": round(figures.speed, 4),
        **{f"{name}_s": value and round(value, 4) for name, value in figures.latencies.items()},
        "mean_batch": round(run.mean_batch, 2),
        "calls_side_by_side": round(run.busy, 2),
        "peak_mib": run.peak_bytes // MIB,
        "gpu_mib": run.gpu_bytes and run.gpu_bytes // MIB,
    }


def _figures(cells: Sequence[Cell]) -> Iterator[Figure]:
    best = max(cells, key=lambda cell: cell.condition.figures.speed)
    yield Figure(name="best real-time factor", value=best.condition.figures.speed, unit="s of sound/s")
    yield Figure(name="mean batch at that", value=best.run.mean_batch, unit="windows")
    yield Figure(name="memory peak", value=max(cell.run.peak_bytes for cell in cells) / MIB, unit="MiB")
    gpu = [cell.run.gpu_bytes for cell in cells if cell.run.gpu_bytes is not None]
    if gpu:
        yield Figure(name="GPU memory", value=max(gpu) / MIB, unit="MiB")


def _curves(cells: Sequence[Cell]) -> Iterator[Curve]:
    for key in ("p50", "p95"):
        points = [
            Point(x=cell.condition.figures.speed, y=latency, label=str(round(cell.condition.x)))
            for cell in cells
            if (latency := cell.condition.figures.latencies[key]) is not None and latency < float("inf")
        ]
        if points:
            yield Curve(
                title=f"Latency {key} by throughput, with the number of callers",
                x_label="seconds of sound a second",
                y_label="s",
                points=tuple(points),
            )
