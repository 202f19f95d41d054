"""Attention between words, folded from a model's attention between sentencepiece pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORD_START = "▁"

Rows = tuple[tuple[float, ...], ...]
Shares: TypeAlias = "NDArray[np.float64]"
"""Shape (pieces, words): which share of each piece's characters lies in each word."""


def fold(attention: NDArray[Any], target_shares: Shares, source_shares: Shares) -> Rows:
    """`attention[t][s]` between pieces as rows between words, given the `piece_shares` of both texts.

    Columns without a piece of text (language tokens, ends) must be left out of `attention` and of the shares. Rows sum
    to 1; a target word whose pieces look at nothing depends on every source word alike.
    """
    if not target_shares.shape[1] or not source_shares.shape[1]:
        return ()
    return normalized(target_shares.T @ np.asarray(attention, np.float64) @ source_shares)


def normalized(attention: NDArray[np.float64]) -> Rows:
    """Rows that sum to 1; a row of zeros becomes even."""
    sums = attention.sum(axis=1, keepdims=True)
    even = np.full_like(attention, 1 / attention.shape[1])
    rows = np.where(sums > 0, attention / np.where(sums > 0, sums, 1), even)
    return tuple(map(tuple, rows.tolist()))


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


def piece_shares(pieces: Sequence[str], words: Sequence[str]) -> Shares:
    """How the pieces of a text spread over its words.

    Sentencepiece may have rewritten characters (an ellipsis becomes three dots). Where that changed the number of
    words, characters belong to the word at the same share of the text.
    """
    sizes = [len("".join(piece.split(WORD_START))) for piece in pieces]
    shares = np.zeros((len(pieces), len(words)))
    count = sum(sizes)
    if not count or not words:
        return shares
    spoken = "".join(pieces).replace(WORD_START, " ").split()
    owner = np.repeat(np.arange(len(words)), [len(word) for word in (spoken if len(spoken) == len(words) else words)])
    places = np.minimum(np.arange(count) * len(owner) // count, len(owner) - 1)
    piece_of = np.repeat(np.arange(len(pieces)), sizes)
    np.add.at(shares, (piece_of, owner[places]), 1 / np.array(sizes)[piece_of])
    return shares
