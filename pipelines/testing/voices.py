"""Speech made with flite, silence and noise, as WAV in the form that the product stores for transcription.

Also files of spoken clips, stored as ingest stores them.
"""

from __future__ import annotations

import subprocess
import wave
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cluster.storage.objects import Storage
from pipelines.messages.requests import TranscribeRequest
from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.testing.speech import SpokenClip

GAP_S = 3.5
"""Longer than windows may span, so that each clip becomes its own window."""

FOX = "The quick brown fox jumps over the lazy dog."
SUIT = "She had your dark suit in greasy wash water all year."


def spoken(text: str, voice: str, folder: Path) -> bytes:
    """Mono 16-bit samples at 16 kHz."""
    raw = folder / "spoken.wav"
    subprocess.run(["flite", "-voice", voice, "-t", text, "-o", str(raw)], check=True)
    with wave.open(str(raw)) as made:
        rate, samples = made.getframerate(), np.frombuffer(made.readframes(made.getnframes()), "<i2")
    positions = np.arange(0, len(samples), rate / SAMPLE_RATE)
    return bytes(np.interp(positions, np.arange(len(samples)), samples).astype("<i2").tobytes())


def silence(seconds: float) -> bytes:
    return bytes(2 * int(seconds * SAMPLE_RATE))


def noise(seconds: float, level: int = 300) -> bytes:
    dice = np.random.default_rng(1)
    return bytes(dice.integers(-level, level, int(seconds * SAMPLE_RATE)).astype("<i2").tobytes())


def write_wav(path: Path, *parts: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as made:
        made.setparams((1, 2, SAMPLE_RATE, 0, "NONE", ""))
        for part in parts:
            made.writeframes(part)
    return path


def store_spoken(storage: Storage, folder: Path, name: str, clips: Sequence[SpokenClip]) -> TranscribeRequest:
    """The request to transcribe a file of the clips one after another, with silences between."""
    parts = [part for clip in clips for part in (clip.pcm, silence(GAP_S))]
    key = f"files/{name}/audio.wav"
    size = storage.put(write_wav(folder / f"{name}.wav", *parts), key)
    return TranscribeRequest(file_id=name, audio_key=key, duration_ms=size // 32, language="auto")
