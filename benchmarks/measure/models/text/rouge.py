"""ROUGE (Lin 2004) over words of any script: the usual package drops every letter that English does not have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from serve.core.text.compared_words import plain_words


def rouge_n(answer: str, reference: str, language: str, length: int) -> float:
    """F1 of shared runs of this many words, 0 to 1."""
    found, wanted = (_runs(plain_words(text, language), length) for text in (answer, reference))
    return _f1((found & wanted).total(), found.total(), wanted.total())


def rouge_l(answer: str, reference: str, language: str) -> float:
    """F1 of the longest common subsequence of words, 0 to 1."""
    found, wanted = (plain_words(text, language) for text in (answer, reference))
    return _f1(_common(found, wanted), len(found), len(wanted))


def _runs(words: Sequence[str], length: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[start : start + length]) for start in range(len(words) - length + 1))


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    row = [0] * (len(other) + 1)
    for word in one:
        diagonal = 0
        for column, each in enumerate(other, 1):
            above = row[column]
            row[column] = diagonal + 1 if word == each else max(above, row[column - 1])
            diagonal = above
    return row[-1]


def _f1(shared: int, found: int, wanted: int) -> float:
    return 2 * shared / (found + wanted) if found + wanted else 0.0
