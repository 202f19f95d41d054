"""Sound for benchmarks and tests, always the same: joined spoken clips, and sounds without speech."""

from __future__ import annotations

import wave
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.testing.tiny_models.clips import load_clips, synthesise_all

Samples = NDArray[np.int16]

PAUSES_S = (0.35, 0.6, 0.45, 0.9)
"""Between the sentences of a long file, in turn."""
LOUDNESS = 4_000
"""Standard deviation of noise in 16-bit steps: as loud as the speech."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence of the phrase book."""

    id: str
    language: str
    text: str
    samples: Samples


def spoken_clips(folder: Path) -> list[Spoken]:
    """All clips of the phrase book; missing ones are spoken into `folder`."""
    paths = synthesise_all(folder)
    return [Spoken(clip.id, clip.lang, clip.text, read(paths[clip.id])) for clip in load_clips()]


def read(path: Path) -> Samples:
    with wave.open(str(path)) as reader:
        return np.frombuffer(reader.readframes(reader.getnframes()), dtype="<i2")


def write(path: Path, samples: Samples) -> None:
    """Write a WAV file as the product stores it: 16 kHz, mono, 16-bit."""
    with wave.open(str(path), "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(SAMPLE_RATE)
        writer.writeframes(samples.tobytes())


def long_file(clips: list[Spoken], seconds: float) -> Samples:
    """Sentences in sequence, with pauses between them."""
    parts: list[Samples] = []
    length = 0
    for clip, pause in zip(cycle(clips), cycle(PAUSES_S), strict=False):
        parts += [clip.samples, np.zeros(int(pause * SAMPLE_RATE), np.int16)]
        length += len(parts[-1]) + len(parts[-2])
        if length >= seconds * SAMPLE_RATE:
            return np.concatenate(parts)
    raise ValueError("There are no clips.")


def short_clips(clips: list[Spoken], count: int, *, seconds: tuple[float, float] = (3.0, 8.0)) -> list[Samples]:
    """Clips with lengths spread evenly over the range: sentences, cut or followed by another."""
    lengths = np.linspace(*seconds, count)
    order = np.random.default_rng(5).permutation(count)
    stream = long_file(clips, float(lengths.sum()) + 60.0)
    cut: list[Samples] = []
    offset = 0
    for each in lengths[order]:
        size = int(each * SAMPLE_RATE)
        cut.append(stream[offset : offset + size])
        offset += size
    return cut


def not_speech(seconds: float) -> Iterator[tuple[str, Samples]]:
    """Sounds without speech, by name: noises, music, silence."""
    length = int(seconds * SAMPLE_RATE)
    generator = np.random.default_rng(11)
    white = generator.standard_normal(length)
    yield "white noise", _loud(white)
    spectrum = np.fft.rfft(white)
    yield "pink noise", _loud(np.fft.irfft(spectrum / np.sqrt(np.arange(1, len(spectrum) + 1)), length))
    syllables = 1 + np.sin(2 * np.pi * 4 * np.arange(length) / SAMPLE_RATE)
    yield "babble", _loud(np.fft.irfft(spectrum / np.sqrt(np.arange(1, len(spectrum) + 1)), length) * syllables)
    yield "hum", _loud(np.sin(2 * np.pi * 50 * np.arange(length) / SAMPLE_RATE))
    yield "chords", _loud(_chords(length))
    yield "drums", _loud(_drums(generator.standard_normal(length)))
    yield "silence", np.zeros(length, np.int16)


def _chords(length: int) -> NDArray[np.float64]:
    """Three chords in turn, each with four overtones, played twice a second."""
    time = np.arange(length) / SAMPLE_RATE
    sound = np.zeros(length)
    for root in (220.0, 293.7, 329.6):
        chosen = (time // 1.5).astype(int) % 3 == (220.0, 293.7, 329.6).index(root)
        for step in (1.0, 1.26, 1.5):
            for overtone in range(1, 5):
                sound += chosen * np.sin(2 * np.pi * root * step * overtone * time) / overtone
    return sound * np.exp(-4 * (time % 0.5))


def _drums(noise: NDArray[np.float64]) -> NDArray[np.float64]:
    time = np.arange(len(noise)) / SAMPLE_RATE
    beat = time % 0.5
    return np.sin(2 * np.pi * 60 * beat) * np.exp(-12 * beat) + 0.5 * noise * np.exp(-40 * (time % 0.25))


def _loud(sound: NDArray[np.float64]) -> Samples:
    samples: Samples = np.clip(sound / sound.std() * LOUDNESS, -32_768, 32_767).astype(np.int16)
    return samples
