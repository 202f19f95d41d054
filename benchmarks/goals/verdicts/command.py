"""`python -m benchmarks verdicts`: how often `compare` is wrong about the speed of models on a busy machine."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from benchmarks.goals.report import Report
from benchmarks.measure.datasets.folder import AudioItem
from benchmarks.measure.datasets.sound import Sound
from benchmarks.measure.models.asr.run import SpeechTask
from benchmarks.measure.models.asr.scores import METRICS
from benchmarks.measure.models.asr.systems import product_systems
from benchmarks.measure.models.environment import finished
from benchmarks.measure.models.run import System, in_turns
from benchmarks.measure.outcomes.compare import Verdict, compare
from benchmarks.measure.outcomes.outcome import Data, Item, SystemRun
from benchmarks.measure.progress import progress
from benchmarks.quiet import silence_logs
from cluster.resources import cores
from serve.testing.tiny_models.archives import WHISPER, unpack
from serve.testing.tiny_models.clips import clip_named, synthesise

SENTENCES = ("en1-rms", "en2-rms")
COPIES = 20
"""Of each sentence: items of one turn."""
TURNS_OF_A_TRY = 30
TRIES = 100
SYSTEMS = ("model", "same model", "slower model")
_BUSY = """
import random, time
while True:
    ends = time.monotonic() + random.expovariate(1 / 1.5)
    while time.monotonic() < ends:
        sum(number * number for number in range(20_000))
    time.sleep(random.expovariate(1 / 1.5))
"""
"""Other work: it comes and goes every 1.5 s, on the average."""


def command(
    turns: Annotated[
        int, typer.Option(min=TURNS_OF_A_TRY, help="Turns of the three models, from which tries are drawn.")
    ] = 100,
) -> None:
    silence_logs()
    report = Report("verdicts")
    with tempfile.TemporaryDirectory(prefix="verdicts-") as work:
        taken = _turns(Path(work), turns)
    timed = tuple(metric for metric in METRICS if metric.is_timed)
    data = Data(name="spoken sentences", items=len(SENTENCES) * COPIES, seconds=0.0)
    chance = np.random.default_rng(23)
    verdicts: dict[str, Counter[str]] = {name: Counter() for name in SYSTEMS[1:]}
    empty = finished("asr", "Speed", data=data, metrics=(), systems=())
    for _ in range(TRIES):
        drawn = chance.choice(turns, TURNS_OF_A_TRY, replace=False)
        runs = [_run(name, [taken[name][turn] for turn in drawn]) for name in SYSTEMS]
        outcome = empty.model_copy(update={"metrics": timed, "systems": tuple(runs)})
        for run in runs[1:]:
            (found,) = compare(outcome, runs[0], outcome, run).comparisons
            verdicts[run.name][found.verdict.value] += 1
    same, slower = verdicts["same model"], verdicts["slower model"]
    report.goal("compare-same", same[Verdict.WORSE.value] + same[Verdict.BETTER.value], verdicts=dict(same))
    report.goal("compare-slower", slower[Verdict.WORSE.value], verdicts=dict(slower))
    report.note(
        f"Whisper, tiny, {cores()} cores, and beside it {cores() + 1} programs that compute half of the time. "
        f"{len(SENTENCES) * COPIES} sentences a turn, {turns} turns; each of {TRIES} tries compares {TURNS_OF_A_TRY} "
        "turns drawn from them. The slower model does every tenth sentence twice."
    )
    report.write()


def _turns(work: Path, turns: int) -> dict[str, list[tuple[Item, ...]]]:
    sounds = [_sound(work, name, copy) for copy in range(COPIES) for name in SENTENCES]
    (model,) = product_systems(
        [str(unpack(WHISPER, work / "models"))],
        profile="auto", overlay={"workers": 1}, through="process", models_root=work, beam=1,
    )  # fmt: skip
    systems = [
        System(SYSTEMS[0], model.module, model.configuration),
        System(SYSTEMS[1], model.module, model.configuration),
        System(SYSTEMS[2], "benchmarks.goals.verdicts.slower_side", model.configuration),
    ]
    asked = [SpeechTask(detect=False).questions(each, sounds, warm_up=True) for each in systems]
    with progress("Turns", turns) as advance:
        return in_turns(asked, {"speed"}, turns, advance, beside=_busy_machine)


def _sound(work: Path, name: str, copy: int) -> Sound:
    wav = work / f"{name}.wav"
    if not wav.is_file():
        synthesise(clip_named(name), wav)
    item = AudioItem(f"{name} {copy}", wav, text=clip_named(name).text, language="en", condition="")
    return Sound(item, wav, 2_000)


@contextmanager
def _busy_machine() -> Iterator[None]:
    programs = [subprocess.Popen([sys.executable, "-c", _BUSY]) for _ in range(cores() + 1)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def _run(name: str, turns: Sequence[tuple[Item, ...]]) -> SystemRun:
    return SystemRun(name=name, engine="whisper", model="tiny", items=turns[0], turns=tuple(turns))
