"""Sentences of a transcript, each with the numbers of the lines it stands in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from serve.core.text.words import is_unspaced, words
from serve.tasks.text.messages import SpokenLine

_END = re.compile(r"(?<=[.!?…])[\"'”’»)]*\s+(?=\S)|(?<=[。！？।؟])[」』”]*\s*(?=\S)")
_FINAL = re.compile(r"[.!?…。！？।؟][\"'”’»)」』]*$")
_SHORT_FORM = re.compile(r"(?:^|\s)(?:\w|Mr|Mrs|Ms|Dr|St|No|vs|e\.g|i\.e|t\.d|þ\.e|o\.s\.frv|z\.B|bzw|Sr|Sra)\.$")
"""An initial or a usual abbreviation, after which no sentence ends."""

LONGEST_WORDS = 40
"""A sentence is cut after the line in which it reaches this many words."""
UNPUNCTUATED_WORDS = 10
"""The same where the transcript has no punctuation, as from the offline speech engine: its lines end at pauses."""


@dataclass(frozen=True, slots=True)
class SpokenSentence:
    """`lines` are numbers from 1. `order` counts the sentences of the section."""

    text: str
    lines: tuple[int, ...]
    speaker: str | None
    order: int


def sentences(lines: Sequence[SpokenLine]) -> list[SpokenSentence]:
    """Join lines until a sentence ends, another person speaks, or the sentence is long enough."""
    longest = LONGEST_WORDS if _is_punctuated(lines) else UNPUNCTUATED_WORDS
    found: list[SpokenSentence] = []
    parts: list[str] = []
    numbers: list[int] = []
    speaker: str | None = None

    def finish() -> None:
        text = _joined(parts)
        if text:
            found.append(SpokenSentence(text, tuple(dict.fromkeys(numbers)), speaker, len(found)))
        parts.clear()
        numbers.clear()

    for number, line in enumerate(lines, 1):
        if line.speaker != speaker:
            finish()
            speaker = line.speaker
        for piece in _pieces(" ".join(line.text.split())):
            parts.append(piece)
            numbers.append(number)
            if _FINAL.search(piece) and not _SHORT_FORM.search(piece):
                finish()
        if len(words(" ".join(parts))) >= longest:
            finish()
    finish()
    return found


def _is_punctuated(lines: Sequence[SpokenLine]) -> bool:
    text = " ".join(line.text for line in lines)
    ends = len(_END.findall(text)) + bool(_FINAL.search(text.strip()))
    return ends * LONGEST_WORDS >= len(words(text))


def _pieces(text: str) -> list[str]:
    """The text cut after each sentence end inside it."""
    pieces: list[str] = []
    for piece in _END.split(text):
        if not piece:
            continue
        if pieces and _SHORT_FORM.search(pieces[-1]):
            pieces[-1] = f"{pieces[-1]} {piece}"
        else:
            pieces.append(piece)
    return pieces


def _joined(parts: Sequence[str]) -> str:
    separator = "" if parts and is_unspaced(parts[0]) else " "
    return separator.join(parts).strip()
