"""Ranks sentences by how much they have in common with the others: LexRank (Erkan and Radev, 2004).

It needs no word lists: a word that occurs in most sentences counts little, whatever the language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from serve.core.text.words import stem, words

_DIGITS = re.compile(r"\d+")

DAMPING = 0.85
ROUNDS = 50
SHORT_WORDS = 4
"""Shorter sentences ("Yes, exactly.") say nothing by themselves."""
FACT = 0.2
"""What a number adds to a sentence's weight: thanks and greetings are central too, but nobody looks for them."""
SAME = 0.6
"""Cosine from which two sentences say the same."""


def rank(texts: Sequence[str]) -> list[float]:
    """A weight for each text, 1 on average: how central it is."""
    if not texts:
        return []
    vectors = _vectors(texts)
    similarity = vectors @ vectors.T
    np.fill_diagonal(similarity, 0.0)
    sums = similarity.sum(axis=1, keepdims=True)
    share = np.divide(similarity, sums, out=np.full_like(similarity, 1.0 / len(texts)), where=sums > 0)
    weights = np.full(len(texts), 1.0)
    for _ in range(ROUNDS):
        weights = (1 - DAMPING) + DAMPING * (share.T @ weights)
    weights *= np.array([1 + FACT * len(_DIGITS.findall(text)) for text in texts])
    is_long = np.array([len(words(text)) >= SHORT_WORDS for text in texts])
    if is_long.any():
        weights[~is_long] = 0.0
    return [float(weight) for weight in weights]


def best(texts: Sequence[str], weights: Sequence[float], count: int) -> list[int]:
    """The indices, in order, of the `count` heaviest texts that do not say the same as a heavier one."""
    if not texts:
        return []
    vectors = _vectors(texts)
    similarity = vectors @ vectors.T
    chosen: list[int] = []
    for index in sorted(range(len(texts)), key=lambda at: -weights[at]):
        if len(chosen) == count:
            break
        if weights[index] > 0 and not np.any(similarity[index, chosen] >= SAME):
            chosen.append(index)
    return sorted(chosen)


def keywords(texts: Sequence[str], among: Sequence[str], count: int = 3) -> list[str]:
    """The words that tell these texts from all texts `among`, as written, the most telling first."""
    everywhere = Counter(stem(word) for text in among for word in set(words(text)))
    here = Counter(stem(word) for text in texts for word in words(text) if len(word) > 3 and not word.isdigit())
    total = len(among) + 1
    scores = {each: times * float(np.log(total / everywhere[each])) for each, times in here.items()}
    spellings: dict[str, str] = {}
    for text in texts:
        for word in words(text):
            spellings.setdefault(stem(word), _as_written(word, text))
    return [spellings[each] for each in sorted(scores, key=lambda key: (-scores[key], key))[:count]]


def _as_written(word: str, text: str) -> str:
    at = text.casefold().find(word)
    return text[at : at + len(word)] if at >= 0 else word


def _vectors(texts: Sequence[str]) -> np.ndarray:
    """Rows of unit length: how often each stem occurs, weighted by how rare it is."""
    counts = [Counter(map(stem, words(text))) for text in texts]
    frequency = Counter(word for count in counts for word in count)
    columns = {word: column for column, word in enumerate(frequency)}
    matrix = np.zeros((len(texts), max(1, len(columns))))
    for row, count in enumerate(counts):
        for word, times in count.items():
            matrix[row, columns[word]] = times * np.log((1 + len(texts)) / frequency[word])
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    normalized: np.ndarray = np.divide(matrix, norms, out=np.zeros_like(matrix), where=norms > 0)
    return normalized
