"""Goals 9 and 10: the cost of word times, and of one bad window to its batch, on windows of almost 30 s."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from benchmarks.goals.batching.ours import replica
from benchmarks.goals.batching.tokens import Counted
from benchmarks.goals.pairs import alternate
from benchmarks.goals.report import Report
from serve.core.messages import EngineRefused
from serve.tasks.transcription.messages import SAMPLE_RATE, AudioWindow, DecodeOptions
from serve.testing.random_whisper import Shape, reciter
from serve.testing.sound import Spoken, long_file

SECONDS = 29
TOKENS = 110
BATCH = 8
WINDOWS_WITH_TIMES = 16
WINDOWS_OF_A_CALL = 16
SHORT_SECONDS = 4


def measure_word_times(report: Report, shape: Shape, clips: list[Spoken], *, pairs: int) -> None:
    """Goal 9: run the same windows through scheduler and engine with and without word times."""
    plain, counted = _windows(clips, WINDOWS_WITH_TIMES), Counted()
    timed = [replace(window, options=replace(window.options, word_times=True)) for window in plain]
    with replica(reciter(shape, TOKENS), adaptive=False) as ready:

        def on() -> None:
            counted.ours += ready.text_tokens(ready.transcribe(timed, max_batch=BATCH))

        def off() -> None:
            counted.theirs += ready.text_tokens(ready.transcribe(plain, max_batch=BATCH))

        off()
        counted.theirs = 0
        measured = alternate(_seconds(on), _seconds(off), pairs)
    report.goal("9", measured.ratio, **measured.detail(), **counted.check())


def measure_bad_window(report: Report, shape: Shape, clips: list[Spoken], *, pairs: int) -> None:
    """Goal 10: one model call of 16 windows. The bad one is so short that the guard rejects its long text, and every
    temperature gives the same: it is decoded as often as possible."""
    clean = _windows(clips, WINDOWS_OF_A_CALL)
    short = replace(clean[0], pcm=clean[0].pcm[: 2 * SAMPLE_RATE * SHORT_SECONDS])
    with_bad = [*clean[:7], short, *clean[8:]]
    with replica(reciter(shape, TOKENS), adaptive=False) as ready:
        _check(ready.in_one_call(with_bad), doubted=1)
        _check(ready.in_one_call(clean), doubted=0)
        measured = alternate(lambda: ready.seconds_of_call(with_bad), lambda: ready.seconds_of_call(clean), pairs)
    report.goal("10", measured.ratio, **measured.detail())


def _check(outcomes: Sequence[object], *, doubted: int) -> None:
    found = 0
    for outcome in outcomes:
        if isinstance(outcome, EngineRefused):
            raise outcome
        found += any(segment.doubts for segment in getattr(outcome, "segments", ()))
    if found != doubted:
        raise RuntimeError(f"{found} windows were doubted, not {doubted}.")


def _windows(clips: list[Spoken], count: int) -> list[AudioWindow]:
    sound = long_file(clips, SECONDS * count)
    size = SECONDS * SAMPLE_RATE
    options = DecodeOptions(language="en", word_times=False)
    return [AudioWindow(f"file-{n}", n, 0, sound[n * size : (n + 1) * size].tobytes(), options) for n in range(count)]


def _seconds(work: Callable[[], None]) -> Callable[[], float]:
    def took() -> float:
        begun = time.perf_counter()
        work()
        return time.perf_counter() - begun

    return took
