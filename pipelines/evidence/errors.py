"""Word errors of a transcript against what was said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from rapidfuzz.distance import Levenshtein

from serve.core.text.compared_words import plain_words


@dataclass(frozen=True, slots=True)
class WordErrors:
    """Words spoken, and how many were replaced, left out and added: the fewest that explain the transcript."""

    words: int = 0
    replaced: int = 0
    left_out: int = 0
    added: int = 0

    @property
    def total(self) -> int:
        return self.replaced + self.left_out + self.added

    @property
    def percent(self) -> float:
        """The word error rate; 0 without words."""
        return 100 * self.total / self.words if self.words else 0.0

    @classmethod
    def sum(cls, parts: Iterable[WordErrors]) -> WordErrors:
        found = cls()
        for each in parts:
            found = cls(
                found.words + each.words,
                found.replaced + each.replaced,
                found.left_out + each.left_out,
                found.added + each.added,
            )
        return found


def word_errors(said: str, heard: str, language: str) -> WordErrors:
    """Errors by the shortest edit (Levenshtein). Case and punctuation do not count; `language` is a code, or locale."""
    wanted, found = (plain_words(text, language.split("-")[0]) for text in (said, heard))
    kinds = [step.tag for step in Levenshtein.editops(wanted, found)]
    return WordErrors(len(wanted), kinds.count("replace"), kinds.count("delete"), kinds.count("insert"))


def has_fewer(one: WordErrors, other: WordErrors) -> bool:
    """Whether the first errs less, beyond chance, over the same words.

    Errors are taken as independent and rare, so a count varies by its square root (Poisson), and the difference of two
    counts must exceed twice its own deviation.
    """
    return other.total - one.total > 2 * sqrt(one.total + other.total)
