"""Sentences of the words of a manual, in random order."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

WORDS = Path(__file__).with_name("words.tsv")
"""The words of this product's manual and how often each stood there."""
FREQUENT = 0.6
"""Share of words drawn as often as they stand in the manual; the others are drawn evenly."""


def random_sentence(dice: np.random.Generator, *, least: int = 2, most: int = 7) -> list[str]:
    words, shares = _words()
    count = int(dice.integers(least, most + 1))
    return [str(dice.choice(words, p=shares) if dice.random() < FREQUENT else dice.choice(words)) for _ in range(count)]


@lru_cache
def _words() -> tuple[NDArray[np.str_], NDArray[np.float64]]:
    rows = [line.split("\t") for line in WORDS.read_text("utf-8").splitlines()]
    counts = np.array([float(count) for _, count in rows])
    return np.array([word for word, _ in rows]), counts / counts.sum()
