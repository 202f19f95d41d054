"""`python -m benchmarks batching`: throughput and latency of an engine by batch size, wait and number of callers."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from benchmarks.measure.batching import grid, service_times
from benchmarks.measure.load.clips import NoAudio, clips_of
from benchmarks.measure.load.configuration import configuration
from benchmarks.measure.load.curves import write_curves
from benchmarks.measure.load.engine_process import EngineLost, EngineProcess, NotLoaded
from benchmarks.measure.load.options import Audio, Engine, Language, Longest, Model, Output, ProfileName, WordTimes
from benchmarks.measure.load.results import METRICS
from benchmarks.measure.models.environment import finished
from benchmarks.measure.outcomes.outcome import Data
from benchmarks.measure.outcomes.publish import publish
from benchmarks.quiet import silence_logs
from serve.profile import BadProfile
from serve.tasks.transcription.messages import DecodeOptions

NOTES = (
    "A closed loop: each caller sends its next clip when it has the text of its last one, so the load follows the "
    "server. It shows throughput and what batches cost; `serve` shows what users wait at a given rate.",
    "Engine and scheduler in one process with the memory settings of a replica, without Ray.",
)


def command(
    batch: Annotated[
        list[int] | None, typer.Option(min=1, help="Largest batch; repeat it. Default: 1, 4, 8, 16.")
    ] = None,
    wait: Annotated[
        list[int] | None, typer.Option(min=0, help="Wait for company in ms; repeat it. Default: 0, 20.")
    ] = None,
    callers: Annotated[
        list[int] | None, typer.Option(min=1, help="Callers at once; repeat it. Default: 1, 4, 16, 64.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, help="Measured seconds of each combination.")] = 20.0,
    warm_up: Annotated[float, typer.Option(min=0, help="Seconds before that; not counted.")] = 3.0,
    window: Annotated[
        list[float] | None, typer.Option(min=1, max=30, help="Window length of service times in s. Default: 5, 15, 30.")
    ] = None,
    calls: Annotated[int, typer.Option(min=0, help="Calls for each service time; 0 measures none.")] = 5,
    model: Model = None,
    engine: Engine = None,
    profile: ProfileName = "auto",
    audio: Audio = None,
    longest: Longest = 30.0,
    language: Language = None,
    word_times: WordTimes = True,
    output: Output = None,
) -> None:
    silence_logs()
    axes = grid.Axes(batch or (1, 4, 8, 16), wait or (0, 20), callers or (1, 4, 16, 64))
    options = DecodeOptions(language=language, word_times=word_times)
    curves = None
    with tempfile.TemporaryDirectory(prefix="batching-") as work:
        try:
            clips = clips_of(audio, Path(work), longest_s=longest)
            chosen = configuration(profile, model, engine=engine)
            with EngineProcess(chosen, clips, options) as process:
                cells = grid.measure(process, chosen.profile.limits, axes, warm_up_s=warm_up, seconds=seconds)
                if calls:
                    windows_s = window or (5.0, 15.0, 30.0)
                    curves = service_times.measure(
                        process, chosen, clips, batches=axes.batches, windows_s=windows_s, calls=calls
                    )
        except (NoAudio, BadProfile, NotLoaded, EngineLost) as problem:
            raise typer.BadParameter(str(problem)) from problem
    outcome = finished(
        "batching",
        f"Batches of {process.loaded.info.engine} {process.loaded.info.model}",
        data=Data(name=str(audio or "spoken sentences"), items=len(clips), seconds=sum(one.seconds for one in clips)),
        metrics=METRICS,
        systems=list(grid.systems_of(cells, process, chosen)),
        notes=NOTES,
    )
    path = publish(outcome, output)
    grid.write_csv(cells, path.with_suffix(".csv"))
    console = Console()
    console.print(f"Table: {path.with_suffix('.csv')}", soft_wrap=True)
    if curves is not None:
        write_curves(path.with_suffix(".curves.json"), curves)
        console.print(f"Service times: {path.with_suffix('.curves.json')}", soft_wrap=True)
