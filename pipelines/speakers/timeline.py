"""Who speaks at each moment: the voices of overlapping windows, by person, on one time line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from serve.tasks.diarization.messages import LocalVoice, VoiceWindow

FRAME_MS = 20
_FULL = 200
"""Weight of a window in its middle. It falls to 1 at the edges, where the model knows only one side."""
_SPOKEN = 0.5
_HEARD = 0.3
"""Share of the windows that must agree that somebody speaks, and that nobody else does."""
NOBODY = -1


@dataclass(frozen=True, slots=True)
class Timeline:
    """`speaker[t]` is the index of who speaks most in frame `t` of `FRAME_MS`, or `NOBODY`.

    `second[t]` is who else speaks then, or `NOBODY`. `is_alone[t]`: surely nobody else does.
    """

    speaker: NDArray[np.int16]
    second: NDArray[np.int16]
    is_alone: NDArray[np.bool_]

    @classmethod
    def silent(cls, frames: int) -> Self:
        """Nobody speaks."""
        nobody = np.full(frames, NOBODY, np.int16)
        return cls(nobody, nobody.copy(), np.zeros(frames, np.bool_))


def timeline(windows: Sequence[VoiceWindow], people: Sequence[Sequence[int]], duration_ms: int) -> Timeline:
    """`people` holds the person of each voice of each window. Memory: a few bytes a frame and person, 6 MB an hour."""
    frames = -(-duration_ms // FRAME_MS)
    count = 1 + max((person for each in people for person in each), default=-1)
    votes = np.zeros((count, frames), np.uint16)
    cover = np.zeros(frames, np.uint16)
    for window, persons in zip(windows, people, strict=True):
        start, stop = _frames(window.start_ms, window.end_ms, frames)
        weight = _weights(window.end_ms - window.start_ms)[: stop - start]
        cover[start:stop] += weight
        for person in set(persons):
            spoken = np.zeros(stop - start, np.bool_)
            for voice, owner in zip(window.voices, persons, strict=True):
                if owner == person:
                    _mark(spoken, voice, start, frames)
            votes[person, start:stop] += weight * spoken
    if count == 0:
        return Timeline.silent(frames)
    most = votes.max(axis=0)
    everything = votes.sum(axis=0, dtype=np.uint32)
    enough = np.maximum(1, _SPOKEN * cover)
    is_spoken = everything >= enough
    is_alone = is_spoken & (everything - most <= _HEARD * cover)
    first = votes.argmax(axis=0)
    np.put_along_axis(votes, first[None], 0, axis=0)
    speaker = np.where(is_spoken, first, NOBODY).astype(np.int16)
    second = np.where(votes.max(axis=0) >= enough, votes.argmax(axis=0), NOBODY).astype(np.int16)
    return Timeline(speaker, second, is_alone)


def _mark(spoken: NDArray[np.bool_], voice: LocalVoice, first: int, frames: int) -> None:
    for start_ms, end_ms in voice.stretches:
        start, stop = _frames(start_ms, end_ms, frames)
        spoken[max(0, start - first) : max(0, stop - first)] = True


def _frames(start_ms: int, end_ms: int, frames: int) -> tuple[int, int]:
    return min(frames, round(start_ms / FRAME_MS)), min(frames, round(end_ms / FRAME_MS))


def _weights(length_ms: int) -> NDArray[np.uint16]:
    """The weight of each frame of a window."""
    count = max(1, round(length_ms / FRAME_MS))
    distance = np.minimum(np.arange(count), np.arange(count)[::-1]) / max(1, count / 2)
    return np.maximum(1, np.rint(_FULL * distance)).astype(np.uint16)
