"""The scorer against cases worked out by hand."""

from __future__ import annotations

import pytest

from serve.testing.speaker_errors import diarization_errors, jaccard_errors
from serve.testing.tiny_speakers.dialogue import Utterance


def said(speaker: str, start_ms: int, end_ms: int) -> Utterance:
    return Utterance(speaker, start_ms, end_ms, "")


TRUTH = [said("a", 0, 1_000), said("b", 1_000, 2_000)]


def test_names_do_not_matter() -> None:
    assert diarization_errors(TRUTH, [said("S2", 0, 1_000), said("S1", 1_000, 2_000)]).rate == 0


def test_each_kind_of_error() -> None:
    errors = diarization_errors(TRUTH, [said("x", 0, 900), said("y", 1_200, 2_100), said("x", 1_000, 1_200)])
    assert (errors.missed, errors.false_alarm, errors.confused, errors.total) == (100, 100, 200, 2_000)
    assert errors.rate == 0.2


def test_a_collar_forgives_boundaries() -> None:
    late = [said("x", 0, 1_200), said("y", 1_200, 2_000)]
    assert diarization_errors(TRUTH, late).confused == 200
    assert diarization_errors(TRUTH, late, collar_ms=250).rate == 0


def test_speech_of_two_counts_twice_and_silence_finds_nobody() -> None:
    both = [said("a", 0, 1_000), said("b", 0, 1_000)]
    assert diarization_errors(both, [said("x", 0, 1_000)]).rate == 0.5
    assert diarization_errors(TRUTH, []).missed == 2_000
    assert diarization_errors([], []).rate == 0


def test_matching_holds_for_many_speakers_and_milliseconds_count() -> None:
    truth = [said(f"t{each}", each * 1_000, each * 1_000 + 997) for each in range(20)]
    answer = [said(f"a{each}", turn.start_ms, turn.end_ms) for each, turn in enumerate(truth)]
    assert diarization_errors(truth, answer).rate == 0
    assert diarization_errors(truth, answer[:-1]).missed == 997


def test_only_scored_times_count() -> None:
    errors = diarization_errors(TRUTH, [said("x", 0, 1_000)], scored=[(0, 1_000)])
    assert (errors.missed, errors.total) == (0, 1_000)


def test_jaccard_errors_of_each_speaker() -> None:
    assert jaccard_errors(TRUTH, [said("x", 0, 1_000), said("y", 1_000, 2_000)]) == (0, 2)
    # a: 900 of 1,000 ms; b: 800 shared of 1,100 in all.
    total, speakers = jaccard_errors(TRUTH, [said("x", 0, 900), said("y", 1_200, 2_100)])
    assert speakers == 2
    assert total == pytest.approx(0.1 + (1 - 800 / 1_100))
    assert jaccard_errors(TRUTH, []) == (2, 2)
