"""Attention between words, folded from a model's attention between sentencepiece pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORD_START = "▁"

Rows = tuple[tuple[float, ...], ...]


def fold(
    attention: NDArray[Any], source_pieces: Sequence[str], target_pieces: Sequence[str], source: str, target: str
) -> Rows:
    """`attention[t][s]` between pieces as rows between the words of `target` and those of `source`.

    Columns without a piece of text (language tokens, ends) must be left out of `attention` and of the pieces. Rows sum
    to 1; a target word whose pieces look at nothing depends on every source word alike.
    """
    source_words, target_words = source.split(), target.split()
    if not source_words or not target_words:
        return ()
    folded = (
        piece_shares(target_pieces, target_words).T
        @ np.asarray(attention, np.float64)
        @ piece_shares(source_pieces, source_words)
    )
    return normalized(folded)


def normalized(attention: NDArray[np.float64]) -> Rows:
    """Rows that sum to 1; a row of zeros becomes even."""
    sums = attention.sum(axis=1, keepdims=True)
    even = np.full_like(attention, 1 / attention.shape[1])
    rows = np.where(sums > 0, attention / np.where(sums > 0, sums, 1), even)
    return tuple(tuple(map(float, row)) for row in rows)


def chained(first: Rows, second: Rows) -> Rows:
    """Attention of a translation through another language: `second` looks at the words that `first` explains.

    Empty where the two do not fit, as when one of the models gives none.
    """
    if not first or not second or len(second[0]) != len(first):
        return ()
    return normalized(np.array(second) @ np.array(first))


def even(source: str, target: str) -> Rows:
    """Attention along the diagonal, for text that stays as it is."""
    columns, rows = len(source.split()), len(target.split())
    if not rows or not columns:
        return ()
    attention = np.zeros((rows, columns))
    for step in range(max(rows, columns)):
        attention[step * rows // max(rows, columns), step * columns // max(rows, columns)] = 1
    return normalized(attention)


def piece_shares(pieces: Sequence[str], words: Sequence[str]) -> NDArray[np.float64]:
    """Shape (pieces, words): which share of each piece's characters lies in each word.

    Sentencepiece may have rewritten characters (an ellipsis becomes three dots). Where that changed the number of
    words, characters belong to the word at the same share of the text.
    """
    spelled = [piece.replace(WORD_START, " ") for piece in pieces]
    spoken = "".join(spelled).split()
    lengths = [len(word) for word in (words if len(spoken) != len(words) else spoken)]
    owner = np.repeat(np.arange(len(words)), lengths)
    count = sum(len(word) for word in spoken)
    shares = np.zeros((len(pieces), len(words)))
    position = 0
    for index, text in enumerate(spelled):
        size = sum(not character.isspace() for character in text)
        for _ in range(size):
            shares[index, owner[min(position * len(owner) // count, len(owner) - 1)]] += 1 / size
            position += 1
    return shares
