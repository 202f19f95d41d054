"""The scorer against cases worked out by hand."""

from __future__ import annotations

from serve.testing.tiny_speakers.dialogue import Utterance
from serve.testing.tiny_speakers.errors import diarization_errors


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
