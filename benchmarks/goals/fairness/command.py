"""`python -m benchmarks fairness`: goal 5, short clips while an hour-long file is being transcribed."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from statistics import median, quantiles
from typing import Annotated

import typer

from benchmarks.goals.fairness.cluster import deployed
from benchmarks.goals.fairness.long_file import LongFile
from benchmarks.goals.fairness.short_clips import short_clips
from benchmarks.goals.pairs import alternate
from benchmarks.goals.report import Report
from serve.tasks.transcription.client import TranscriberClient
from serve.tasks.transcription.messages import AudioWindow
from serve.testing.random_whisper import SHAPES, reciter

TOKENS = 40
"""Tokens of every window: more than in a short clip, fewer than in a full window."""
WARM_UP = 4


def command(
    shape: Annotated[str, typer.Option(help="Shape of the random Whisper: tiny or base.")] = "tiny",
    clips: Annotated[int, typer.Option(min=20, help="Short clips in each half of a pair, one after the other.")] = 40,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs that must count.")] = 5,
    seconds: Annotated[int, typer.Option(min=60, help="Length of the long file.")] = 3600,
) -> None:
    report = Report("fairness")
    with tempfile.TemporaryDirectory(prefix="fairness-") as work:
        folder = Path(work)
        said = short_clips(folder / "clips")
        long = LongFile(folder, seconds)
        with deployed(reciter(SHAPES[shape], TOKENS)), TranscriberClient() as client:
            _latencies(client, said, WARM_UP)
            beside_s: list[float] = []
            speeds: list[float] = []

            def idle() -> float:
                return _p95(_latencies(client, said, clips))

            def busy() -> float:
                with _under_way(long, speeds):
                    found = _latencies(client, said, clips)
                beside_s.extend(found)
                return _p95(found)

            found = alternate(busy, idle, pairs=pairs)
            alone: list[float] = []
            with _under_way(long, alone):
                time.sleep(10)
    report.goal("5", found.ratio, **found.detail())
    report.figure("p95 of short clips alone", median(found.theirs) * 1000, "ms")
    report.figure("p95 of short clips beside the long file", median(found.ours) * 1000, "ms")
    report.figure("median of short clips beside the long file", median(beside_s) * 1000, "ms")
    report.figure("long file beside the short clips", median(speeds), "s of sound per s")
    report.figure("long file alone", alone[0], "s of sound per s")
    report.note(f"Random weights of the shape {shape}, int8, {TOKENS} tokens for every window, through Ray Serve.")
    report.note("Clips of 3 to 8 s come one after the other; time is from the call to the result at the caller.")
    report.note("The long file is the flow `transcribe` with its own bound of windows in flight.")
    report.write()


@contextmanager
def _under_way(long: LongFile, speeds: list[float]) -> Iterator[None]:
    """Transcribe the long file during the block; append its speed to `speeds`."""
    with long.running() as progress:
        began, before = time.monotonic(), progress.done_ms
        yield
        if progress.is_over:
            raise RuntimeError("The long file ended before the short clips did. Make it longer.")
        speeds.append((progress.done_ms - before) / 1000 / (time.monotonic() - began))


def _latencies(client: TranscriberClient, said: list[bytes], count: int) -> list[float]:
    found = []
    for number, pcm in enumerate(islice(cycle(said), count)):
        began = time.monotonic()
        client.run(AudioWindow(f"clip-{number}", 0, 0, pcm))
        found.append(time.monotonic() - began)
    return found


def _p95(values: list[float]) -> float:
    return quantiles(values, n=20, method="inclusive")[-1]
