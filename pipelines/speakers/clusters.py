"""Groups embeddings of voices by person: agglomerative clustering with average linkage over cosine similarity.

Two voices that speak in one window are different people, unless the model split one person in two now and then: groups
that speak against each other in more than a tenth of the smaller one's windows are never joined.
Time and memory grow with the square of a block, and linearly with the file: blocks of an hour are grouped first, then
their groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]
Labels = NDArray[np.int64]

BLOCK = 1_500
"""Embeddings of about an hour. A block takes 30 MB and 0.3 s on one core."""
BLOCK_GROUPS = 100
"""Groups that a block leaves at most, so that they shrink even where no two voices sound alike."""
_CONFLICT = 0.1
_SMALL_MS = 4_000
_SMALL_SHARE = 0.05
"""A group with less speech than this, in milliseconds or as a share of all, is too little to be a person of its own."""


@dataclass(frozen=True, slots=True)
class VoiceSet:
    """Embeddings as rows of unit length, the milliseconds behind each, and pairs of rows that are different people."""

    embeddings: Matrix
    weights: NDArray[np.float64]
    apart: Sequence[tuple[int, int]] = ()


def group(voices: VoiceSet, *, likeness: float, count: int | None = None) -> Labels:
    """The person of each embedding, counted from 0. Without a `count`, as many as sound different by `likeness`."""
    size = len(voices.weights)
    if size == 0 or count == 1:
        return np.zeros(size, np.int64)
    if size <= BLOCK:
        return _whole(voices, likeness, count)
    first = np.zeros(size, np.int64)
    total = 0
    for start in range(0, size, BLOCK):
        block = _part(voices, start, min(size, start + BLOCK))
        merges = _merges(block, forced=True)
        labels = _cut(merges, len(block.weights), likeness, most=BLOCK_GROUPS)
        first[start : start + len(labels)] = labels + total
        total += int(labels.max()) + 1
    return group(_join(voices, first, total), likeness=likeness, count=count)[first]


def centroids(voices: VoiceSet, labels: Labels) -> Matrix:
    """The mean embedding of each person, of unit length, weighted by time."""
    sums = np.zeros((int(labels.max()) + 1, voices.embeddings.shape[1]), np.float32)
    np.add.at(sums, labels, voices.embeddings * voices.weights[:, None].astype(np.float32))
    return unit(sums)


def unit(rows: Matrix) -> Matrix:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), np.float32)


def _whole(voices: VoiceSet, likeness: float, count: int | None) -> Labels:
    small = min(_SMALL_MS, _SMALL_SHARE * float(voices.weights.sum()))
    merges = _merges(voices, forced=count is not None)
    size = len(voices.weights)
    labels = _cut(merges, size, likeness) if count is None else _cut_to(merges, voices.weights, count, small)
    return _without_small(voices, labels, small, count)


def _part(voices: VoiceSet, start: int, stop: int) -> VoiceSet:
    inside = [(a - start, b - start) for a, b in voices.apart if start <= a < stop and start <= b < stop]
    return VoiceSet(voices.embeddings[start:stop], voices.weights[start:stop], inside)


def _join(voices: VoiceSet, labels: Labels, total: int) -> VoiceSet:
    """Each group as one voice. Groups that overlap in time count as different people."""
    weights = np.bincount(labels, voices.weights, total).astype(np.float64)
    apart = sorted({(int(labels[a]), int(labels[b])) for a, b in voices.apart if labels[a] != labels[b]})
    return VoiceSet(centroids(voices, labels), weights, apart)


@dataclass(frozen=True, slots=True)
class _Merge:
    into: int
    gone: int
    similarity: float


class _Linkage:
    """The groups that are left, with the mean similarity of each pair. A row knows its best partner."""

    def __init__(self, voices: VoiceSet) -> None:
        size = len(voices.weights)
        self.similarity = voices.embeddings @ voices.embeddings.T
        np.fill_diagonal(self.similarity, -np.inf)
        self.conflicts = np.zeros((size, size), np.float32)
        for a, b in voices.apart:
            self.conflicts[a, b] = self.conflicts[b, a] = 1
        self.members = np.ones(size, np.float32)
        self.weights = voices.weights.astype(np.float32)
        self.heeds_conflicts = True
        self.is_left = np.ones(size, np.bool_)
        self.best = np.full(size, -np.inf, np.float32)
        self.partner = np.zeros(size, np.int64)
        self._choose(self.is_left)

    def _choose(self, rows: NDArray[np.bool_]) -> None:
        """Find the best partner of these rows."""
        for row in np.flatnonzero(rows & self.is_left):
            similarity = self.similarity[row]
            if self.heeds_conflicts:
                limit = _CONFLICT * np.minimum(self.members[row], self.members)
                similarity = np.where(self.conflicts[row] > limit, -np.inf, similarity)
            self.partner[row] = similarity.argmax()
            self.best[row] = similarity[self.partner[row]]

    def merge(self) -> _Merge | None:
        """Join the most similar groups; None when there are none that may be joined."""
        into = int(self.best.argmax())
        gone, similarity = int(self.partner[into]), float(self.best[into])
        if similarity == -np.inf:
            return None
        a, b = self.weights[into], self.weights[gone]
        row = (a * self.similarity[into] + b * self.similarity[gone]) / (a + b)
        row[into] = row[gone] = -np.inf
        self.similarity[into], self.similarity[:, into] = row, row
        self.similarity[gone], self.similarity[:, gone] = -np.inf, -np.inf
        self.conflicts[into] += self.conflicts[gone]
        self.conflicts[:, into] += self.conflicts[:, gone]
        self.members[into] += self.members[gone]
        self.weights[into] += self.weights[gone]
        self.best[gone], self.is_left[gone] = -np.inf, False
        touched = (self.partner == into) | (self.partner == gone) | (row > self.best)
        touched[into] = True
        self._choose(touched)
        return _Merge(into, gone, similarity)

    def ignore_conflicts(self) -> None:
        self.heeds_conflicts = False
        self._choose(self.is_left)


def _merges(voices: VoiceSet, *, forced: bool) -> list[_Merge]:
    """Every merge, the most similar groups first. `forced` merges those that conflict as well, after all others."""
    linkage = _Linkage(voices)
    merges: list[_Merge] = []
    while len(merges) < len(voices.weights) - 1:
        merge = linkage.merge()
        if merge is not None:
            merges.append(merge)
        elif forced and linkage.heeds_conflicts:
            linkage.ignore_conflicts()
        else:
            break
    return merges


def _cut(merges: Sequence[_Merge], size: int, likeness: float, most: int | None = None) -> Labels:
    """The groups before the first merge that is not similar enough, and at most that many."""
    stop = next((index for index, merge in enumerate(merges) if merge.similarity < likeness), len(merges))
    return _after(merges[: max(stop, size - most if most else 0)], size)


def _cut_to(merges: Sequence[_Merge], weights: NDArray[np.float64], count: int, small: float) -> Labels:
    """The last groups of which `count` are large, or as many as there ever were."""
    heavy = weights.copy()
    large = int((heavy >= small).sum())
    best, stop = abs(large - count), 0
    for index, merge in enumerate(merges, 1):
        both = heavy[merge.into] + heavy[merge.gone]
        large += int(both >= small) - int(heavy[merge.into] >= small) - int(heavy[merge.gone] >= small)
        heavy[merge.into], heavy[merge.gone] = both, -1.0
        if abs(large - count) <= best:
            best, stop = abs(large - count), index
    return _after(merges[:stop], len(weights))


def _after(merges: Sequence[_Merge], size: int) -> Labels:
    root = np.arange(size)
    for merge in reversed(merges):
        # Later merges are known already, so each group takes the name that its partner ends with.
        root[merge.gone] = root[merge.into]
    return np.unique(root, return_inverse=True)[1].astype(np.int64)


def _without_small(voices: VoiceSet, labels: Labels, small: float, count: int | None) -> Labels:
    """Give the voices of small groups to the large group that sounds most alike."""
    weights = np.bincount(labels, voices.weights)
    order = np.argsort(-weights, kind="stable")
    large = [int(index) for index in order if weights[index] >= small][:count] or [int(order[0])]
    middles = centroids(voices, labels)[large]
    nearest = (voices.embeddings @ middles.T).argmax(axis=1)
    position = {index: number for number, index in enumerate(large)}
    return np.array(
        [position.get(int(label), int(nearest[index])) for index, label in enumerate(labels)], dtype=np.int64
    )
