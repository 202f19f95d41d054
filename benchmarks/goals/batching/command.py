"""`python -m benchmarks batching-goals`: window batching and the Whisper engine, goals 1, 2, 3, 4, 6, 9 and 10."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.goals.batching import long_file, overhead, short_clips, stable_words, whole_windows
from benchmarks.goals.report import Report
from benchmarks.measure.load.own_cluster import cluster
from benchmarks.quiet import silence_logs
from serve.core.models.processor import use_avx512
from serve.testing.random_whisper import BASE, SHAPES, Shape
from serve.testing.sound import Spoken, spoken_clips

NOTES = (
    "Speed: random weights, int8, greedy; the model says equally many tokens a window on both sides.",
    "Goals 1 and 6 go through client and Ray Serve; 2, 3 and 9 through scheduler and engine of a replica.",
    "Goal 10 is one call of the engine. Goal 2's bare side makes one call after the other, as the goal says.",
    "Our replica runs with the memory settings of the deployment (KEPT_MEMORY), the bare engine as its users run it.",
    "Goal 1: both sides find speech by themselves, then get the same windows, so that tokens are equal.",
    "Goal 4: the tiny trained model, its own clips at three speeds with noise, and sounds without speech.",
)
WHOLE_SHAPE = BASE
"""For goals 9 and 10. A call of tiny is so short that the alignment's median filter, equal for every shape, takes a
third of the measured time: word times then cost 1.31x."""
GOALS = ("1", "2", "2-adaptive", "3", "4", "6", "9", "10")


def command(
    goal: Annotated[list[str] | None, typer.Option(help=f"Only these of {', '.join(GOALS)}.")] = None,
    shape: Annotated[str, typer.Option(help="Shape of the random Whisper of goals 1 to 3.")] = "tiny",
    pairs: Annotated[int, typer.Option(min=1, help="Pairs that must count for each ratio.")] = 5,
    seconds: Annotated[float, typer.Option(min=60, help="Length of the long file of goal 1.")] = 420.0,
) -> None:
    chosen = goal or list(GOALS)
    if unknown := set(chosen) - set(GOALS):
        raise typer.BadParameter(f"There is no goal {', '.join(sorted(unknown))} here.")
    # Both sides of every comparison get it.
    use_avx512()
    silence_logs()
    report = Report("batching-goals")
    with tempfile.TemporaryDirectory(prefix="batching-goals-") as work:
        folder = Path(work)
        clips = spoken_clips(folder / "clips")
        measures = _measures(report, SHAPES[shape], clips, folder, pairs=pairs, seconds=seconds)
        with cluster():
            for name in chosen:
                measures[name]()
    for sentence in NOTES:
        report.note(sentence)
    report.note(f"The random weights have the shape {shape}, for goals 9 and 10 the shape {WHOLE_SHAPE.name}.")
    report.write()


def _measures(
    report: Report, shape: Shape, clips: list[Spoken], folder: Path, *, pairs: int, seconds: float
) -> dict[str, Callable[[], None]]:
    against_bare = partial(short_clips.measure_against_bare, report, shape, clips, pairs=pairs)
    return {
        "1": partial(long_file.measure, report, shape, clips, folder, seconds=seconds, pairs=pairs),
        "2": partial(against_bare, adaptive=False),
        "2-adaptive": partial(against_bare, adaptive=True),
        "3": partial(short_clips.measure_against_single, report, shape, clips, pairs=pairs),
        "4": partial(stable_words.measure, report, clips, folder),
        "6": partial(overhead.measure, report),
        "9": partial(whole_windows.measure_word_times, report, WHOLE_SHAPE, clips, pairs=pairs),
        "10": partial(whole_windows.measure_bad_window, report, WHOLE_SHAPE, clips, pairs=pairs),
    }
