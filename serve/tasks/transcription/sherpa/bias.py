"""Puts what a search with terms found into what greedy decoding found.

Greedy decoding gives probabilities and durations, the search with terms gives neither. So a word that both found keeps
the first one's numbers, and a term takes the place of what was found without it. Where nothing was found without terms,
none is put in: a term that nobody said would be worse than one that is missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from serve.tasks.transcription.sherpa.words import ScoredWord


def with_terms(plain: Sequence[ScoredWord], biased: Sequence[ScoredWord]) -> list[ScoredWord]:
    """The words of `plain`, with those of `biased` in place of the ones that differ."""
    matcher = SequenceMatcher(None, [each.text for each in plain], [each.text for each in biased], autojunk=False)
    merged: list[ScoredWord] = []
    for what, start, end, biased_start, biased_end in matcher.get_opcodes():
        heard = plain[start:end]
        if what != "replace":
            merged.extend(heard)
            continue
        # The probability of what stood there says how sure the model is of the sound.
        likely = min(each.log_probability for each in heard)
        merged.extend(_placed(biased[biased_start:biased_end], heard[0].start_ms, heard[-1].end_ms, likely))
    return merged


def _placed(words: Sequence[ScoredWord], start_ms: int, end_ms: int, likely: float) -> list[ScoredWord]:
    """The words inside the time of those in whose place they stand."""
    starts = [start_ms, *(min(max(word.start_ms, start_ms), end_ms) for word in words[1:])]
    ends = [*starts[1:], end_ms]
    return [
        ScoredWord(word.text, start, max(start, end), likely)
        for word, start, end in zip(words, starts, ends, strict=True)
    ]
