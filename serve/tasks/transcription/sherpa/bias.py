"""Puts what a search with terms found into what greedy decoding found.

Greedy decoding gives probabilities and durations, the search with terms gives neither. So a word that both found keeps
the first one's numbers, and a term takes the place of what was found without it. What differs without holding a term
stays as it was: a beam errs elsewhere. Where nothing was found without terms, none is put in: a term that nobody said
would be worse than one that is missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from serve.tasks.transcription.sherpa.words import ScoredWord

ENDING_MIN = 4
"""A term of so many letters may have an ending: languages bend names."""


def with_terms(plain: Sequence[ScoredWord], biased: Sequence[ScoredWord], terms: Sequence[str]) -> list[ScoredWord]:
    """The words of `plain`, with those of `biased` where they differ and hold a whole term."""
    spelled = [[_bare(word) for word in term.split()] for term in terms if term.strip()]
    matcher = SequenceMatcher(None, [each.text for each in plain], [each.text for each in biased], autojunk=False)
    merged: list[ScoredWord] = []
    for what, start, end, biased_start, biased_end in matcher.get_opcodes():
        heard = plain[start:end]
        put = biased[biased_start:biased_end]
        if what != "replace" or not any(_holds(put, term) for term in spelled):
            merged.extend(heard)
            continue
        # The probability of what stood there says how sure the model is of the sound.
        likely = min(each.log_probability for each in heard)
        merged.extend(_placed(put, heard[0].start_ms, heard[-1].end_ms, likely))
    return merged


def _holds(words: Sequence[ScoredWord], term: Sequence[str]) -> bool:
    bare = [_bare(word.text) for word in words]
    return any(_is_term(bare[at : at + len(term)], term) for at in range(len(bare) - len(term) + 1))


def _is_term(words: Sequence[str], term: Sequence[str]) -> bool:
    *firsts, last = term
    has_ending = len(last) >= ENDING_MIN and words[-1].startswith(last)
    return list(words[:-1]) == firsts and (has_ending or words[-1] == last)


def _bare(word: str) -> str:
    return "".join(letter for letter in word.casefold() if letter.isalnum()) or word


def _placed(words: Sequence[ScoredWord], start_ms: int, end_ms: int, likely: float) -> list[ScoredWord]:
    """The words inside the time of those in whose place they stand."""
    starts = [start_ms, *(min(max(word.start_ms, start_ms), end_ms) for word in words[1:])]
    ends = [*starts[1:], end_ms]
    return [
        ScoredWord(word.text, start, max(start, end), likely)
        for word, start, end in zip(words, starts, ends, strict=True)
    ]
