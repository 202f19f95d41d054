"""An interview of two people: its captions, some of them with faults that the editor finds, and their translation."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

from pipelines.messages.lines import CaptionLine, CaptionWord, Origin

SPEAKERS = {"S1": "Helga Jónsdóttir", "S2": "Mark"}
EVERY_MS = 4_000
DOUBTFUL = {"Grindavik", "lava", "magma"}

TALK = [
    (speaker, text.replace("|", "\n"), translated)
    for speaker, text, translated in (
        row.split("\t") for row in Path(__file__).with_name("interview.tsv").read_text("utf-8").splitlines()
    )
]
"""Who speaks, the line, and its Icelandic translation. In the file, `|` is a line break and tabs part the columns."""


TRANSLATION = [translated for _, _, translated in TALK]
LENGTH_S = len(TALK) * EVERY_MS // 1000


def lines() -> Iterator[CaptionLine]:
    """One line every four seconds, as a model with word times would have made it."""
    for number, (speaker, text, _) in enumerate(TALK):
        said = text.split()
        start, each = number * EVERY_MS + 200, (EVERY_MS - 400) // max(len(said), 9)
        words = tuple(
            CaptionWord(start + i * each, start + (i + 1) * each, word, Origin.ASR, _confidence(word))
            for i, word in enumerate(said)
        )
        yield CaptionLine(str(uuid.uuid4()), start, words[-1].end_ms, text, words, speaker=speaker)


def _confidence(word: str) -> float:
    return 0.41 if word.strip(".,?") in DOUBTFUL else 0.96
