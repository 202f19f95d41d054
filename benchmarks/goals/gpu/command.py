"""`python -m benchmarks gpu`: everything about Whisper on this machine's GPU that random weights can say, in minutes.

It needs torch and transformers. Each figure is written when it is measured, so that a run which is cut keeps what it
has, and the same command goes on after it.
"""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.goals.gpu.without_libraries import stand_in_for_structlog
from benchmarks.goals.table import GOALS
from cluster.testing.report import Report

RESULTS = Path(__file__).parents[2] / "results"
NEEDED = ("torch", "transformers")
BATCHES = (16, 64, 128, 256)
SHAPES_BY_DEFAULT = ("large-v3-turbo", "large-v3")
RANDOM = (
    "Random weights of the true shapes, taught to say a text of the given length: they cost what published ones cost. "
    "How well a model hears is not measured here."
)
LEAST = "The least time is what multiplying and copying alone would take at this device's own measured speed."
CLIPS = "Clips are encoded with the full context of 30 s; the product encodes most of them with a shorter one."


def command(
    shape: Annotated[
        list[str] | None, typer.Option(help="Shape of a published model; repeat it. Default: large-v3-turbo, large-v3.")
    ] = None,
    batch: Annotated[
        list[int] | None, typer.Option(min=1, help="Windows in a batch; repeat it. Default: 16, 64, 128, 256.")
    ] = None,
    words: Annotated[int, typer.Option(min=1, max=200, help="Words of a window of 30 s, of one token each.")] = 110,
    minutes: Annotated[float, typer.Option(min=0, help="Steps that would end later are left out.")] = 9.0,
    repeats: Annotated[int, typer.Option(min=1, help="Measured runs of each figure; the best counts.")] = 2,
    seconds: Annotated[float, typer.Option(min=0.1, help="Seconds of callers who send clips.")] = 10.0,
    out: Annotated[Path, typer.Option(help="Folder of the result.")] = RESULTS,
    profile: Annotated[
        Path | None, typer.Option(help="Where to write the recommended profile. On a GPU: gpu-profile.yaml in --out.")
    ] = None,
) -> None:
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise typer.BadParameter(f"This measurement needs {' and '.join(missing)}: pip install 'sagascript[gpu]'.")
    stand_in_for_structlog()
    from benchmarks.goals.gpu.device import chosen_device, described, measure_speed
    from benchmarks.goals.gpu.one_shape import OneShape
    from benchmarks.goals.gpu.run import Run
    from serve.testing.random_whisper_torch import SHAPES

    chosen = shape or SHAPES_BY_DEFAULT
    if unknown := [name for name in chosen if name not in SHAPES]:
        raise typer.BadParameter(f"There is no shape {', '.join(unknown)}. There are {', '.join(SHAPES)}.")
    report = Report("gpu", package="benchmarks", goals=GOALS, folder=out)
    run = Run(report, chosen_device(), minutes=minutes, words=words, repeats=repeats)
    for sentence in (*described(run.device), RANDOM, LEAST, CLIPS):
        report.note(sentence)
    run.step("device", partial(measure_speed, run), seconds=10)
    if profile is None and run.device == "cuda":
        profile = out / "gpu-profile.yaml"
    for number, name in enumerate(chosen):
        is_first = number == 0
        shape_of_name = OneShape(run, SHAPES[name], sorted(batch or BATCHES), seconds)
        shape_of_name.measure(is_first=is_first, profile=profile if is_first else None)
    if run.left_out:
        report.note(f"Left out, as {minutes:g} minutes would not have sufficed: {', '.join(run.left_out)}.")
    report.write()
    if run.failed:
        raise typer.Exit(1)
