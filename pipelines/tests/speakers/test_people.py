"""Grouping voices by person, and turns, as pure functions."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.messages.speakers import Turn
from pipelines.speakers.clusters import BLOCK, VoiceSet, group, unit
from pipelines.speakers.people import people_of
from pipelines.speakers.timeline import FRAME_MS, NOBODY, Timeline, timeline
from pipelines.speakers.turns import overlaps_of, samples_of, turns_of
from serve.tasks.diarization.messages import LocalVoice, VoiceWindow


def made(size: int, people: int, *, seed: int = 1, noise: float = 0.8) -> tuple[VoiceSet, list[int]]:
    """Embeddings scattered around a direction for each person, and whose each is."""
    dice = np.random.default_rng(seed)
    middles = unit(dice.standard_normal((people, 64)).astype(np.float32))
    owners = dice.integers(0, people, size)
    noises = dice.standard_normal((size, 64)).astype(np.float32)
    scattered = middles[owners] + np.float32(noise / 8) * noises
    return VoiceSet(unit(scattered.astype(np.float32)), dice.uniform(1_000, 8_000, size)), owners.tolist()


def same(labels: np.ndarray, owners: list[int]) -> bool:
    """Whether both divide the voices alike."""
    pairs = set(zip(labels.tolist(), owners, strict=True))
    return len(pairs) == len(set(owners)) == len(set(labels.tolist()))


@pytest.mark.parametrize(("size", "people"), [(6, 2), (200, 5), pytest.param(3 * BLOCK, 4, marks=pytest.mark.long)])
def test_voices_are_grouped_by_person(size: int, people: int) -> None:
    voices, owners = made(size, people)
    assert same(group(voices, likeness=0.4), owners)
    assert same(group(voices, likeness=0.99, count=people), owners), "a known number needs no threshold"
    assert len(set(group(voices, likeness=0.4, count=people - 1).tolist())) == people - 1


def test_nobody_and_one() -> None:
    none = VoiceSet(np.zeros((0, 8), np.float32), np.zeros(0))
    assert group(none, likeness=0.5).tolist() == []
    one, _ = made(1, 1)
    assert group(one, likeness=0.5).tolist() == [0]


def test_voices_that_the_model_told_apart_are_different_people_however_alike() -> None:
    twin = unit(np.array([[1, 0.02], [1, -0.02]] * 3, np.float32))
    voices = VoiceSet(twin, np.full(6, 5_000.0), [(0, 1), (2, 3), (4, 5)])
    labels = group(voices, likeness=0.5)
    assert same(labels, [0, 1] * 3)


def test_a_few_words_are_no_person_of_their_own() -> None:
    voices, owners = made(40, 2, seed=4)
    odd = unit(np.random.default_rng(9).standard_normal((1, 64)).astype(np.float32))
    weights = np.append(voices.weights, 900.0)
    labels = group(VoiceSet(np.concatenate([voices.embeddings, odd]), weights), likeness=0.4)
    assert same(labels[:-1], owners)
    assert labels[-1] in labels[:-1]


def test_voices_too_short_to_judge_follow_the_window_before() -> None:
    def voice(start: int, end: int, direction: list[float] | None) -> LocalVoice:
        embedding = None if direction is None else np.array(direction, "<f4").tobytes()
        return LocalVoice(((start, end),), end - start, embedding)

    windows = [
        VoiceWindow(0, 10_000, (voice(0, 4_000, [1, 0]), voice(5_000, 9_000, [0, 1]), voice(9_700, 10_000, [1, 0]))),
        VoiceWindow(5_000, 15_000, (voice(5_000, 9_000, [0, 1]), voice(9_700, 9_990, None))),
    ]
    people = people_of(windows, likeness=0.5)
    assert people[1] == [people[0][1], people[0][0]]


def spans(speaker: list[int], second: list[int] | None = None) -> list[tuple[int, int, str]]:
    other = np.array(second or [NOBODY] * len(speaker), np.int16)
    turns = turns_of(Timeline(np.array(speaker, np.int16), other, other == NOBODY))
    return [(turn.start_ms, turn.end_ms, turn.speaker) for turn in turns.each]


def test_turns_bridge_breaths_and_drop_clicks() -> None:
    frames = [-1] * 5 + [7] * 50 + [-1] * 10 + [7] * 20 + [2] * 3 + [7] * 20 + [-1] * 40 + [2] * 30
    assert spans(frames) == [(100, 2_160, "S1"), (2_960, 3_560, "S2")]
    assert spans([-1] * 9) == []


def test_turns_overlap_where_two_speak_at_once() -> None:
    frames = [4] * 100 + [1] * 50
    over_the_end = [-1] * 80 + [1] * 20 + [-1] * 50
    assert spans(frames, over_the_end) == [(0, 2_000, "S1"), (1_600, 3_000, "S2")]
    aside_and_a_click = [-1] * 30 + [1] * 20 + [-1] * 30 + [1] * 3 + [-1] * 67
    with_a_breath = [-1] * 30 + [1] * 8 + [-1] * 6 + [1] * 6 + [-1] * 100
    assert spans(frames, with_a_breath) == spans(frames, aside_and_a_click)
    assert spans(frames, aside_and_a_click) == [(0, 2_000, "S1"), (600, 1_000, "S2"), (2_000, 3_000, "S2")]


def test_overlaps_of_a_second_are_found() -> None:
    def turns(*spans: tuple[int, int]) -> list[Turn]:
        return [Turn(start_ms=start, end_ms=end, speaker=f"S{n}") for n, (start, end) in enumerate(spans)]

    assert overlaps_of(turns((0, 5_000), (4_200, 9_000), (9_000, 12_000))) == []
    assert overlaps_of(turns((0, 5_000), (4_000, 9_000), (7_500, 12_000))) == [(4_000, 5_000), (7_500, 9_000)]
    aside_and_a_third = turns((0, 9_000), (1_000, 3_000), (2_000, 4_000), (2_500, 2_800), (6_000, 20_000))
    assert overlaps_of(aside_and_a_third) == [(1_000, 4_000), (6_000, 9_000)]


def test_a_sample_is_of_the_speaker_alone() -> None:
    """A breath of somebody else inside a turn is alone too, and longer than what is left of it."""
    speaker = np.array([0] * 20 + [1] * 120 + [0] * 160, np.int16)
    second = np.array([-1] * 20 + [0] * 100 + [-1] * 20 + [1] * 60 + [-1] * 100, np.int16)
    spoken = Timeline(speaker, second, second == NOBODY)
    turns = turns_of(spoken)
    assert turns.persons == {"S1": 0, "S2": 1}
    samples = {sample.speaker: (sample.start_ms, sample.end_ms) for sample in samples_of(turns, spoken)}
    assert samples == {"S1": (4_000, 6_000), "S2": (2_400, 2_800)}


def test_where_windows_agree_that_two_speak_both_do() -> None:
    windows = [
        VoiceWindow(0, 10_000, (LocalVoice(((0, 6_000),), 5_000), LocalVoice(((5_000, 9_000),), 3_000))),
        VoiceWindow(5_000, 15_000, (LocalVoice(((5_000, 9_000),), 3_000), LocalVoice(((5_000, 6_000),), 0))),
    ]
    spoken = timeline(windows, [[0, 1], [1, 0]], 15_000)
    assert [(each.start_ms, each.end_ms, each.speaker) for each in turns_of(spoken).each] == [
        (0, 6_000, "S1"),
        (5_000, 9_000, "S2"),
    ]
    assert not spoken.is_alone[5_000 // FRAME_MS : 6_000 // FRAME_MS].any()
