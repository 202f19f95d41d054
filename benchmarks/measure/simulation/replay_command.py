"""`python -m benchmarks replay`: traces through the real engine or the served model, and through the simulation."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.measure.batching import service_times
from benchmarks.measure.load.arrivals import Arrival
from benchmarks.measure.load.callers import OnRefusal
from benchmarks.measure.load.clips import Clip, NoAudio, clips_of
from benchmarks.measure.load.cluster_target import own_application
from benchmarks.measure.load.configuration import Configuration, configuration
from benchmarks.measure.load.engine_process import EngineLost, EngineProcess, NotLoaded
from benchmarks.measure.load.options import Audio, Engine, Language, Model, Output, ProfileName, Seed, WordTimes
from benchmarks.measure.load.request import Ending, Request
from benchmarks.measure.models.environment import finished
from benchmarks.measure.outcomes.outcome import Data, Figure, SystemRun
from benchmarks.measure.outcomes.publish import publish
from benchmarks.measure.simulation.command import service_of
from benchmarks.measure.simulation.replay import AGREEMENT, MEAN, Agreement, Outage, agreements, replayed
from benchmarks.measure.simulation.served import ServedModel
from benchmarks.measure.simulation.traces import DIES_AFTER, Trace, arrivals_of
from benchmarks.quiet import silence_logs
from serve.application import DeployFailed
from serve.core.messages import EngineInfo
from serve.core.replica_messages import BatchLimits
from serve.profile import BadProfile
from serve.tasks.transcription.messages import DecodeOptions

PATIENCE_S = 600.0
APART = 1
"""Exit status: the simulation is too far from the real run."""


class Through(StrEnum):
    ENGINE = "engine"
    CLUSTER = "cluster"


def command(
    rate: Annotated[float, typer.Option(min=0.01, help="Requests a second; choose one below the capacity.")],
    trace: Annotated[
        list[Trace] | None, typer.Option(help="calm, peak or failures; repeat it for several. By default calm.")
    ] = None,
    through: Annotated[
        Through, typer.Option(help="engine: engine and scheduler alone; cluster: served by Ray, started here.")
    ] = Through.ENGINE,
    seconds: Annotated[float, typer.Option(min=5, help="Length of each trace.")] = 120.0,
    warm_up: Annotated[float, typer.Option(min=0, help="Seconds of a trace that are not compared.")] = 10.0,
    calls: Annotated[int, typer.Option(min=2, help="Calls for each service time.")] = 8,
    longest: Annotated[float, typer.Option(min=0.5, max=8, help="Clips are cut into pieces of this length.")] = 5.0,
    model: Model = None,
    engine: Engine = None,
    profile: ProfileName = "auto",
    audio: Audio = None,
    language: Language = None,
    word_times: WordTimes = True,
    seed: Seed = 1,
    output: Output = None,
) -> None:
    silence_logs()
    traces = list(dict.fromkeys(trace or [Trace.CALM]))
    if Trace.FAILURES in traces and through is Through.ENGINE:
        raise typer.BadParameter("Only a served model has replicas that die: add --through cluster.")
    options = DecodeOptions(language=language, word_times=word_times)
    with tempfile.TemporaryDirectory(prefix="replay-") as work:
        try:
            clips = clips_of(audio, Path(work), longest_s=longest)
            chosen = configuration(profile, model, engine=engine)
            replay = _Replay(chosen, clips, rate=rate, seconds=warm_up + seconds, warm_up=warm_up, seed=seed)
            with EngineProcess(chosen, clips, options) as process:
                replay.measure(process, calls)
                if through is Through.ENGINE:
                    replay.through_engine(process, traces)
            if through is Through.CLUSTER:
                with own_application(chosen, options, patience_s=PATIENCE_S) as (target, _):
                    replay.through_cluster(ServedModel(target, clips), traces)
        except (NoAudio, BadProfile, NotLoaded, EngineLost, DeployFailed) as problem:
            raise typer.BadParameter(str(problem)) from problem
    outcome = finished(
        "replay",
        f"Simulation against the real {'engine' if through is Through.ENGINE else 'service'}: "
        f"{process.loaded.info.engine} {process.loaded.info.model}, {rate:g} requests a second",
        data=Data(
            name=str(audio or "spoken sentences"), items=replay.requests, seconds=sum(one.seconds for one in clips)
        ),
        metrics=(),
        systems=replay.systems(process.loaded.info),
        notes=replay.notes(),
    )
    publish(outcome, output)
    if not replay.is_near:
        raise typer.Exit(APART)


class _Replay:
    """The traces of one command, run for real and simulated."""

    def __init__(
        self, chosen: Configuration, clips: list[Clip], *, rate: float, seconds: float, warm_up: float, seed: int
    ) -> None:
        self._chosen = chosen
        self._clips = clips
        self._rate = rate
        self._seconds = seconds
        self._warm_up = warm_up
        self._seed = seed
        self._compared: dict[Trace, list[Agreement]] = {}
        self._remarks: list[str] = []
        self._is_served = False
        self.requests = 0

    @property
    def is_near(self) -> bool:
        return all(one.is_near for compared in self._compared.values() for one in compared)

    def measure(self, process: EngineProcess, calls: int) -> None:
        """Measure the service times that the simulation draws on."""
        measured = service_times.measure(
            process, self._chosen, self._clips, batches=_batches(self._limits.max_batch),
            windows_s=_lengths(self._clips), calls=calls,
        )  # fmt: skip
        self._service = service_of(measured.curves, is_cpu=process.loaded.info.device == "cpu")

    def through_engine(self, process: EngineProcess, traces: Sequence[Trace]) -> None:
        for trace in traces:
            arrivals = self._arrivals(trace)
            run = process.arrive(self._limits, arrivals, on_refusal=OnRefusal.WAIT, patience_s=PATIENCE_S)
            self._compare(trace, arrivals, run.requests)

    def through_cluster(self, model: ServedModel, traces: Sequence[Trace]) -> None:
        self._is_served = True
        path_s = model.path_s(self._service)
        self._remarks.append(f"A request takes {1000 * path_s:.1f} ms beside the model's call.")
        outage_s = model.outage_s() if Trace.FAILURES in traces else 0.0
        if outage_s:
            self._remarks.append(f"Another replica answered {outage_s:.1f} s after the death of one.")
        for trace in traces:
            arrivals = self._arrivals(trace)
            outage = Outage(DIES_AFTER * self._seconds, outage_s) if trace is Trace.FAILURES else None
            requests = model.arrive(arrivals, dies_at_s=None if outage is None else outage.at_s)
            self._compare(trace, arrivals, requests, path_s=path_s, outage=outage)

    def systems(self, info: EngineInfo) -> list[SystemRun]:
        """Latencies of each trace, real and simulated."""
        runs = [
            SystemRun(
                name=f"{trace}, {side}",
                engine=info.engine,
                model=info.model,
                configuration=self._chosen.text(),
                figures=tuple(
                    Figure(name=f"latency {one.name}", value=one.real if side == "real" else one.simulated, unit="s")
                    for one in compared
                ),
            )
            for trace, compared in self._compared.items()
            for side in ("real", "simulated")
        ]
        return [*runs[:-1], runs[-1].model_copy(update={"figures": (*runs[-1].figures, self.apart())})]

    def apart(self) -> Figure:
        """By how much the simulation is off at most, at the median and the 95th of 100 requests."""
        each = [one.difference for compared in self._compared.values() for one in compared if one.name != MEAN]
        is_whole = self._is_served and set(self._compared) == set(Trace)
        return Figure(name="largest difference", value=100 * max(each), unit="%", goal="37" if is_whole else "")

    def notes(self) -> tuple[str, ...]:
        return (
            *self._remarks,
            *(
                f"{trace.capitalize()}, latency {one.name}: the simulation differs by {100 * one.difference:.0f} %."
                for trace, compared in self._compared.items()
                for one in compared
            ),
            f"{'All' if self.is_near else 'Not all'} figures agree within {100 * AGREEMENT:.0f} %.",
        )

    @property
    def _limits(self) -> BatchLimits:
        return self._chosen.profile.limits

    def _arrivals(self, trace: Trace) -> list[Arrival]:
        return arrivals_of(trace, self._rate, self._seconds, len(self._clips), self._seed)

    def _compare(
        self,
        trace: Trace,
        arrivals: Sequence[Arrival],
        requests: Sequence[Request],
        *,
        path_s: float = 0.0,
        outage: Outage | None = None,
    ) -> None:
        simulated = replayed(
            arrivals, self._clips, self._service, self._limits, adaptive=self._chosen.profile.adaptive_context,
            path_s=path_s, outage=outage,
        )  # fmt: skip
        pairs = [
            (request.latency_s, latency)
            for request, latency in zip(requests, simulated, strict=True)
            if request.due_s >= self._warm_up and request.ending is Ending.DONE
        ]
        if not pairs:
            raise typer.BadParameter(
                "No request of the compared time was answered: choose a lower rate, or more seconds."
            )
        self.requests += len(pairs)
        self._compared[trace] = agreements([real for real, _ in pairs], [latency for _, latency in pairs])


def _batches(largest: int) -> list[int]:
    """1, 2, 4 and so on, and the largest."""
    return sorted({*(2**power for power in range(largest.bit_length()) if 2**power <= largest), largest})


def _lengths(clips: list[Clip]) -> list[float]:
    """The shortest, the median and the longest clip."""
    seconds = sorted(round(clip.seconds, 1) for clip in clips)
    return sorted({seconds[0], seconds[len(seconds) // 2], seconds[-1]})
