"""Reasons to doubt a segment, as `Segment.doubts` carries them, and those that make it useless."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Doubt(StrEnum):
    """Names of the checks a result can fail; they travel in `Segment.doubts`."""

    REPETITIVE = "repetitive"
    LOOP = "loop"
    UNLIKELY = "unlikely"
    GIBBERISH = "gibberish"
    TOO_DENSE = "too_dense"
    OUTSIDE_SPEECH = "outside_speech"


IMPROBABLE = frozenset({Doubt.UNLIKELY, Doubt.GIBBERISH})
"""Doubts in the probability alone; the text itself could have been said."""

_HOPELESS = frozenset({Doubt.OUTSIDE_SPEECH, Doubt.GIBBERISH})
_ECHOES = frozenset({Doubt.LOOP, Doubt.REPETITIVE})


def is_hopeless(doubts: Iterable[str]) -> bool:
    """Whether text with these doubts is not worth showing.

    That is text where the sound is silent, tokens that the model itself finds improbable, or an unlikely repetition.
    """
    found = set(doubts)
    return bool(found & _HOPELESS) or (Doubt.UNLIKELY in found and bool(found & _ECHOES))
