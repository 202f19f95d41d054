"""`python -m benchmarks translation-goals`: caption lines a second through our engine, goal 23."""

from __future__ import annotations

import random
from functools import partial
from typing import Annotated

import typer

from benchmarks.goals.pairs import alternate
from benchmarks.goals.report import Report
from benchmarks.goals.translation.bare import Bare
from benchmarks.goals.translation.ours import Ours
from benchmarks.quiet import silence_logs
from cluster.resources import cores
from serve.core.models.processor import use_avx512
from serve.testing.random_translator import SHAPES, reciting_translator
from serve.testing.tiny_models.phrases import phrases_between

BATCH_TOKENS = (512, 1024, 2048)
"""Tried for the bare side; it gets the fastest."""
NOTES = (
    "Random weights of Transformer base, int8, beam 4, 4 hypotheses with scores and attention on all sides; every "
    "translation has equally many tokens.",
    "Ours: scheduler, engine, text and word attention of a replica, with the passages of 8 files at once in any order.",
    "Bare, sorted: one `translate_batch` of all lines, which sorts them by length, a call on each core; of three batch "
    "sizes the fastest. Bare, line by line: a call for each line with every core in it.",
)


def command(
    shape: Annotated[str, typer.Option(help=f"Shape of the random model: {', '.join(SHAPES)}.")] = "base",
    lines: Annotated[int, typer.Option(min=32, help="Caption lines of a measurement.")] = 64,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs that must count for each ratio.")] = 5,
) -> None:
    # Both sides get it.
    use_avx512()
    silence_logs()
    report = Report("translation-goals")
    model = reciting_translator(SHAPES[shape])
    texts = material(lines)
    some = texts[: max(16, lines // 4)]
    ours, batched = Ours(model, workers=cores()), Bare(model, calls=cores(), threads=1)
    single = Bare(model, calls=1, threads=cores())
    try:
        ours.lines_per_second(some)
        single.single_lines_per_second(some[:4])
        speeds = {size: batched.sorted_lines_per_second(texts, batch_tokens=size) for size in BATCH_TOKENS}
        best = max(speeds, key=speeds.__getitem__)
        our_side = partial(ours.lines_per_second, texts)
        found = alternate(our_side, partial(batched.sorted_lines_per_second, texts, batch_tokens=best), pairs)
        report.goal("23-sorted", found.ratio, **found.detail(), batch_tokens=best)
        our_ms, bare_ms = (side.timing.latest_core_ms(pairs) for side in (ours, batched))
        report.figure("the same by core-seconds, bare sorted / ours", bare_ms / our_ms, "x", ours=our_ms, bare=bare_ms)
        found = alternate(our_side, partial(single.single_lines_per_second, some), pairs)
        report.goal("23-single", found.ratio, **found.detail())
        report.figure("target tokens of a line", batched.tokens(texts[0]), "tokens")
    finally:
        for side in (ours, batched, single):
            side.close()
    for sentence in NOTES:
        report.note(sentence)
    report.write()


def material(lines: int) -> list[str]:
    """Sentences of the phrase book, of 2 to 17 words, in a fixed random order."""
    sentences = [phrase.source for phrase in phrases_between("en", "is")]
    chance = random.Random(3)
    return [chance.choice(sentences) for _ in range(lines)]
