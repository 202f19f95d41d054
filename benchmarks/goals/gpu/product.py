"""The product's path over the same weights: windows through scheduler and engine, with what the bare loop leaves out.

That is windows made of bytes, the check of silence, the language, the guard and its retries, texts, and word times.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from benchmarks.goals.gpu.device import process_clock, processor_share
from benchmarks.goals.gpu.run import Run
from benchmarks.goals.gpu.sides import WINDOW_S
from benchmarks.goals.gpu.sounds import window
from benchmarks.goals.gpu.sweep import ROUNDS
from serve.core.replica.succession import LoadedEngine
from serve.core.replica_messages import BatchLimits
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.task import SPEECH
from serve.tasks.transcription.whisper_torch.engine import WhisperTorchEngine
from serve.testing.random_whisper_torch import Shape

WAIT_MS = 30
"""As in the profile `gpu`."""
DOUBTED_EVERY = 20
"""One window in so many is too short for its words: the guard has it decoded again."""
SHORT_S = 2.0
CLIP_S, CLIP_WORDS = 5.0, 20

Submit: TypeAlias = Callable[[AudioWindow], Awaitable[object]]


@contextmanager
def scheduled(run: Run, folder: Path, batch: int, workers: int) -> Iterator[Submit]:
    """The engine behind the product's scheduler, as a replica holds it."""
    engine = WhisperTorchEngine(
        folder,
        name=folder.name,
        reason="It is measured.",
        device=run.device,
        compute_type=run.precision,
        slots=batch,
        parallel=workers,
        # Words of random weights lie anywhere, so the guard would have every short context decoded again.
        adaptive=False,
    )
    loaded = LoadedEngine(SPEECH, engine, BatchLimits(max_queued=10**12, max_batch=batch, wait_ms=WAIT_MS))
    try:
        yield loaded.batcher.submit
    finally:
        loaded.batcher.close()
        engine.close()


def windows_title(shape: Shape, batch: int, workers: int) -> str:
    """The name of the speed with everything that the product adds, in the report."""
    return f"{_plain_title(shape, batch, workers)}, word times, language, 5 % decoded again"


def measure_windows(run: Run, shape: Shape, folder: Path, batch: int, workers: int) -> None:
    """Report windows of 30 s with each thing that the product adds."""
    title = _plain_title(shape, batch, workers)
    plain, timed = DecodeOptions(language="en", word_times=False), DecodeOptions(language="en", word_times=True)
    with scheduled(run, folder, batch, workers) as submit:
        _report(run, title, submit, [window(n, WINDOW_S, plain) for n in range(ROUNDS * batch)])
        _report(run, f"{title}, word times", submit, [window(n, WINDOW_S, timed) for n in range(ROUNDS * batch)])
        whole = [
            window(n, SHORT_S if n % DOUBTED_EVERY == 0 else WINDOW_S, DecodeOptions(word_times=True))
            for n in range(ROUNDS * batch)
        ]
        _report(run, windows_title(shape, batch, workers), submit, whole)


def _plain_title(shape: Shape, batch: int, workers: int) -> str:
    return f"{shape.name}: scheduler and engine, batch {batch}, workers {workers}"


def measure_clips(run: Run, shape: Shape, folder: Path, batch: int, *, callers: int, seconds: float) -> float:
    """Report clips of 5 s from callers who wait for their text. Returns the requests a second."""
    with scheduled(run, folder, batch, workers=2) as submit:
        return clips_through(run, f"{shape.name}: clips of 5 s, {callers} callers", submit, callers, seconds)


def clips_through(run: Run, title: str, submit: Submit, callers: int, seconds: float) -> float:
    """A closed loop: each caller sends its next clip when it has the text of its last one."""
    options = DecodeOptions(language="en", word_times=True)
    clips = [window(number, CLIP_S, options) for number in range(callers)]

    async def caller(clip: AudioWindow, until: float, latencies: list[float]) -> None:
        while (sent := time.perf_counter()) < until:
            await submit(clip)
            latencies.append(time.perf_counter() - sent)

    async def all_callers(length: float) -> list[float]:
        latencies: list[float] = []
        until = time.perf_counter() + length
        await asyncio.gather(*(caller(clip, until, latencies) for clip in clips))
        return latencies

    async def measured() -> tuple[list[float], float]:
        await all_callers(seconds / 4)
        begun = time.perf_counter()
        return await all_callers(seconds), time.perf_counter() - begun

    latencies, taken = asyncio.run(measured())
    latencies.sort()
    rate = len(latencies) / taken
    run.report.figure(title, rate, "requests/s", requests=len(latencies))
    run.report.figure(f"{title}, p95", latencies[int(0.95 * (len(latencies) - 1))], "s")
    return rate


def _report(run: Run, title: str, submit: Submit, windows: Sequence[AudioWindow]) -> None:
    asyncio.run(_all(submit, windows[: len(windows) // ROUNDS]))
    begun = process_clock()
    times: list[float] = []
    results: list[object] = []
    for _ in range(run.repeats):
        with run.timed(times):
            results = asyncio.run(_all(submit, windows))
    seconds = sum(each.duration_ms for each in windows) / 1000
    words = sum(len(part.words) for each in results if isinstance(each, WindowResult) for part in each.segments)
    run.report.figure(title, seconds / min(times), "x real time", words=words)
    run.report.figure(f"{title}, processors busy", processor_share(begun), "processors")


async def _all(submit: Submit, windows: Sequence[AudioWindow]) -> list[object]:
    return list(await asyncio.gather(*(submit(each) for each in windows)))
