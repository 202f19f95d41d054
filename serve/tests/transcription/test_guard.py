"""The checks of the hallucination guard, each with text that must fail it and speech that must pass."""

from __future__ import annotations

import numpy as np
import pytest

from serve.core.text.loops import has_loop
from serve.tasks.transcription.audio import frame_levels
from serve.tasks.transcription.doubts import Doubt, is_hopeless
from serve.tasks.transcription.guard import Decoding, better, doubts_of_text, doubts_of_words
from serve.tasks.transcription.messages import Word

SPEECH = "The weather is fine today, and the meeting starts at nine o'clock in the small room on the second floor."


def decoding(text: str, *, log_probability: float = -0.2, no_speech: float = 0.01) -> Decoding:
    return Decoding((), text, log_probability, no_speech, 10_000)


def test_speech_raises_no_doubt() -> None:
    assert decoding(SPEECH).doubts() == ()


@pytest.mark.parametrize(
    "text",
    ["you you you you", "Thank you. Thank you. Thank you. Thank you.", "a b c d e f " * 4, "well " + "no, " * 5 + "ok"],
)
def test_a_phrase_four_times_in_a_row_is_a_loop(text: str) -> None:
    assert has_loop(text.split())


@pytest.mark.parametrize("text", ["no no no", "a b a b a b", "one two three four five six seven eight", ""])
def test_what_people_repeat_is_no_loop(text: str) -> None:
    assert not has_loop(text.split())


def test_repetition_without_spaces_is_found_by_compression() -> None:
    assert Doubt.REPETITIVE in doubts_of_text("ご視聴ありがとうございました" * 6, duration_ms=20_000)


def test_more_text_than_anyone_can_say_is_doubted() -> None:
    assert doubts_of_text(SPEECH, duration_ms=1_000) == (Doubt.TOO_DENSE,)
    assert doubts_of_text(SPEECH, duration_ms=8_000) == ()


def test_improbable_text_is_doubted_and_improbable_silence_is_silence() -> None:
    assert decoding(SPEECH, log_probability=-1.5).doubts() == (Doubt.UNLIKELY,)
    silence = decoding("Thank you.", log_probability=-1.5, no_speech=0.9)
    assert silence.is_silence
    assert silence.doubts() == ()


def test_text_the_model_itself_finds_improbable_is_gibberish() -> None:
    assert decoding(SPEECH, log_probability=-3.5).doubts() == (Doubt.UNLIKELY, Doubt.GIBBERISH)
    assert is_hopeless([Doubt.UNLIKELY, Doubt.GIBBERISH])


@pytest.mark.parametrize(
    ("doubts", "hopeless"),
    [
        ([], False),
        ([Doubt.UNLIKELY], False),
        ([Doubt.LOOP, Doubt.REPETITIVE], False),
        ([Doubt.UNLIKELY, Doubt.LOOP], True),
        ([Doubt.OUTSIDE_SPEECH], True),
    ],
)
def test_a_doubt_alone_is_shown_and_a_hopeless_text_is_not(doubts: list[Doubt], hopeless: bool) -> None:
    assert is_hopeless(doubts) is hopeless


def test_the_better_decoding_fails_fewer_checks_then_is_more_probable() -> None:
    loop, unsure, sure = (
        decoding("you " * 20, log_probability=-0.1),
        decoding(SPEECH, log_probability=-0.9),
        decoding(SPEECH),
    )
    assert better(loop, unsure) is unsure
    assert better(unsure, loop) is unsure
    assert better(unsure, sure) is sure
    assert better(sure, sure) is sure


def test_words_in_the_quiet_part_are_outside_speech() -> None:
    tone = np.sin(np.arange(16_000, dtype=np.float32) * 0.3) * np.float32(0.5)
    wave = np.concatenate([tone, np.zeros(16_000, np.float32)])
    spoken = [Word(5_000, 5_400, "one", 0.9), Word(5_400, 5_900, "two", 0.9)]
    invented = [Word(6_200, 6_500, "thank", 0.9), Word(6_500, 6_900, "you", 0.9)]
    assert doubts_of_words(spoken, levels=frame_levels(wave), start_ms=5_000) == ()
    assert doubts_of_words(invented, levels=frame_levels(wave), start_ms=5_000) == (Doubt.OUTSIDE_SPEECH,)
