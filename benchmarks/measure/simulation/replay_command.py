"""`python -m benchmarks replay`: one trace through the real engine and through the simulation."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import structlog
import typer

from benchmarks.measure.batching import service_times
from benchmarks.measure.load.arrivals import poisson
from benchmarks.measure.load.callers import OnRefusal
from benchmarks.measure.load.clips import Clip, NoAudio, clips_of
from benchmarks.measure.load.configuration import configuration
from benchmarks.measure.load.engine_process import EngineLost, EngineProcess, NotLoaded
from benchmarks.measure.load.options import Audio, Engine, Language, Model, Output, ProfileName, Seed, WordTimes
from benchmarks.measure.load.request import Ending
from benchmarks.measure.models.environment import finished
from benchmarks.measure.outcomes.outcome import Data, Figure, SystemRun
from benchmarks.measure.outcomes.publish import publish
from benchmarks.measure.simulation.command import service_of
from benchmarks.measure.simulation.replay import AGREEMENT, agreements, replayed
from serve.profile import BadProfile
from serve.tasks.transcription.messages import DecodeOptions

APART = 1
"""Exit status: the simulation is too far from the real run."""


def command(
    rate: Annotated[float, typer.Option(min=0.01, help="Requests a second; choose one below the capacity.")],
    seconds: Annotated[float, typer.Option(min=5, help="Length of the trace.")] = 120.0,
    warm_up: Annotated[float, typer.Option(min=0, help="Seconds of the trace that are not compared.")] = 10.0,
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
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    options = DecodeOptions(language=language, word_times=word_times)
    with tempfile.TemporaryDirectory(prefix="replay-") as work:
        try:
            clips = clips_of(audio, Path(work), longest_s=longest)
            chosen = configuration(profile, model, engine=engine)
            limits, adaptive = chosen.profile.limits, chosen.profile.adaptive_context
            with EngineProcess(chosen, clips, options) as process:
                measured = service_times.measure(
                    process, chosen, clips, batches=_batches(limits.max_batch), windows_s=_lengths(clips), calls=calls
                )
                arrivals = poisson(rate, warm_up + seconds, len(clips), seed)
                run = process.arrive(limits, arrivals, on_refusal=OnRefusal.WAIT, patience_s=600.0)
        except (NoAudio, BadProfile, NotLoaded, EngineLost) as problem:
            raise typer.BadParameter(str(problem)) from problem
    service = service_of(measured.curves, is_cpu=process.loaded.info.device == "cpu")
    simulated = replayed(arrivals, clips, service, limits, adaptive=adaptive)
    pairs = [
        (request.latency_s, latency)
        for request, latency in zip(run.requests, simulated, strict=True)
        if request.due_s >= warm_up and request.ending is Ending.DONE
    ]
    if not pairs:
        raise typer.BadParameter("No request was answered in the compared time: choose a lower rate or more seconds.")
    compared = agreements([real for real, _ in pairs], [latency for _, latency in pairs])
    is_near = all(one.is_near for one in compared)
    info = process.loaded.info
    outcome = finished(
        "replay",
        f"Simulation against the real engine: {info.engine} {info.model}, {rate:g} requests a second",
        data=Data(name=str(audio or "spoken sentences"), items=len(pairs), seconds=sum(one.seconds for one in clips)),
        metrics=(),
        systems=[
            SystemRun(
                name=name,
                engine=info.engine,
                model=info.model,
                configuration=chosen.text(),
                figures=tuple(
                    Figure(name=f"latency {one.name}", value=one.real if name == "real" else one.simulated, unit="s")
                    for one in compared
                ),
            )
            for name in ("real", "simulated")
        ],
        notes=(
            *(f"Latency {one.name}: the simulation differs by {100 * one.difference:.0f} %." for one in compared),
            f"{'All' if is_near else 'Not all'} figures agree within {100 * AGREEMENT:.0f} %.",
        ),
    )
    publish(outcome, output)
    if not is_near:
        raise typer.Exit(APART)


def _batches(largest: int) -> list[int]:
    """1, 2, 4 and so on, and the largest."""
    return sorted({*(2**power for power in range(largest.bit_length()) if 2**power <= largest), largest})


def _lengths(clips: list[Clip]) -> list[float]:
    """The shortest, the median and the longest clip."""
    seconds = sorted(round(clip.seconds, 1) for clip in clips)
    return sorted({seconds[0], seconds[len(seconds) // 2], seconds[-1]})
