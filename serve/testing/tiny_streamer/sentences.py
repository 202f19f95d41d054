"""Sentences of the most frequent words of a manual, in random order: few enough to be learnt in minutes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from serve.testing.tiny_speller.sentences import WORDS

COUNT = 250


def random_sentence(dice: np.random.Generator, *, least: int = 3, most: int = 9) -> list[str]:
    """No word follows itself: a transducer writes a piece once."""
    known = known_words()
    words: list[str] = []
    while len(words) < int(dice.integers(least, most + 1)):
        word = known[int(dice.integers(len(known)))]
        if not words or words[-1] != word:
            words.append(word)
    return words


@lru_cache
def known_words() -> tuple[str, ...]:
    rows = [line.split("\t") for line in WORDS.read_text("utf-8").splitlines()]
    ordered = sorted(rows, key=lambda row: (-int(row[1]), row[0]))
    return tuple(word for word, _ in ordered if len(word) > 1)[:COUNT]
