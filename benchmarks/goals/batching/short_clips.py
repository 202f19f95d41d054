"""Goals 2 and 3: many short clips at once against one after another, with the full and the adaptive context."""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.goals.batching.bare import best
from benchmarks.goals.batching.ours import replica
from benchmarks.goals.batching.tokens import Counted
from benchmarks.goals.pairs import alternate
from benchmarks.goals.report import Report
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions
from serve.testing.random_whisper import Shape, reciter
from serve.testing.sound import Samples, Spoken, short_clips

CLIPS = 32
TOKENS = 18
"""Tokens of a 5 s clip."""
BATCH = 8


def measure_against_bare(report: Report, shape: Shape, clips: list[Spoken], *, adaptive: bool, pairs: int) -> None:
    """Goal 2: clips a second."""
    model = reciter(shape, TOKENS)
    sounds = short_clips(clips, CLIPS)
    bare = best(model, lambda one: one.one_by_one(sounds[:6]))
    windows, counted = windows_of(sounds), Counted()
    with replica(model, adaptive=adaptive) as ready:

        def ours() -> None:
            counted.ours += ready.text_tokens(ready.transcribe(windows, max_batch=BATCH))

        def theirs() -> None:
            counted.theirs += bare.one_by_one(sounds)

        ours()
        counted.ours = 0
        measured = alternate(_rate(ours), _rate(theirs), pairs)
    key = "2-adaptive" if adaptive else "2"
    report.goal(key, measured.ratio, threads=str(bare.threads), **measured.detail(), **counted.check())


def measure_against_single(report: Report, shape: Shape, clips: list[Spoken], *, pairs: int) -> None:
    """Goal 3: clips a second in batches / one a call, both over two workers."""
    windows, counted = windows_of(short_clips(clips, CLIPS)), Counted()
    with replica(reciter(shape, TOKENS), adaptive=True) as ready:

        def batched() -> None:
            counted.ours += ready.text_tokens(ready.transcribe(windows, max_batch=BATCH))

        def single() -> None:
            counted.theirs += ready.text_tokens(ready.transcribe(windows, max_batch=1))

        single()
        counted.theirs = 0
        measured = alternate(_rate(batched), _rate(single), pairs)
    report.goal("3", measured.ratio, **measured.detail(), **counted.check())


def windows_of(sounds: list[Samples]) -> list[AudioWindow]:
    """Write each clip into a separate file."""
    options = DecodeOptions(language="en", word_times=False)
    return [AudioWindow(f"clip-{n}", 0, 0, sound.tobytes(), options) for n, sound in enumerate(sounds)]


def _rate(work: Callable[[], None]) -> Callable[[], float]:
    def clips_a_second() -> float:
        begun = time.perf_counter()
        work()
        return CLIPS / (time.perf_counter() - begun)

    return clips_a_second
