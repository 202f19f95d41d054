"""Generated speech: sentences of the phrase book, alone and joined, with the times of their words."""

from __future__ import annotations

import random

from pipelines.messages.lines import CaptionWord
from serve.testing.tiny_models.phrases import phrases_between

_JOINTS = {"en": ("and", "because", "but", "when"), "is": ("og", "því að", "en", "þegar")}
_OTHER = {"en": "is", "is": "en"}
_LETTERS_PER_S = (11, 19)
"""Slow and fast speakers. People speak 12 to 18 letters a second in talks."""
_PAUSE_MS = (150, 400, 700, 1_500)


def speech(language: str, sentences: int, seed: int = 1) -> list[CaptionWord]:
    """The words of a talk, measured as an engine does: no line breaks, pauses after sentences and some commas."""
    chance = random.Random(seed)
    book = [phrase.source for phrase in phrases_between(language, _OTHER[language])]
    words: list[CaptionWord] = []
    now = 1_000
    for _ in range(sentences):
        rate = chance.uniform(*_LETTERS_PER_S)
        for text in _sentence(chance, book, _JOINTS[language]).split():
            ms = max(80, round((len(text) + 1) * 1000 / rate))
            words.append(CaptionWord(now, now + ms - 20, text, confidence=0.9))
            now += ms + (chance.choice((0, 120, 250)) if text.endswith(",") else 0)
        now += chance.choice(_PAUSE_MS)
    return words


def _sentence(chance: random.Random, book: list[str], joints: tuple[str, ...]) -> str:
    parts = [chance.choice(book).rstrip(".!?") for _ in range(chance.choice((1, 1, 2, 2, 3)))]
    text = parts[0]
    for part in parts[1:]:
        comma = chance.choice((",", ""))
        text += f"{comma} {chance.choice(joints)} {part[:1].lower()}{part[1:]}"
    return f"{text}."
