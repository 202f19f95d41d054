"""One side over equal and unequal windows: speed, memory, share of the least time, and how busy the processors are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.goals.gpu.device import process_clock, processor_share, used_bytes
from benchmarks.goals.gpu.limit import work_of
from benchmarks.goals.gpu.run import Run
from benchmarks.goals.gpu.sides import WINDOW_S, Decode, Make
from benchmarks.goals.gpu.sounds import wave
from serve.testing.random_whisper_torch import Shape

ROUNDS = 2
"""Batches in one measured run, so that our engine has windows to put into free slots."""
UNEQUAL = (0.3, 0.6, 1.0, 2.0)
"""Lengths of windows in turn, as shares of the usual one: speech has pauses and quick talkers."""


@dataclass(frozen=True, slots=True)
class _Speed:
    """Best of several runs. `real_time` is seconds of audio for each second."""

    real_time: float
    tokens_a_second: float


def side_title(shape: Shape, name: str, batch: int) -> str:
    """The name of a side's speed with equal windows in the report."""
    return f"{shape.name}: {name}, batch {batch}"


def measure_side(run: Run, name: str, make: Make, shape: Shape, folder: Path, batch: int, *, unequal: bool) -> None:
    """Load the side and report it with equal windows and, if wanted, with unequal ones."""
    report, title = run.report, side_title(shape, name, batch)
    empty = used_bytes(run.device)
    loading: list[float] = []
    with run.timed(loading):
        side = make(run, folder, batch)
    try:
        report.figure(f"{title}, loading", loading[0], "s", graphs=side.graphs)
        if run.device == "cuda" and name == "our loop" and not side.graphs:
            report.note(f"{title}: the decode steps could not be captured as CUDA graphs.")
        begun = process_clock()
        speed = _measured(run, side.decode, [run.tokens] * ROUNDS * batch)
        report.figure(title, speed.real_time, "x real time", tokens_a_second=round(speed.tokens_a_second))
        report.figure(f"{title}, processors busy", processor_share(begun), "processors")
        report.figure(f"{title}, memory", max(0, used_bytes(run.device) - empty) / 2**30, "GiB")
        if run.speed is not None:
            value_bytes = 2 if run.device == "cuda" else 4
            work = work_of(shape, batch=batch, tokens=run.tokens, value_bytes=value_bytes)
            taken = batch * WINDOW_S / speed.real_time
            report.figure(f"{title}, share of the least time", 100 * work.least_seconds(run.speed) / taken, "%")
        if unequal:
            tokens = [max(1, round(run.tokens * UNEQUAL[index % len(UNEQUAL)])) for index in range(ROUNDS * batch)]
            uneven = _measured(run, side.decode, tokens)
            report.figure(
                f"{title}, unequal rows", uneven.real_time, "x real time", tokens_a_second=round(uneven.tokens_a_second)
            )
    finally:
        side.close()


def _measured(run: Run, decode: Decode, tokens: Sequence[int]) -> _Speed:
    waves = [wave(WINDOW_S, index % 8) for index in range(len(tokens))]
    half = len(waves) // ROUNDS
    decode(waves[:half], tokens[:half])
    times: list[float] = []
    written = 0
    for _ in range(run.repeats):
        with run.timed(times):
            written = decode(waves, tokens)
    return _Speed(len(waves) * WINDOW_S / min(times), written / min(times))
