"""Errors of who speaks when: diarization error rate and Jaccard error rate, exact to the millisecond.

The diarization error rate is NIST's (md-eval): missed speech, false alarm and confusion as a share of all speech.
Overlapping speech counts once for each speaker, a collar around every true boundary is not scored, and speakers are
matched one to one so that the most time agrees. The Jaccard error rate is that of DIHARD II: for each true speaker the
share of the time of him or his match in which only one of them speaks, and the mean over speakers; without a collar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment


class Spoken(Protocol):
    """A turn of an answer or of the truth."""

    @property
    def speaker(self) -> str: ...

    @property
    def start_ms(self) -> int: ...

    @property
    def end_ms(self) -> int: ...


Spans = Sequence[tuple[int, int]]


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


def diarization_errors(
    truth: Sequence[Spoken], answer: Sequence[Spoken], *, collar_ms: int = 0, scored: Spans | None = None
) -> DiarizationErrors:
    """Score `answer`, where `scored` is given only inside these times."""
    collars = [(edge - collar_ms, edge + collar_ms) for turn in truth for edge in (turn.start_ms, turn.end_ms)]
    lengths, real, found = _grid(truth, answer, scored, collars if collar_ms else ())
    real_count, found_count = real.sum(axis=0), found.sum(axis=0)
    agreed = (real * lengths) @ found.T
    return DiarizationErrors(
        missed=int(lengths @ np.maximum(0, real_count - found_count)),
        false_alarm=int(lengths @ np.maximum(0, found_count - real_count)),
        confused=int(lengths @ np.minimum(real_count, found_count)) - int(agreed[_matched(-agreed)].sum()),
        total=int(lengths @ real_count),
    )


def jaccard_errors(
    truth: Sequence[Spoken], answer: Sequence[Spoken], *, scored: Spans | None = None
) -> tuple[float, int]:
    """The sum of each true speaker's error, 0 to 1, and how many speakers there are."""
    lengths, real, found = _grid(truth, answer, scored, ())
    shared = (real * lengths) @ found.T
    either = (real @ lengths)[:, None] + (found @ lengths)[None, :] - shared
    errors = 1 - np.divide(shared, either, out=np.zeros(shared.shape), where=either > 0)
    speakers = int((real @ lengths > 0).sum())
    pairs = _matched(errors)
    # Whoever has no match is wrong all the time.
    return speakers - float((1 - errors[pairs]).sum()), speakers


def _grid(
    truth: Sequence[Spoken], answer: Sequence[Spoken], scored: Spans | None, excluded: Spans
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Lengths of the stretches in which nothing changes, and who speaks in each, by truth and answer.

    Stretches that do not count have length 0.
    """
    spans = [(turn.start_ms, turn.end_ms) for turn in (*truth, *answer)]
    edges = np.unique([0, *(edge for span in (*spans, *(scored or ()), *excluded) for edge in span)])
    starts, ends = edges[:-1], edges[1:]
    counts = np.ones(len(starts), np.bool_)
    if scored is not None:
        counts = _inside(starts, ends, scored)
    if excluded:
        counts &= ~_inside(starts, ends, excluded)
    lengths = np.where(counts, ends - starts, 0).astype(np.int64)
    return lengths, _speakers(truth, starts, ends), _speakers(answer, starts, ends)


def _speakers(turns: Sequence[Spoken], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    names = list(dict.fromkeys(turn.speaker for turn in turns))
    rows = [
        _inside(starts, ends, [(turn.start_ms, turn.end_ms) for turn in turns if turn.speaker == name])
        for name in names
    ]
    return np.array(rows, np.int64).reshape(len(names), len(starts))


def _inside(starts: NDArray[np.int64], ends: NDArray[np.int64], spans: Spans) -> NDArray[np.bool_]:
    inside = np.zeros(len(starts), np.bool_)
    for start, end in spans:
        inside |= (starts >= start) & (ends <= end)
    return inside


def _matched(costs: NDArray[np.float64] | NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The one-to-one matching of rows and columns with the lowest cost."""
    rows, columns = linear_sum_assignment(costs)
    return rows, columns
