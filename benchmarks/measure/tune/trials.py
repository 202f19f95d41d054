"""Runs of combinations, each of which loads the model only where it must."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from benchmarks.measure.load.arrivals import poisson
from benchmarks.measure.load.callers import OnRefusal
from benchmarks.measure.load.clips import Clip
from benchmarks.measure.load.configuration import Configuration
from benchmarks.measure.load.engine_process import EngineLost, EngineProcess, NotLoaded, Run
from benchmarks.measure.load.figures import figures_of
from benchmarks.measure.progress import Advance
from benchmarks.measure.tune.candidates import Candidate
from benchmarks.measure.tune.decision import Goal
from serve.tasks.transcription.messages import DecodeOptions

PATIENCE_S = 60.0
FINAL = "final"


@dataclass(frozen=True, slots=True)
class Trial:
    """One run. `value` is p95 in seconds, infinite without an answer, or seconds of sound a second.

    `problem` says why the combination does not run at all.
    """

    candidate: Candidate
    part: str
    seed: int
    seconds: float
    value: float
    peak_bytes: int = 0
    problem: str = ""


@dataclass(slots=True)
class Trials:
    """Use it as a context manager; `done` are all runs so far."""

    base: Configuration
    goal: Goal
    clips: Sequence[Clip]
    options: DecodeOptions
    warm_up_s: float
    advance: Advance
    done: list[Trial] = field(default_factory=list)
    _process: EngineProcess | None = None
    _loading: tuple[object, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def scores(self, candidates: Sequence[Candidate], part: str, seed: int, seconds: float) -> list[float]:
        """One run of each with the same arrivals; lower is better. In an order that loads each model once."""
        values: dict[Candidate, float] = {}
        for candidate in sorted(candidates, key=lambda one: repr(self.base.changed(**dict(one.changes)).loading)):
            values[candidate] = self._run(candidate, part, seed, seconds)
            self.advance(candidate.name)
        return [self.goal.score(values[candidate]) for candidate in candidates]

    def values(self, candidates: Sequence[Candidate], part: str) -> dict[Candidate, list[float]]:
        """The values of these combinations in that part, in the order of their runs."""
        return {
            candidate: [trial.value for trial in self.done if trial.candidate == candidate and trial.part == part]
            for candidate in candidates
        }

    def _run(self, candidate: Candidate, part: str, seed: int, seconds: float) -> float:
        try:
            trial = self._measured(candidate, part, seed, seconds)
        except (NotLoaded, EngineLost) as failure:
            if not candidate.changes:
                raise
            self._close()
            worst = float("inf") if self.goal.rate is not None else 0.0
            trial = Trial(candidate, part, seed, seconds, worst, problem=str(failure))
        self.done.append(trial)
        return trial.value

    def _measured(self, candidate: Candidate, part: str, seed: int, seconds: float) -> Trial:
        chosen = self.base.changed(**dict(candidate.changes))
        process = self._loaded(chosen)
        limits = chosen.profile.limits
        if self.goal.rate is not None:
            arrivals = poisson(self.goal.rate, self.warm_up_s + seconds, len(self.clips), seed)
            run = process.arrive(limits, arrivals, on_refusal=OnRefusal.WAIT, patience_s=PATIENCE_S)
        else:
            # Twice what fills every batch: no worker ever waits for a caller.
            callers = 2 * limits.max_batch * process.loaded.parallel
            run = process.take_turns(limits, callers, self.warm_up_s + seconds)
        return Trial(candidate, part, seed, seconds, self._value(run, seconds), run.peak_bytes)

    def _value(self, run: Run, seconds: float) -> float:
        figures = figures_of(run.requests, warm_up_s=self.warm_up_s, seconds=seconds)
        if self.goal.rate is None:
            return figures.speed
        p95 = figures.latencies["p95"]
        # With too few requests for a quantile the slowest one stands for it: a lucky run must not win.
        return max(one.latency_s for one in run.requests) if p95 is None else p95

    def _loaded(self, chosen: Configuration) -> EngineProcess:
        if self._process is None or self._loading != chosen.loading:
            self._close()
            self._process, self._loading = EngineProcess(chosen, self.clips, self.options), chosen.loading
        return self._process

    def _close(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None
