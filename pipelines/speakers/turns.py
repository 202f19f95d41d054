"""Turns of speech from who speaks in each frame, and the best sample of each voice."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipelines.messages.speakers import Turn, VoiceSample
from pipelines.speakers.timeline import FRAME_MS, NOBODY, Timeline

PAUSE_MS = 300
"""A shorter pause of one speaker does not end a turn."""
SHORTEST_MS = 160
"""A shorter turn is a cough, or a wrong frame between two turns of somebody else."""
OVERLAP_MS = 1_000
"""Two voices at once for less time are a yes, a laugh, or an answer that comes a little early."""
SAMPLE_MS = 8_000
_EDGE_MS = 200
"""Left out at both ends of a sample where there is room: voices overlap there."""


@dataclass(slots=True)
class _Run:
    speaker: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Turns:
    """Turns by their start; two people's overlap where both speak. `persons`: whom each label stands for."""

    each: tuple[Turn, ...]
    persons: Mapping[str, int]


def turns_of(spoken: Timeline) -> Turns:
    """The turns of a time line. Who speaks first is `S1`."""
    pause, shortest = PAUSE_MS // FRAME_MS, -(-SHORTEST_MS // FRAME_MS)
    runs = _join(_speech_runs(spoken.speaker), pause)
    runs = _join([run for run in runs if run.end - run.start >= shortest], pause)
    also = _join_by_speaker(_speech_runs(spoken.second), pause)
    also = [run for run in also if run.end - run.start >= shortest]
    labels: dict[int, str] = {}
    turns = []
    for run in _join_by_speaker([*runs, *also], 0):
        label = labels.setdefault(run.speaker, f"S{len(labels) + 1}")
        turns.append(Turn(start_ms=run.start * FRAME_MS, end_ms=run.end * FRAME_MS, speaker=label))
    return Turns(tuple(turns), {label: person for person, label in labels.items()})


def overlaps_of(turns: Sequence[Turn]) -> list[tuple[int, int]]:
    """Where turns overlap for at least `OVERLAP_MS`, in order."""
    spans: list[tuple[int, int]] = []
    latest = 0
    for turn in turns:
        start, end = turn.start_ms, min(turn.end_ms, latest)
        if spans and start <= spans[-1][1] < end:
            spans[-1] = (spans[-1][0], end)
        elif start < end and not (spans and end <= spans[-1][1]):
            spans.append((start, end))
        latest = max(latest, turn.end_ms)
    return [(start, end) for start, end in spans if end - start >= OVERLAP_MS]


def samples_of(turns: Turns, spoken: Timeline) -> tuple[VoiceSample, ...]:
    """For each speaker, in order of appearance, the longest time in which nobody else speaks, at most `SAMPLE_MS`."""
    best: dict[str, tuple[int, int]] = {}
    for turn in turns.each:
        first, last = turn.start_ms // FRAME_MS, turn.end_ms // FRAME_MS
        alone = spoken.is_alone[first:last] & (spoken.speaker[first:last] == turns.persons[turn.speaker])
        spans = [
            ((first + run.start) * FRAME_MS, (first + run.end) * FRAME_MS)
            for run in _runs(alone.astype(np.int16))
            if run.speaker == 1
        ]
        longest = max(spans, key=lambda span: span[1] - span[0], default=(turn.start_ms, turn.start_ms))
        held = best.setdefault(turn.speaker, longest)
        if longest[1] - longest[0] > held[1] - held[0]:
            best[turn.speaker] = longest
    return tuple(_sample(speaker, *span) for speaker, span in best.items() if span[1] > span[0])


def _sample(speaker: str, start_ms: int, end_ms: int) -> VoiceSample:
    if end_ms - start_ms >= 3_000 + 2 * _EDGE_MS:
        start_ms, end_ms = start_ms + _EDGE_MS, end_ms - _EDGE_MS
    return VoiceSample(speaker=speaker, start_ms=start_ms, end_ms=min(end_ms, start_ms + SAMPLE_MS))


def _speech_runs(speakers: NDArray[np.int16]) -> list[_Run]:
    return [run for run in _runs(speakers) if run.speaker != NOBODY]


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
            joined[-1].end = max(joined[-1].end, run.end)
        else:
            joined.append(_Run(run.speaker, run.start, run.end))
    return joined


def _join_by_speaker(runs: Sequence[_Run], pause: int) -> list[_Run]:
    """By their start, those of one speaker with at most `pause` frames between them as one, whoever spoke meanwhile."""
    by_speaker = sorted(runs, key=lambda run: (run.speaker, run.start))
    return sorted(_join(by_speaker, pause), key=lambda run: (run.start, run.end))
