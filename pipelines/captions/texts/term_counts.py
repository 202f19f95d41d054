"""How many texts hold each of many terms, in one pass over the texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

TERM_WORDS_MAX = 8
"""Words of a term that is counted; a longer one is counted as never used."""


def count_terms(terms: Sequence[str], texts: Iterable[str]) -> list[int]:
    """For each term the number of texts that hold it as whole words, whatever their capitals."""
    counts = dict.fromkeys((_bare(term) for term in terms), 0)
    longest = min(TERM_WORDS_MAX, max((term.count(" ") + 1 for term in counts), default=0))
    for text in texts:
        words = _WORD.findall(text.casefold())
        present = {
            run
            for at in range(len(words))
            for length in range(1, longest + 1)
            if at + length <= len(words) and (run := " ".join(words[at : at + length])) in counts
        }
        for term in present:
            counts[term] += 1
    return [counts[_bare(term)] for term in terms]


_WORD = re.compile(r"\w+(?:[-'’]\w+)*")


def _bare(term: str) -> str:
    words: list[str] = _WORD.findall(term.casefold())
    return " ".join(words)
