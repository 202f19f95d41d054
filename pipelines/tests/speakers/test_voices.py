"""How the speakers of a file sound, and who of the known they are."""

from __future__ import annotations

import base64
from itertools import combinations

import numpy as np

from pipelines.messages.speakers import SpeakersResult
from pipelines.speakers.voices import ENOUGH_MS, KnownVoice, known_voices, sounds_like
from pipelines.testing.diarizer import InProcessDiarizer, SpeakerRuns
from serve.testing.tiny_speakers.dialogue import Dialogue, talk


def heard(runs: SpeakerRuns, client: InProcessDiarizer, spoken: Dialogue, *, keeps: bool = True) -> SpeakersResult:
    return runs.result(runs.request(spoken.samples).model_copy(update={"keeps_voices": keeps}), client)


def test_two_files_sound_alike_by_person_and_only_where_it_is_wanted(
    runs: SpeakerRuns, client: InProcessDiarizer
) -> None:
    first = heard(runs, client, talk(("rms", "slt"), 8, seed=5))
    second = heard(runs, client, talk(("slt", "rms"), 8, seed=6))
    known = [
        KnownVoice({"S1": "Rms", "S2": "Slt"}[each.speaker], base64.b64decode(each.embedding), each.spoken_ms)
        for each in first.voices
    ]
    voices = {each.speaker: (base64.b64decode(each.embedding), each.spoken_ms) for each in second.voices}
    found = known_voices(voices, known)
    assert {label: each.name for label, each in found.items()} == {"S1": "Slt", "S2": "Rms"}
    assert all(0.6 <= each.similarity <= 1.001 for each in found.values())
    spoken_ms = {"S1": 0, "S2": 0}
    for turn in second.turns:
        spoken_ms[turn.speaker] += turn.end_ms - turn.start_ms
    assert all(abs(spoken_ms[each.speaker] - each.spoken_ms) < 0.35 * spoken_ms[each.speaker] for each in second.voices)
    assert heard(runs, client, talk(("rms",), 4, seed=5), keeps=False).voices == ()
    assert "embedding" not in str(first.record())


def vector(*values: float) -> bytes:
    full = np.zeros(8)
    full[: len(values)] = values
    return bytes((full / np.linalg.norm(full)).astype("<f2"))


ANNA, BEN = KnownVoice("Anna", vector(1), 9_000), KnownVoice("Ben", vector(0, 1), 9_000)


def test_a_name_is_given_once_to_the_voice_that_is_most_like_it() -> None:
    voices = {"S1": (vector(0.8, 0, 0.6), 9_000), "S2": (vector(1, 0.1), 9_000), "S3": (vector(0, 1), ENOUGH_MS - 1)}
    assert {label: each.name for label, each in known_voices(voices, [ANNA, BEN]).items()} == {"S2": "Anna"}
    assert known_voices({}, [ANNA]) == known_voices(voices, []) == {}


def test_several_files_of_one_name_count_by_their_speech() -> None:
    elsewhere = KnownVoice("Anna", vector(0, 0, 1), 1_000)
    (alike,) = known_voices({"S1": (vector(1), 9_000)}, [ANNA, elsewhere]).values()
    assert alike.similarity > 0.99
    (shared,) = known_voices(
        {"S1": (vector(1, 0, 1), 9_000)}, [ANNA, KnownVoice("Anna", vector(0, 0, 1), 9_000)]
    ).values()
    assert shared.similarity > 0.99


def test_what_may_be_the_same_voice_is_forgotten_with_it() -> None:
    voices = [vector(1, 0.2), vector(0, 1), vector(0.7, 0.7)]
    assert sounds_like(voices, [(vector(1), 9_000)]) == [True, False, True]
    assert sounds_like([], [(vector(1), 9_000)]) == []
    assert all(
        not alike
        for a, b in combinations(range(3), 2)
        for alike in sounds_like([vector(*np.eye(3)[a])], [(vector(*np.eye(3)[b]), 1)])
    )
