"""A loaded engine in a process of its own, with the memory settings of a replica, for one measurement after another."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from benchmarks.measure.load.arrivals import Arrival
from benchmarks.measure.load.callers import Callers, OnRefusal
from benchmarks.measure.load.clips import Clip
from benchmarks.measure.load.configuration import Configuration
from benchmarks.measure.load.engine_target import scheduled
from benchmarks.measure.load.memory import gpu_bytes, peak_bytes, reset_peak
from benchmarks.measure.load.metered_engine import MeteredEngine, first_refusal
from benchmarks.measure.load.request import Request
from benchmarks.quiet import silence_logs
from serve.core.messages import EngineInfo
from serve.core.models.processor import KEPT_MEMORY
from serve.core.replica_messages import BatchLimits
from serve.tasks.transcription.load import load_transcription
from serve.tasks.transcription.messages import DecodeOptions
from serve.tasks.transcription.profile import TranscriptionProfile

Answer = TypeVar("Answer")


class EngineLost(RuntimeError):
    """The process ended in the middle of its work, as when the system runs out of memory."""


class NotLoaded(RuntimeError):
    """The engine does not load with this configuration; the message says why."""


@dataclass(frozen=True, slots=True)
class Loaded:
    info: EngineInfo
    parallel: int
    seconds: float
    """Seconds to load it."""


@dataclass(frozen=True, slots=True)
class Run:
    """What the engine did. Memory is the peak during the run; `gpu_bytes` None without a GPU."""

    requests: list[Request]
    mean_batch: float
    busy: float
    """Mean number of calls that ran side by side."""
    peak_bytes: int
    gpu_bytes: int | None


class EngineProcess:
    """Use it as a context manager. Methods raise the engine's own errors, and EngineLost."""

    def __init__(self, configuration: Configuration, clips: Sequence[Clip], options: DecodeOptions) -> None:
        """Raises NotLoaded."""
        with _environment(_replica_variables(configuration.profile)):
            self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
            try:
                self.loaded = self._do(_load, configuration, list(clips), options)
            except Exception as failure:
                self._pool.shutdown()
                raise NotLoaded(f"The engine cannot be loaded: {failure}") from failure

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._pool.shutdown()

    def arrive(
        self, limits: BatchLimits, arrivals: Sequence[Arrival], *, on_refusal: OnRefusal, patience_s: float
    ) -> Run:
        """Open loop with these limits."""
        return self._do(_arrive, limits, arrivals, on_refusal, patience_s)

    def take_turns(self, limits: BatchLimits, callers: int, seconds: float) -> Run:
        """Closed loop with these limits."""
        return self._do(_take_turns, limits, callers, seconds)

    def call_seconds(self, batch: Sequence[Clip], *, beside: int, calls: int) -> list[float]:
        """Seconds of each of `calls` calls with this batch while `beside` of them run side by side."""
        return self._do(_call_seconds, list(batch), beside, calls)

    def _do(self, work: Callable[..., Answer], *arguments: Any) -> Answer:
        try:
            return self._pool.submit(work, *arguments).result()
        except BrokenProcessPool as lost:
            raise EngineLost("The engine's process ended; the system's log says why. Is the memory enough?") from lost


@dataclass(slots=True)
class _Room:
    """What the child process holds between calls."""

    engine: MeteredEngine
    clips: list[Clip]
    options: DecodeOptions


_rooms: list[_Room] = []


def _load(configuration: Configuration, clips: list[Clip], options: DecodeOptions) -> Loaded:
    silence_logs()
    begun = time.perf_counter()
    engine = load_transcription(configuration.profile, configuration.settings, configuration.models_root)
    seconds = time.perf_counter() - begun
    _rooms.append(_Room(MeteredEngine(engine), clips, options))
    return Loaded(engine.info, engine.parallel, seconds)


def _arrive(limits: BatchLimits, arrivals: Sequence[Arrival], on_refusal: OnRefusal, patience_s: float) -> Run:
    return _run(limits, lambda callers: callers.arrive(arrivals), on_refusal=on_refusal, patience_s=patience_s)


def _take_turns(limits: BatchLimits, callers: int, seconds: float) -> Run:
    return _run(limits, lambda all_callers: all_callers.take_turns(callers, seconds))


def _run(limits: BatchLimits, work: Callable[[Callers], Any], **rules: Any) -> Run:
    (room,) = _rooms
    room.engine.take_calls()
    reset_peak()

    async def run() -> list[Request]:
        with scheduled(room.engine, limits, room.options) as target:
            requests: list[Request] = await work(Callers(target, room.clips, **rules))
            return requests

    begun = time.perf_counter()
    requests = asyncio.run(run())
    seconds = time.perf_counter() - begun
    calls = room.engine.take_calls()
    return Run(
        requests,
        mean_batch=sum(call.items for call in calls) / max(1, len(calls)),
        busy=sum(call.seconds for call in calls) / seconds,
        peak_bytes=peak_bytes(),
        gpu_bytes=gpu_bytes(),
    )


def _call_seconds(batch: list[Clip], beside: int, calls: int) -> list[float]:
    (room,) = _rooms
    windows = [clip.window(f"window-{index}", room.options) for index, clip in enumerate(batch)]
    # All wait for each other before every call, so that none measures a quiet machine.
    together = threading.Barrier(beside)

    def worker() -> list[float]:
        seconds = []
        for _ in range(calls + 1):
            together.wait()
            begun = time.perf_counter()
            if (refused := first_refusal(room.engine.run(windows))) is not None:
                together.abort()
                raise refused
            seconds.append(time.perf_counter() - begun)
        # The first call of a size allocates, and compiles on a GPU.
        return seconds[1:]

    with ThreadPoolExecutor(beside) as threads:
        futures = [threads.submit(worker) for _ in range(beside)]
    return [second for future in futures for second in future.result()]


def _replica_variables(profile: TranscriptionProfile) -> dict[str, str]:
    """What Ray and the deployment set for a replica's process.

    Without Ray's bound, numpy's threads wait for each other: 0.14 s a clip instead of 0.05 on two busy cores.
    """
    threads = {"OMP_NUM_THREADS": str(max(1, int(profile.num_cpus)))}
    return threads if profile.device == "cuda" else threads | KEPT_MEMORY


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Variables that glibc reads when the child starts."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
