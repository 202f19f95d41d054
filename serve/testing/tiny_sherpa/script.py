"""What the tiny models say, whatever they hear, and the tables that their graphs read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

SENTENCES = {
    "en": ("▁Good", "▁morning.", "▁Reykjav", "ík", "▁is", "▁calm."),
    "es": ("▁Buenos", "▁días,", "▁Lima."),
    "de": ("▁Guten", "▁Morgen,", "▁Wien."),
    "fr": ("▁Bonjour,", "▁Lyon."),
}
"""Pieces by language. No piece stands twice, so that a graph knows the next one by the last."""
BEFORE_FRAMES = 10
"""Frames without speech before the first piece of a model that places its pieces in time."""
FRAMES_PER_PIECE = 5
SURE, LIKELY, NEVER = 10.0, 1.0, -10.0


def text_of(language: str) -> str:
    """The sentence as people read it."""
    return "".join(SENTENCES[language]).replace("▁", " ").strip()


def followers(tokens: Sequence[str], begins: str, ends: str) -> NDArray[np.float32]:
    """Scores of the next token for each last one, shape (tokens, tokens). After `begins` all languages are alike."""
    table = np.full((len(tokens), len(tokens)), 0.0, np.float32)
    number = {token: index for index, token in enumerate(tokens)}
    for pieces in SENTENCES.values():
        for last, following in zip(pieces, (*pieces[1:], ends), strict=True):
            if last in number:
                table[number[last], number[following]] = SURE
    table[number[begins], [number[pieces[0]] for pieces in SENTENCES.values() if pieces[0] in number]] = LIKELY
    return table


def first_pieces(tokens: Sequence[str]) -> NDArray[np.float32]:
    """Scores of the first piece for each language, shape (languages, tokens)."""
    table = np.zeros((len(SENTENCES), len(tokens)), np.float32)
    for row, pieces in enumerate(SENTENCES.values()):
        table[row, tokens.index(pieces[0])] = LIKELY
    return table


def languages_of(tokens: Sequence[str]) -> NDArray[np.float32]:
    """Which language each token names, shape (tokens, languages)."""
    table = np.zeros((len(tokens), len(SENTENCES)), np.float32)
    for column, language in enumerate(SENTENCES):
        table[tokens.index(f"<|{language}|>"), column] = 1.0
    return table


def frames_of(pieces: Sequence[int], blank: int, tokens: int, *, step: int = FRAMES_PER_PIECE) -> NDArray[np.float32]:
    """Scores of each token in each frame, shape (frames, tokens): a piece in the first of `step` frames, then blank."""
    shown = [blank] * BEFORE_FRAMES
    for piece in pieces:
        shown += [piece] + [blank] * (step - 1)
    table = np.full((len(shown) + 1, tokens), NEVER, np.float32)
    table[np.arange(len(shown)), shown] = 0.0
    table[-1, blank] = 0.0
    return table


def token_lines(tokens: Sequence[str]) -> str:
    return "".join(f"{token} {number}\n" for number, token in enumerate(tokens))


def facts(**values: Any) -> dict[str, object]:
    return {"model_author": "made for tests", "comment": "made for tests", "version": "1", **values}
