"""Diarization error rate: missed speech, false alarm and confusion, as a share of all speech.

The definition is NIST's (md-eval): overlapping speech counts once for each speaker, a collar around every true boundary
is not scored, and speakers are matched one to one so that the most time agrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

FRAME_MS = 10


class Spoken(Protocol):
    """A turn of an answer or of the truth."""

    @property
    def speaker(self) -> str: ...

    @property
    def start_ms(self) -> int: ...

    @property
    def end_ms(self) -> int: ...


@dataclass(frozen=True, slots=True)
class DiarizationErrors:
    """Times in milliseconds, all speakers added up. `total` is the scored speech."""

    missed: int
    false_alarm: int
    confused: int
    total: int

    @property
    def rate(self) -> float:
        return (self.missed + self.false_alarm + self.confused) / max(1, self.total)


def diarization_errors(truth: Sequence[Spoken], answer: Sequence[Spoken], *, collar_ms: int = 0) -> DiarizationErrors:
    """Score `answer`. For at most 8 speakers: every matching is tried."""
    frames = max((turn.end_ms for turn in (*truth, *answer)), default=0) // FRAME_MS + 1
    real, found = _grid(truth, frames), _grid(answer, frames)
    scored = np.ones(frames, np.bool_)
    for turn in truth:
        for edge in (turn.start_ms, turn.end_ms):
            scored[max(0, (edge - collar_ms) // FRAME_MS) : (edge + collar_ms) // FRAME_MS] = collar_ms == 0
    real, found = real[:, scored], found[:, scored]
    agreed = real.astype(np.int64) @ found.T.astype(np.int64)
    real_count, found_count = real.sum(axis=0), found.sum(axis=0)
    both = int(np.minimum(real_count, found_count).sum())
    return DiarizationErrors(
        missed=int(np.maximum(0, real_count - found_count).sum()) * FRAME_MS,
        false_alarm=int(np.maximum(0, found_count - real_count).sum()) * FRAME_MS,
        confused=(both - _best(agreed)) * FRAME_MS,
        total=int(real_count.sum()) * FRAME_MS,
    )


def _grid(turns: Sequence[Spoken], frames: int) -> NDArray[np.bool_]:
    names = list(dict.fromkeys(turn.speaker for turn in turns))
    grid = np.zeros((len(names), frames), np.bool_)
    for turn in turns:
        grid[names.index(turn.speaker), turn.start_ms // FRAME_MS : turn.end_ms // FRAME_MS] = True
    return grid


def _best(agreed: NDArray[np.int64]) -> int:
    """The most frames that a one-to-one matching of rows and columns agrees on."""
    if agreed.shape[0] > agreed.shape[1]:
        agreed = agreed.T
    if not agreed.size:
        return 0
    rows = range(agreed.shape[0])
    return max(int(agreed[rows, chosen].sum()) for chosen in permutations(range(agreed.shape[1]), agreed.shape[0]))
