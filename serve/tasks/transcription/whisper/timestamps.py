"""Cuts the tokens of one Whisper decoding at its timestamp tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

TOKEN_MS = 20
"""One timestamp token is 20 ms later than the one before it."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Text tokens between two timestamps; times count from the start of the window."""

    start_ms: int
    end_ms: int
    tokens: tuple[int, ...]


def split(tokens: Sequence[int], *, timestamp_begin: int, end_of_text: int, duration_ms: int) -> list[Stretch]:
    """Stretches of text in their order, with times that rise and stay inside the window.

    `timestamp_begin` is the token of 0.00 s and every token from it on is a time; tokens from `end_of_text` up to it
    are control tokens and are left out. Text after the last timestamp is kept, up to the window's end: a window is
    never decoded a second time from there, as Whisper's own loop over a long file does.
    """
    stretches: list[Stretch] = []
    text: list[int] = []
    start = 0
    now = 0
    for token in tokens:
        if token < end_of_text:
            text.append(token)
        elif token >= timestamp_begin:
            now = max(now, min(duration_ms, (token - timestamp_begin) * TOKEN_MS))
            if text:
                stretches.append(Stretch(start, now, tuple(text)))
                text = []
            start = now
    if text:
        stretches.append(Stretch(start, duration_ms, tuple(text)))
    return stretches
