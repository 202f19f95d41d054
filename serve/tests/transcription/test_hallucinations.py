"""Sounds without speech: a trained model that may be tempted, and one that writes text for anything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from serve.tasks.transcription.doubts import is_hopeless
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.whisper.engine import WhisperEngine
from serve.testing.random_whisper import SMALLEST
from serve.testing.random_whisper import babbler as make_babbler
from serve.testing.sound import not_speech
from serve.testing.speech import SpokenClip

SOUNDS = ("white noise", "pink noise", "babble", "hum", "chords", "drums", "silence")
TEMPTING = frozenset({"chords"})
"""The tiny model recognises a sentence in these with confidence. The engine cannot detect that; the flow uses the
speech detector."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sounds and the babbling model."""
    folder = tmp_path_factory.mktemp("not-speech")
    for name, samples in not_speech(5.0):
        (folder / name).write_bytes(samples.tobytes())
    make_babbler(SMALLEST, folder).rename(folder / "babbler")
    return folder


@pytest.fixture(scope="module")
def babbler(made: Path) -> Iterator[WhisperEngine]:
    engine = WhisperEngine(made / "babbler", name="babbler", reason="Test.", device="cpu", compute_type="int8")
    yield engine
    engine.close()


def recognized(engine: WhisperEngine, pcm: bytes, *, language: str | None = None) -> WindowResult:
    (outcome,) = engine.run([AudioWindow("file", 0, 0, pcm, DecodeOptions(language=language))])
    assert isinstance(outcome, WindowResult)
    return outcome


@pytest.mark.parametrize("sound", sorted(set(SOUNDS) - TEMPTING))
def test_a_trained_model_writes_nothing_for_it(whisper: WhisperEngine, made: Path, sound: str) -> None:
    assert recognized(whisper, (made / sound).read_bytes()).segments == ()


@pytest.mark.long
@pytest.mark.parametrize(
    ("sound", "language"), [*((sound, "en") for sound in SOUNDS), ("pink noise", None), ("silence", None)]
)
def test_nothing_that_a_babbler_writes_is_believed(
    babbler: WhisperEngine, made: Path, sound: str, language: str | None
) -> None:
    segments = recognized(babbler, (made / sound).read_bytes(), language=language).segments
    assert bool(segments) == (sound != "silence")
    assert all(is_hopeless(segment.doubts) for segment in segments)


@pytest.mark.long
def test_a_babbler_is_not_believed_for_speech_either(babbler: WhisperEngine, clips: list[SpokenClip]) -> None:
    segments = recognized(babbler, clips[0].pcm).segments
    assert segments
    assert all(is_hopeless(segment.doubts) for segment in segments)


def test_noise_after_the_words_adds_none(whisper: WhisperEngine, clips: list[SpokenClip], made: Path) -> None:
    clip, noise = clips[0], np.frombuffer((made / "pink noise").read_bytes(), dtype="<i2")
    silence = bytes(16_000)
    text = recognized(whisper, clip.pcm + silence + noise[:32_000].tobytes(), language=clip.lang).segments
    assert " ".join(segment.text for segment in text) == clip.text
