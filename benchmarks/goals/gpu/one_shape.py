"""All steps for one shape. What matters most comes first, peers last: the minutes may not suffice for all."""

from __future__ import annotations

from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path

from benchmarks.goals.gpu.cluster import measure_cluster, missing_modules
from benchmarks.goals.gpu.parity import measure_parity
from benchmarks.goals.gpu.parts import Parts
from benchmarks.goals.gpu.product import CLIP_WORDS, measure_clips, measure_windows, windows_title
from benchmarks.goals.gpu.profile import best_batch, written_profile
from benchmarks.goals.gpu.run import Run
from benchmarks.goals.gpu.sides import CALLS, PEERS, Make, ours
from benchmarks.goals.gpu.sweep import measure_side, side_title
from serve.testing.random_whisper_torch import SHAPES, Shape, random_whisper

WORKERS = (2, 1, 3)
"""Calls of the engine side by side; the first is what the profile `gpu` has."""
FIXED = "faster-whisper"
"""The side that decodes until the text ends, and so takes no lengths."""
PEER_BATCH, CALLERS, MOST_IN_PARTS = 32, 64, 64
GOALS = {"large-v3-turbo": ("gpu-turbo", None), "large-v3": ("gpu-large", "gpu-clips")}
"""The goals of a shape's speed and of its clips."""


class OneShape:
    """Measures one shape into the run's report."""

    def __init__(self, run: Run, shape: Shape, batches: list[int], seconds: float) -> None:
        """`seconds` is how long callers send clips."""
        self._run, self._shape, self._batches, self._seconds = run, shape, batches, seconds

    def measure(self, *, is_first: bool, profile: Path | None) -> None:
        """The first shape also has parity, several numbers of workers, Serve, peers, and the recommended profile."""
        goal, clips_goal = GOALS.get(self._shape.name, (None, None))
        if is_first:
            self._parity()
        for batch in self._batches:
            self._loop(batch)
        speeds = self._speeds("our loop")
        if goal is not None and speeds:
            self._run.step(f"{self._shape.name}: goal", lambda: self._run.goal(goal, max(speeds.values())), seconds=0)
        usual = best_batch(speeds) if speeds else self._batches[0]
        self._parts()
        for workers in WORKERS if is_first else WORKERS[:1]:
            self._windows(usual, workers)
        self._clips(usual, clips_goal, through_serve=is_first)
        if is_first:
            self._peers()
        if profile is not None and speeds:
            self._recommend(profile, usual, speeds[usual])

    def _speeds(self, side: str) -> dict[int, float]:
        """Of a side by batch, also where a stopped run measured it."""
        values = self._run.report.values
        titles = {batch: side_title(self._shape, side, batch) for batch in self._batches}
        return {batch: values[title] for batch, title in titles.items() if title in values}

    @cached_property
    def _folder(self) -> Path:
        return self._weights(self._shape, self._run.words)

    def _weights(self, shape: Shape, words: int | None, dtype: str | None = None) -> Path:
        usual = "float16" if self._run.device == "cuda" else "float32"
        return random_whisper(shape, self._run.cache, dtype=dtype or usual, words=words, device=self._run.device)

    def _parity(self) -> None:
        shape = SHAPES["tiny"] if self._run.device == "cuda" else self._shape
        self._run.step(
            # A script would leave nothing that could differ, so these weights are as they were drawn.
            "parity",
            lambda: measure_parity(self._run, self._weights(shape, None, "float32")),
            seconds=20,
        )

    def _loop(self, batch: int) -> None:
        work = partial(self._side, "our loop", ours, batch, unequal=True)
        self._run.step(f"{self._shape.name}: our loop, batch {batch}", work, seconds=15 if batch <= 64 else 25)

    def _side(self, name: str, make: Make, batch: int, *, unequal: bool) -> None:
        measure_side(self._run, name, make, self._shape, self._folder, batch, unequal=unequal)

    def _parts(self) -> None:
        batches = [each for each in self._batches if each <= MOST_IN_PARTS] or self._batches[:1]
        slots = max(batches[-1], min(self._batches[-1], 2 * MOST_IN_PARTS))
        self._run.step(
            f"{self._shape.name}: parts",
            lambda: Parts(self._run, self._shape, self._folder, slots).measure(batches),
            seconds=30,
        )

    def _windows(self, batch: int, workers: int) -> None:
        self._run.step(
            f"{self._shape.name}: product, workers {workers}",
            lambda: measure_windows(self._run, self._shape, self._folder, batch, workers),
            seconds=25,
        )

    def _clips(self, batch: int, goal: str | None, *, through_serve: bool) -> None:
        def alone() -> None:
            folder = self._weights(self._shape, CLIP_WORDS)
            rate = measure_clips(self._run, self._shape, folder, batch, callers=CALLERS, seconds=self._seconds)
            if goal is not None:
                self._run.goal(goal, rate)

        self._run.step(f"{self._shape.name}: clips", alone, seconds=20 + 1.5 * self._seconds)
        if not through_serve:
            return
        if missing := missing_modules():
            self._run.report.note(f"Nothing went through Serve, which needs {' and '.join(missing)}.")
            return

        def through_cluster() -> None:
            folder = self._weights(self._shape, CLIP_WORDS)
            measure_cluster(self._run, self._shape, folder, batch, callers=CALLERS, seconds=self._seconds)

        self._run.step(f"{self._shape.name}: Serve", through_cluster, seconds=60 + 1.5 * self._seconds)

    def _peers(self) -> None:
        batch = min(PEER_BATCH, self._batches[-1])
        for name, (modules, make) in {"our loop": ((), ours), **PEERS}.items():
            if missing := [module for module in modules if find_spec(module) is None]:
                self._run.report.note(f"{name} was not measured: it needs {' and '.join(missing)}.")
                continue
            work = partial(self._side, name, make, batch, unequal=name != FIXED)
            self._run.step(f"{self._shape.name}: {name} beside peers, batch {batch}", work, seconds=40)
        values = self._run.report.values
        own, fixed = (values.get(side_title(self._shape, name, batch)) for name in ("our loop", FIXED))
        if own is not None and fixed is not None:
            self._run.step(f"{self._shape.name}: peer", lambda: self._run.goal("gpu-peer", own / fixed), seconds=0)

    def _recommend(self, file: Path, batch: int, speed: float) -> None:
        values = self._run.report.values
        titles = {workers: windows_title(self._shape, batch, workers) for workers in WORKERS}
        measured = {workers: values[title] for workers, title in titles.items() if title in values}
        workers = max(measured, key=lambda each: measured[each]) if measured else CALLS
        written_profile(
            file,
            {"engine": "whisper_torch", "models": [self._shape.name], "max_batch": batch, "workers": workers},
            f"By `python -m benchmarks gpu` with random weights of {self._shape.name} on "
            f"{'a GPU' if self._run.device == 'cuda' else 'a processor'}: {speed:.0f} x real time in the bare loop.",
        )
        self._run.report.note(f"The recommended profile is in {file.name}.")
