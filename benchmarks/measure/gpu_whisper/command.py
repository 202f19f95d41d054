"""`python -m benchmarks gpu-whisper`: Whisper on a GPU by batch size, beside CTranslate2 and transformers."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import structlog
import typer

from benchmarks.measure.models.environment import finished
from benchmarks.measure.outcomes.outcome import Curve, Data, Figure, Item, Metric, Point, SystemRun
from benchmarks.measure.outcomes.publish import publish
from benchmarks.measure.progress import Advance, progress
from benchmarks.quiet import silence_logs
from serve.tasks.transcription.messages import MAX_WINDOW_MS, SAMPLE_RATE
from serve.tasks.transcription.whisper_torch.folder import missing_libraries

log = structlog.get_logger(__name__)

WINDOW_S = MAX_WINDOW_MS / 1000
ROUNDS = 2
"""Batches in one measured run, so that our engine has windows to put into free slots."""
NO_GPU = "There is no GPU here: every side ran on the processor, and the figures say nothing about a GPU."
NOTES = (
    "Random weights of the true shape: every window gets the same number of tokens, and the end is suppressed.",
    "The limit is the time that multiplying and copying alone would take at the device's own measured speed.",
    "Goals for large-v3-turbo on one GPU: 1,000 times real time required, 3,000 times as a stretch.",
)
METRICS = (
    Metric(
        key="speed",
        title="Speed",
        unit="× real time",
        about="Seconds of audio for each second of work.",
        lower_is_better=False,
    ),
    Metric(
        key="tokens",
        title="Tokens",
        unit="a second",
        about="Text tokens written for each second of work.",
        lower_is_better=False,
    ),
    Metric(
        key="limit",
        title="Share of the limit",
        unit="%",
        about="The least time that the device's own speed allows, as a share of the time taken.",
        lower_is_better=False,
        scale=100.0,
    ),
)


def command(
    shape: Annotated[str, typer.Option(help="large-v3-turbo, large-v3, small, tiny or smallest.")] = "large-v3-turbo",
    batch: Annotated[list[int] | None, typer.Option(min=1, help="Windows in a batch; may be given again.")] = None,
    tokens: Annotated[int, typer.Option(min=1, max=220, help="Text tokens of a window of 30 s.")] = 120,
    side: Annotated[
        list[str] | None, typer.Option(help="whisper_torch, ctranslate2 or transformers. Without it, all.")
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Measured runs of each batch size.")] = 3,
    out: Annotated[Path | None, typer.Option(help="The result file to write.")] = None,
) -> None:
    """Sweep batch sizes at the shape of a published model with random weights."""
    if (missing := missing_libraries()) is not None:
        raise typer.BadParameter(f"This measurement needs torch: {missing}.")
    from benchmarks.measure.gpu_whisper.device import chosen_device, measured_speed
    from benchmarks.measure.gpu_whisper.limit import DeviceSpeed
    from benchmarks.measure.gpu_whisper.sides import SIDES
    from serve.testing.random_whisper_torch import SHAPES, random_whisper

    if shape not in SHAPES:
        raise typer.BadParameter(f"There is no shape {shape}. There are {', '.join(SHAPES)}.")
    names = side or list(SIDES)
    if unknown := set(names) - set(SIDES):
        raise typer.BadParameter(f"There is no side {', '.join(sorted(unknown))}. There are {', '.join(SIDES)}.")
    silence_logs()
    device = chosen_device()
    notes = [*([NO_GPU] if device == "cpu" else []), *NOTES]
    speed: DeviceSpeed = measured_speed(device)
    folder = random_whisper(SHAPES[shape], dtype="float16" if device == "cuda" else "float32")
    sizes = batch or [1, 8, 16, 32, 64, 128]
    runs = []
    with progress("gpu-whisper", len(names) * len(sizes)) as advance:
        for name in names:
            run = _swept(name, SHAPES[shape], folder, device, sizes, tokens, repeats, speed, advance)
            runs.append(run)
    outcome = finished(
        "gpu-whisper",
        f"Whisper {shape} with random weights on {'a GPU' if device == 'cuda' else 'the processor'}",
        data=Data(
            name=f"noise, {tokens} tokens a window",
            items=sum(ROUNDS * size for size in sizes),
            seconds=WINDOW_S * sum(ROUNDS * size for size in sizes),
            conditions=tuple(_condition(size) for size in sizes),
        ),
        metrics=METRICS,
        systems=runs,
        notes=[
            *notes,
            f"This device multiplies {speed.operations_a_second / 1e12:.2f} T operations a second and copies "
            f"{speed.bytes_a_second / 1e9:.0f} GB a second.",
        ],
    )
    publish(outcome, out)


def _swept(
    name: str,
    shape: Any,
    folder: Path,
    device: str,
    sizes: Sequence[int],
    tokens: int,
    repeats: int,
    speed: Any,
    advance: Advance,
) -> SystemRun:
    """One side at every batch size. A size that does not fit is noted and the larger ones are left out."""
    from benchmarks.measure.gpu_whisper.device import used_bytes
    from benchmarks.measure.gpu_whisper.limit import work_of
    from benchmarks.measure.gpu_whisper.sides import SIDES

    items: list[Item] = []
    points: dict[str, list[Point]] = {"Speed": [], "Memory": []}
    figures: list[Figure] = []
    notes: list[str] = []
    configuration: dict[str, Any] = {}
    for size in sizes:
        advance(f"{name}, batch {size}")
        empty = used_bytes(device, os.getpid())
        try:
            measured, memory, configuration = _measured(SIDES[name], folder, device, size, tokens, repeats, empty)
        except (RuntimeError, ValueError) as failure:
            notes.append(f"{name} cannot run batch {size}: {str(failure).splitlines()[0]}.")
            break
        finally:
            _free(device)
        least = ROUNDS * work_of(
            shape, batch=size, tokens=tokens, value_bytes=2 if device == "cuda" else 4
        ).least_seconds(speed)
        audio = ROUNDS * size * WINDOW_S
        items += [
            Item(
                id=f"{_condition(size)}, run {number}",
                group=_condition(size),
                condition=_condition(size),
                values={"speed": (audio, seconds), "tokens": (written, seconds), "limit": (least, seconds)},
            )
            for number, (seconds, written) in enumerate(measured, 1)
        ]
        best = min(seconds for seconds, _ in measured)
        points["Speed"].append(Point(x=size, y=audio / best, label=_condition(size)))
        points["Memory"].append(Point(x=size, y=memory / 2**30, label=_condition(size)))
        figures.append(Figure(name=f"memory at {_condition(size)}", value=memory / 2**30, unit="GiB"))
    curves = [
        Curve(
            title="Speed by batch",
            x_label="windows in a batch",
            y_label="× real time",
            points=points["Speed"],
            is_log_x=True,
        ),
        Curve(
            title="Memory by batch", x_label="windows in a batch", y_label="GiB", points=points["Memory"], is_log_x=True
        ),
    ]
    return SystemRun(
        name=name,
        engine=name,
        model=shape.name,
        configuration=configuration,
        items=tuple(items),
        figures=tuple(figures),
        curves=tuple(curve for curve in curves if curve.points),
        notes=tuple(notes),
    )


def _measured(
    make: Any, folder: Path, device: str, size: int, tokens: int, repeats: int, empty: int
) -> tuple[list[tuple[float, int]], int, dict[str, Any]]:
    """Seconds and tokens of each run, the memory taken, and the side's configuration."""
    from benchmarks.measure.gpu_whisper.device import synchronize, used_bytes

    generator = np.random.default_rng(1)
    wave = (0.1 * generator.standard_normal(int(WINDOW_S * SAMPLE_RATE))).astype(np.float32)
    waves = [wave] * (ROUNDS * size)
    chosen = make(folder, device=device, batch=size, tokens=tokens)
    try:
        chosen.run(waves[:size])
        found = []
        for _ in range(repeats):
            synchronize(device)
            begun = time.perf_counter()
            written = chosen.run(waves)
            synchronize(device)
            found.append((time.perf_counter() - begun, written))
        return found, max(0, used_bytes(device, os.getpid()) - empty), chosen.configuration
    finally:
        chosen.close()


def _free(device: str) -> None:
    import torch

    gc.collect()
    if device == "cuda":
        torch.cuda.empty_cache()


def _condition(size: int) -> str:
    return f"batch {size}"
