"""`python -m benchmarks serve`: latency at given rates, of the engine, the Serve application or a server."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.measure.load.arrivals import poisson
from benchmarks.measure.load.callers import OnRefusal
from benchmarks.measure.load.clips import NoAudio, clips_of
from benchmarks.measure.load.configuration import configuration
from benchmarks.measure.load.engine_process import EngineLost, NotLoaded
from benchmarks.measure.load.figures import figures_of
from benchmarks.measure.load.openai_target import transcriptions_url
from benchmarks.measure.load.options import (
    Audio,
    Engine,
    Language,
    Longest,
    Model,
    Output,
    ProfileName,
    Seed,
    WordTimes,
)
from benchmarks.measure.load.results import METRICS, Condition, latency_curves
from benchmarks.measure.models.environment import finished
from benchmarks.measure.open_loop.systems import Load, Server, System, Through, opened
from benchmarks.measure.outcomes.outcome import Data
from benchmarks.measure.outcomes.publish import publish
from benchmarks.measure.progress import progress
from benchmarks.quiet import silence_logs
from cluster.ray.runtime import RayUnreachable
from serve.application import DeployFailed
from serve.profile import BadProfile
from serve.tasks.transcription.messages import DecodeOptions

NOTES = (
    "Arrivals are a Poisson process whose times were fixed before the first request, so a slow server cannot slow the "
    "callers (no coordinated omission). Latency counts from the moment a request was due.",
    "Intervals are drawn over stretches of 5 s of this run. They say nothing about another machine or day.",
)


def command(
    rate: Annotated[list[float], typer.Option(min=0.001, help="Requests a second; repeat it for several rates.")],
    through: Annotated[
        Through, typer.Option(help="engine, cluster (started here), running (your installation) or openai.")
    ] = Through.ENGINE,
    url: Annotated[str | None, typer.Option(help="Server for openai: http://host:port, ours or another's.")] = None,
    key_from: Annotated[
        str, typer.Option(help="Environment variable that holds the server's key, if it needs one.")
    ] = "OPENAI_API_KEY",
    server_model: Annotated[str, typer.Option(help="Model that openai requests name.")] = "whisper-1",
    seconds: Annotated[float, typer.Option(min=1, help="Measured seconds at each rate.")] = 60.0,
    warm_up: Annotated[float, typer.Option(min=0, help="Seconds at each rate before that; not counted.")] = 10.0,
    on_refusal: Annotated[
        OnRefusal, typer.Option(help="wait: come back after Retry-After, as the product does; count: leave.")
    ] = OnRefusal.WAIT,
    patience: Annotated[float, typer.Option(min=1, help="Seconds until a caller gives up.")] = 60.0,
    model: Model = None,
    engine: Engine = None,
    profile: ProfileName = "auto",
    audio: Audio = None,
    longest: Longest = 30.0,
    language: Language = None,
    word_times: WordTimes = True,
    seed: Seed = 1,
    output: Output = None,
) -> None:
    if (through is Through.OPENAI) != (url is not None):
        raise typer.BadParameter("--url and --through openai belong together.")
    if through in (Through.CLUSTER, Through.RUNNING) and on_refusal is OnRefusal.COUNT:
        raise typer.BadParameter("The product's client always waits after a refusal: only engine and openai can count.")
    silence_logs()
    server = None if url is None else Server(transcriptions_url(url), server_model, os.environ.get(key_from))
    options = DecodeOptions(language=language, word_times=word_times)
    with tempfile.TemporaryDirectory(prefix="serve-") as work:
        try:
            clips = clips_of(audio, Path(work), longest_s=longest)
            chosen = configuration(profile, model, engine=engine)
            with opened(through, chosen, server, Load(clips, options, on_refusal, patience)) as system:
                conditions = _measure(
                    system, sorted(rate), clips=len(clips), warm_up=warm_up, seconds=seconds, seed=seed
                )
        except (NoAudio, BadProfile, NotLoaded, EngineLost, RayUnreachable, DeployFailed) as problem:
            raise typer.BadParameter(str(problem)) from problem
    described = system.described.model_copy(
        update={
            "items": tuple(item for one in conditions for item in one.items()),
            "figures": tuple(figure for one in conditions for figure in one.shown()),
            "curves": tuple(latency_curves(conditions, "requests a second")),
            "notes": tuple(note for one in conditions for note in one.notes()),
        }
    )
    outcome = finished(
        "serve",
        f"Latency under load: {described.name}",
        data=Data(name=str(audio or "spoken sentences"), items=len(clips), seconds=sum(one.seconds for one in clips)),
        metrics=METRICS,
        systems=[described],
        notes=NOTES,
    )
    publish(outcome, output)


def _measure(
    system: System, rates: Sequence[float], *, clips: int, warm_up: float, seconds: float, seed: int
) -> list[Condition]:
    conditions = []
    with progress("Rates", len(rates)) as advance:
        for rate in rates:
            requests = system.send(poisson(rate, warm_up + seconds, clips, seed))
            figures = figures_of(requests, warm_up_s=warm_up, seconds=seconds)
            conditions.append(Condition(f"{rate:g}/s", rate, figures, requests, warm_up, seconds))
            advance(f"{rate:g}/s")
    return conditions
