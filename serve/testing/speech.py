"""Speech and models for the tests of `serve`: sentences spoken by flite and espeak-ng, and the tiny trained Whisper."""

from __future__ import annotations

import subprocess
import wave
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from serve.tasks.transcription.messages import AudioWindow, DecodeOptions
from serve.tasks.transcription.whisper.engine import WhisperEngine
from serve.testing.tiny_models.archives import models_folder
from serve.testing.tiny_models.clips import load_clips, synthesise_all


@dataclass(frozen=True)
class SpokenClip:
    """A sentence of the phrase book and its samples (16-bit, 16 kHz)."""

    id: str
    lang: str
    text: str
    pcm: bytes

    def window(self, *, index: int = 0, start_ms: int = 0, options: DecodeOptions | None = None) -> AudioWindow:
        return AudioWindow(self.id, index, start_ms, self.pcm, options or DecodeOptions())


@pytest.fixture(scope="session")
def models_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A models folder with the tiny Whisper as `whisper`."""
    return models_folder(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="session")
def clips(tmp_path_factory: pytest.TempPathFactory) -> list[SpokenClip]:
    """Every clip of the phrase book, freshly spoken."""
    return speak_clips(tmp_path_factory.mktemp("clips"))


def speak_clips(folder: Path) -> list[SpokenClip]:
    """Speak every clip of the phrase book; the files stay in `folder`."""
    paths = synthesise_all(folder)
    return [SpokenClip(clip.id, clip.lang, clip.text, samples_of(paths[clip.id])) for clip in load_clips()]


@pytest.fixture(scope="session")
def say(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    """Speak a sentence with flite's `rms`, the voice that the offline engine recognises well; return its samples."""
    folder = tmp_path_factory.mktemp("said")

    @cache
    def spoken(text: str) -> bytes:
        subprocess.run(["flite", "-voice", "rms", "-t", text, "-o", folder / "said.wav"], check=True)
        return samples_of(folder / "said.wav")

    return spoken


@pytest.fixture(scope="session")
def whisper(models_root: Path) -> Iterator[WhisperEngine]:
    engine = WhisperEngine(
        models_root / "whisper", name="phrasebook", reason="Test.", device="cpu", compute_type="int8", parallel=2
    )
    yield engine
    engine.close()


def samples_of(path: Path) -> bytes:
    with wave.open(str(path)) as reader:
        assert (reader.getframerate(), reader.getnchannels(), reader.getsampwidth()) == (16_000, 1, 2)
        pcm: bytes = reader.readframes(reader.getnframes())
    return pcm
