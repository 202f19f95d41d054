"""`python -m benchmarks tune`: searches a profile for a latency target or for throughput, with its evidence."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from benchmarks.measure.load.clips import Clip, NoAudio, clips_of
from benchmarks.measure.load.configuration import Configuration, configuration
from benchmarks.measure.load.engine_process import EngineLost, NotLoaded
from benchmarks.measure.load.options import Audio, Engine, Language, Longest, Model, ProfileName, Seed, WordTimes
from benchmarks.measure.outcomes.outcome import Data
from benchmarks.measure.outcomes.publish import publish
from benchmarks.measure.progress import progress
from benchmarks.measure.tune.candidates import Candidate, combinations, usual_axes
from benchmarks.measure.tune.decision import Decision, Goal, decide
from benchmarks.measure.tune.evidence import evidence_of, written_profile
from benchmarks.measure.tune.halving import halve, rounds_of
from benchmarks.measure.tune.trials import FINAL, Trial, Trials
from benchmarks.quiet import silence_logs
from serve.profile import BadProfile
from serve.tasks.transcription.messages import DecodeOptions

NOTHING_TO_RECOMMEND = 3
"""Exit status: everything ran, and no profile was written."""
REQUESTS_FOR_P95 = 60
"""Three above the quantile."""


def command(
    write: Annotated[Path, typer.Option(help="YAML file of the profile; its evidence goes beside it.")],
    rate: Annotated[
        float | None,
        typer.Option(min=0.001, help="Requests a second that must be served. Without it: most throughput."),
    ] = None,
    p95: Annotated[str | None, typer.Option(help="Latency to keep at that rate, such as 2s or 800ms.")] = None,
    batch: Annotated[list[int] | None, typer.Option(min=1, help="Values to try; repeat it.")] = None,
    wait: Annotated[list[int] | None, typer.Option(min=0, help="Values in ms; repeat it.")] = None,
    workers: Annotated[list[int] | None, typer.Option(min=1, help="Model calls side by side; repeat it.")] = None,
    threads: Annotated[list[int] | None, typer.Option(min=1, help="Threads of a call on the CPU; repeat it.")] = None,
    beam: Annotated[list[int] | None, typer.Option(min=1, help="Beams; they change the text. Repeat it.")] = None,
    compute_type: Annotated[
        list[str] | None, typer.Option(help="Number formats such as int8; they change the text. Repeat it.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, help="Length of a run in the first round; it doubles.")] = 10.0,
    warm_up: Annotated[float, typer.Option(min=0, help="Seconds before each run; not counted.")] = 3.0,
    finalists: Annotated[int, typer.Option(min=1, help="Combinations that reach the final.")] = 3,
    repeats: Annotated[int, typer.Option(min=2, help="Runs of each finalist.")] = 5,
    model: Model = None,
    engine: Engine = None,
    profile: ProfileName = "auto",
    audio: Audio = None,
    longest: Longest = 30.0,
    language: Language = None,
    word_times: WordTimes = True,
    seed: Seed = 1,
) -> None:
    if write.suffix not in {".yaml", ".yml"}:
        raise typer.BadParameter("A profile's name ends in .yaml.", param_hint="--write")
    if p95 is not None and rate is None:
        raise typer.BadParameter("A latency needs the --rate at which it must hold.")
    silence_logs()
    goal = Goal(rate, None if p95 is None else seconds_of(p95))
    if rate is not None:
        seconds = max(seconds, REQUESTS_FOR_P95 / rate)
    axes = {
        "max_batch": batch,
        "batch_wait_ms": wait,
        "workers": workers,
        "threads": threads,
        "beam_size": beam,
        "compute_type": compute_type,
    }
    options = DecodeOptions(language=language, word_times=word_times)
    with tempfile.TemporaryDirectory(prefix="tune-") as work:
        try:
            clips = clips_of(audio, Path(work), longest_s=longest)
            base = configuration(profile, model, engine=engine)
            named = {name: values for name, values in axes.items() if values}
            trials, decision = _search(
                base,
                goal,
                clips,
                options,
                combinations(base.profile, named or usual_axes(base.profile)),
                seconds=seconds,
                warm_up=warm_up,
                finalists=finalists,
                repeats=repeats,
                seed=seed,
            )
        except (NoAudio, BadProfile, NotLoaded, EngineLost) as problem:
            raise typer.BadParameter(str(problem)) from problem
    name = model or "that the product chooses"
    data = Data(name=str(audio or "spoken sentences"), items=len(clips), seconds=sum(one.seconds for one in clips))
    evidence = publish(
        evidence_of(base, goal, trials, decision, model=name, data=data), write.with_suffix(".evidence.json")
    )
    console = Console()
    if decision.recommended is None:
        console.print("No profile was written.")
        raise typer.Exit(NOTHING_TO_RECOMMEND)
    write.write_text(written_profile(profile, decision, evidence, name), encoding="utf-8")
    console.print(f"Profile: {write}\nUse it with SAGASCRIPT_PROFILE={write}", soft_wrap=True)


def _search(
    base: Configuration,
    goal: Goal,
    clips: Sequence[Clip],
    options: DecodeOptions,
    candidates: Sequence[Candidate],
    *,
    seconds: float,
    warm_up: float,
    finalists: int,
    repeats: int,
    seed: int,
) -> tuple[list[Trial], Decision]:
    unchanged, *others = candidates
    if not others:
        raise BadProfile("There is nothing to try beside the profile: name other values.")
    rounds = rounds_of(len(others), finalists, seconds)
    longest = rounds[-1].seconds * 2 if rounds else seconds
    final = min(finalists, len(others)) + 1
    runs = sum(each.runs for each in rounds) + final * repeats
    total = sum(each.runs * (each.seconds + warm_up) for each in rounds) + final * repeats * (longest + warm_up)
    Console().print(f"{len(others)} combinations, {runs} runs, about {total / 60:.0f} minutes and the loading.")
    with (
        progress("Runs", runs) as advance,
        Trials(base, goal, clips, options, warm_up_s=warm_up, advance=advance) as trials,
    ):

        def scores(left: Sequence[Candidate], number: int, length: float) -> list[float]:
            return trials.scores(left, f"round {number + 1}", seed, length)

        # The profile as it is needs no place among the best: it is what they must beat.
        best: list[Candidate] = [unchanged, *halve(others, rounds, scores)]
        for repeat in range(repeats):
            trials.scores(best, FINAL, seed + 1 + repeat, longest)
        return trials.done, decide(trials.values(best, FINAL), goal)


def seconds_of(text: str) -> float:
    """Seconds of `2s`, `800ms` or `2`. Raises typer.BadParameter."""
    number: Any = text.strip().lower()
    scale = 1.0
    for unit, factor in (("ms", 0.001), ("s", 1.0)):
        if number.endswith(unit):
            number, scale = number.removesuffix(unit), factor
            break
    try:
        seconds = float(number) * scale
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise typer.BadParameter(f"“{text}” is no length of time. Write 2s or 800ms.")
    return seconds
