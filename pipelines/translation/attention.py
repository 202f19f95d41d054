"""Turn a model's attention, word by word, into the share that each cue has in each piece of the translation."""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence

from pipelines.translation.texts.boundaries import Unit

_WORD = re.compile(r"\S+")

Shares = tuple[tuple[float, ...], ...]
"""For each unit of the target, the share of each cue; a unit's shares sum to 1."""


def cue_shares(
    source: str, cue_texts: Sequence[str], target: str, units: Sequence[Unit], attention: Sequence[Sequence[float]]
) -> Shares | None:
    """The shares by which `recut` cuts, or None where the attention does not fit the words of both texts.

    `attention[t][s]` is how much word `t` of the target depends on word `s` of the source, both separated by white
    space. A word of a script without spaces may span several cues; then each has its share of the word's characters.
    """
    words = [match.span() for match in _WORD.finditer(source)]
    target_words = [match.span() for match in _WORD.finditer(target)]
    if len(attention) != len(target_words) or any(len(row) != len(words) for row in attention):
        return None
    ends = _cue_ends(source, cue_texts)
    if ends is None:
        return None
    by_word = [_cues_of(span, ends) for span in words]
    starts = [start for start, _ in target_words]
    shares = []
    for unit in units:
        row = attention[max(0, bisect.bisect_right(starts, unit.start) - 1)]
        mass = [sum(weight * cues[cue] for weight, cues in zip(row, by_word, strict=True)) for cue in range(len(ends))]
        whole = sum(mass)
        shares.append(tuple(each / whole for each in mass) if whole > 0 else (1 / len(ends),) * len(ends))
    return tuple(shares)


def _cue_ends(source: str, cue_texts: Sequence[str]) -> list[int] | None:
    """Where each cue's text ends in the source."""
    ends: list[int] = []
    index = 0
    for text in cue_texts:
        found = source.find(text, index)
        if found < 0:
            return None
        index = found + len(text)
        ends.append(index)
    return ends


def _cues_of(span: tuple[int, int], ends: Sequence[int]) -> list[float]:
    """The share of a source word that lies in each cue."""
    start, stop = span
    shares: list[float] = []
    before = 0
    for end in ends:
        shares.append(max(0, min(stop, end) - max(start, before)) / (stop - start))
        before = end
    return shares
