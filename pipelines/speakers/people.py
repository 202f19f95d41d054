"""Gives every voice of every window a person, so that the same person has the same number in the whole file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pipelines.speakers.clusters import Matrix, VoiceSet, centroids, group
from serve.tasks.diarization.messages import LocalVoice, VoiceWindow

_ENOUGH_MS = 1_000
"""A voice with less speech of its own is given to a person; it does not help to find the people."""


def people_of(windows: Sequence[VoiceWindow], *, likeness: float, count: int | None = None) -> list[list[int]]:
    """The person of each voice of each window, counted from 0. `count` people, or as many as sound different."""
    voices = [(index, voice) for index, window in enumerate(windows) for voice in window.voices]
    known = [(index, voice, voice.embedding) for index, voice in voices if voice.embedding is not None]
    if not known:
        # Too little speech to compare: one person, whoever it is.
        return [[0] * len(window.voices) for window in windows]
    clear = [each for each in known if each[1].alone_ms >= _ENOUGH_MS] or known
    matrix = np.stack([np.frombuffer(embedding, "<f4") for _, _, embedding in clear])
    weights = np.array([max(1, voice.alone_ms) for _, voice, _ in clear], np.float64)
    rows = VoiceSet(matrix, weights, list(_different([(index, voice) for index, voice, _ in clear])))
    middles = centroids(rows, group(rows, likeness=likeness, count=count))
    people: list[list[int]] = []
    for window in windows:
        people.append(_persons(window, middles, people[-1] if people else [], windows[len(people) - 1]))
    return people


def _different(voices: Sequence[tuple[int, LocalVoice]]) -> Iterator[tuple[int, int]]:
    """Pairs of voices of one window: the model told them apart."""
    for first, (window, _) in enumerate(voices):
        second = first + 1
        while second < len(voices) and voices[second][0] == window:
            yield first, second
            second += 1


def _persons(window: VoiceWindow, middles: Matrix, before: Sequence[int], former: VoiceWindow) -> list[int]:
    """The most alike person of each voice, the surest first. Voices that speak at once are different people."""
    persons = [0] * len(window.voices)
    scores = [_scores(voice, middles, before, former) for voice in window.voices]
    chosen: list[int] = []
    for index in sorted(range(len(scores)), key=lambda each: -max(scores[each])):
        taken = {persons[other] for other in chosen if _overlap(window.voices[index], window.voices[other])}
        free = [person for person in range(len(middles)) if person not in taken] or list(range(len(middles)))
        persons[index] = max(free, key=lambda person: scores[index][person])
        chosen.append(index)
    return persons


def _scores(voice: LocalVoice, middles: Matrix, before: Sequence[int], former: VoiceWindow) -> list[float]:
    """How well each person fits: by sound, or, for a voice too short to judge, by who speaks in the window before."""
    if voice.embedding is not None:
        return [float(score) for score in middles @ np.frombuffer(voice.embedding, "<f4")]
    scores = [-1.0] * len(middles)
    for person, other in zip(before, former.voices, strict=False):
        shared = _shared_ms(voice, other)
        if shared:
            scores[person] = max(scores[person], -1.0 + shared / 1_000_000)
    return scores


def _overlap(one: LocalVoice, other: LocalVoice) -> bool:
    return _shared_ms(one, other) > 0


def _shared_ms(one: LocalVoice, other: LocalVoice) -> int:
    return sum(
        max(0, min(a_end, b_end) - max(a_start, b_start))
        for a_start, a_end in one.stretches
        for b_start, b_end in other.stretches
    )
