"""Sentences spoken by flite, with the time of every word."""

from __future__ import annotations

import re
import subprocess
import wave
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SAMPLE_RATE = 16_000
VOICES = ("rms", "slt")
PAUSE = "pau"
_SEGMENT = re.compile(r"(\w+):([\d.]+)")


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """A word and when it is spoken, in milliseconds."""

    text: str
    start_ms: int
    end_ms: int


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence: `samples` have shape (samples,), -1 to 1. `words` is None where their times are not known."""

    text: str
    samples: NDArray[np.float32]
    words: tuple[SpokenWord, ...] | None


def speak(words: Sequence[str], folder: Path, *, voice: str = "rms", stretch: float = 1.0) -> Spoken:
    """Speak a sentence. flite prints the end of each phone; those of one word are as many as in the word alone."""
    text, path = " ".join(words), folder / "spoken.wav"
    options = ("-voice", voice, "--setf", f"duration_stretch={stretch}")
    printed = _flite(*options, "-psdur", "-t", text, "-o", str(path))
    with wave.open(str(path)) as file:
        pcm = np.frombuffer(file.readframes(file.getnframes()), "<i2")
    samples = np.asarray(pcm / np.float32(32768), np.float32)
    segments = [(name, float(end)) for name, end in _SEGMENT.findall(printed)]
    return Spoken(text, samples, _words(words, segments, voice))


def _words(words: Sequence[str], segments: Sequence[tuple[str, float]], voice: str) -> tuple[SpokenWord, ...] | None:
    spoken: list[tuple[float, float]] = []
    begun = 0.0
    for name, end in segments:
        if name != PAUSE:
            spoken.append((begun, end))
        begun = end
    counts = [_phones(word, voice) for word in words]
    if sum(counts) != len(spoken):
        return None
    found, place = [], 0
    for word, count in zip(words, counts, strict=True):
        start, end = spoken[place][0], spoken[place + count - 1][1]
        found.append(SpokenWord(word, round(start * 1000), round(end * 1000)))
        place += count
    return tuple(found)


@cache
def _phones(word: str, voice: str) -> int:
    printed = _flite("-voice", voice, "-psdur", "-t", word, "-o", "/dev/null")
    return sum(name != PAUSE for name, _ in _SEGMENT.findall(printed))


def _flite(*arguments: str) -> str:
    return subprocess.run(["flite", *arguments], check=True, capture_output=True, text=True).stdout
