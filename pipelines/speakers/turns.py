"""Turns of speech from who speaks in each frame, and the best sample of each voice."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipelines.messages.speakers import Turn, VoiceSample

PAUSE_MS = 300
"""A shorter pause of one speaker does not end a turn."""
SHORTEST_MS = 160
"""A shorter turn is a cough, or a wrong frame between two turns of somebody else."""
SAMPLE_MS = 8_000
_EDGE_MS = 200
"""Left out at both ends of a sample where there is room: voices overlap there."""


@dataclass(slots=True)
class _Run:
    speaker: int
    start: int
    end: int


def turns_of(speakers: NDArray[np.int16], frame_ms: int) -> tuple[Turn, ...]:
    """Turns in order, of which no two overlap. Speakers below 0 are nobody. Who speaks first is `S1`."""
    runs = [run for run in _runs(speakers) if run.speaker >= 0]
    runs = _join(runs, PAUSE_MS // frame_ms)
    shortest = -(-SHORTEST_MS // frame_ms)
    runs = _join([run for run in runs if run.end - run.start >= shortest], PAUSE_MS // frame_ms)
    labels: dict[int, str] = {}
    for run in runs:
        labels.setdefault(run.speaker, f"S{len(labels) + 1}")
    return tuple(
        Turn(start_ms=run.start * frame_ms, end_ms=run.end * frame_ms, speaker=labels[run.speaker]) for run in runs
    )


def samples_of(turns: Sequence[Turn], is_alone: NDArray[np.bool_], frame_ms: int) -> tuple[VoiceSample, ...]:
    """For each speaker, in order of appearance, the longest time in which nobody else speaks, at most `SAMPLE_MS`."""
    best: dict[str, tuple[int, int]] = {}
    for turn in turns:
        first, last = turn.start_ms // frame_ms, turn.end_ms // frame_ms
        alone = [run for run in _runs(is_alone[first:last].astype(np.int16)) if run.speaker == 1]
        spans = [((first + run.start) * frame_ms, (first + run.end) * frame_ms) for run in alone]
        longest = max(spans, key=lambda span: span[1] - span[0], default=(turn.start_ms, turn.start_ms))
        held = best.setdefault(turn.speaker, longest)
        if longest[1] - longest[0] > held[1] - held[0]:
            best[turn.speaker] = longest
    return tuple(_sample(speaker, *span) for speaker, span in best.items() if span[1] > span[0])


def _sample(speaker: str, start_ms: int, end_ms: int) -> VoiceSample:
    if end_ms - start_ms >= 3_000 + 2 * _EDGE_MS:
        start_ms, end_ms = start_ms + _EDGE_MS, end_ms - _EDGE_MS
    return VoiceSample(speaker=speaker, start_ms=start_ms, end_ms=min(end_ms, start_ms + SAMPLE_MS))


def _runs(values: NDArray[np.int16]) -> Iterator[_Run]:
    if not len(values):
        return
    edges = [0, *(np.flatnonzero(np.diff(values)) + 1).tolist(), len(values)]
    for start, end in itertools.pairwise(edges):
        yield _Run(int(values[start]), start, end)


def _join(runs: Sequence[_Run], pause: int) -> list[_Run]:
    """Runs of one speaker with at most `pause` frames between them become one."""
    joined: list[_Run] = []
    for run in runs:
        if joined and joined[-1].speaker == run.speaker and run.start - joined[-1].end <= pause:
            joined[-1].end = run.end
        else:
            joined.append(_Run(run.speaker, run.start, run.end))
    return joined
