"""Measures the service times of an engine: seconds of a call by batch size and length of windows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import product
from statistics import quantiles

from benchmarks.measure.load.clips import Clip, of_length
from benchmarks.measure.load.configuration import Configuration
from benchmarks.measure.load.curves import CurveFile, Point, ServiceCurve
from benchmarks.measure.load.engine_process import EngineProcess
from benchmarks.measure.models.environment import commit, machine
from benchmarks.measure.progress import progress


def measure(
    process: EngineProcess,
    configuration: Configuration,
    clips: Sequence[Clip],
    *,
    batches: Sequence[int],
    windows_s: Sequence[float],
    calls: int,
) -> CurveFile:
    """With one call at a time, and with as many as the engine runs side by side: they share cores and memory."""
    sides = sorted({1, process.loaded.parallel})
    curves = []
    with progress("Service times", len(sides) * len(batches) * len(windows_s)) as advance:
        for beside in sides:
            points = []
            for batch, window_s in product(sorted(set(batches)), sorted(set(windows_s))):
                seconds = process.call_seconds(of_length(clips, window_s, batch), beside=beside, calls=calls)
                points.append(_point(batch, window_s, seconds))
                advance(f"{batch} windows of {window_s:g} s, {beside} side by side")
            curves.append(_curve(process, configuration, beside, points))
    return CurveFile(
        measured_at=datetime.now(UTC).isoformat(timespec="seconds"),
        commit=commit(),
        machine=machine(),
        curves=tuple(curves),
    )


def _curve(process: EngineProcess, configuration: Configuration, beside: int, points: Sequence[Point]) -> ServiceCurve:
    info, profile = process.loaded.info, configuration.profile
    return ServiceCurve(
        engine=info.engine,
        model=info.model,
        device=info.device,
        compute_type=profile.compute_type,
        beam_size=profile.beam_size,
        threads=profile.threads,
        load_s=process.loaded.seconds,
        beside=beside,
        points=tuple(points),
    )


def _point(batch: int, window_s: float, seconds: Sequence[float]) -> Point:
    tenths = quantiles(seconds, n=10, method="inclusive") if len(seconds) > 1 else [seconds[0]] * 9
    return Point(
        batch=batch, window_s=window_s, calls=len(seconds), median_s=tenths[4], p10_s=tenths[0], p90_s=tenths[8]
    )
