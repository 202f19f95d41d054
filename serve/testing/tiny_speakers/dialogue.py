"""Made conversations: flite's voices speak in turns, with pauses and, where wanted, over each other."""

from __future__ import annotations

import subprocess
import tempfile
import wave
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from serve.tasks.transcription.messages import SAMPLE_RATE

VOICES = ("rms", "slt", "awb")
"""The voices that the tiny models can tell apart, all of flite and at 16 kHz."""

SENTENCES = (
    "Welcome to the show, it is good to have you here today.",
    "Thank you, I have been looking forward to this conversation all week.",
    "How long did it take you to write the whole book?",
    "About two years, and most of that time I was only reading.",
    "Nobody expected the river to rise so quickly after the storm.",
    "We moved the boats to the old harbour before it got dark.",
    "Please open the window, the air in this room is warm.",
    "The second train leaves at seven and arrives before noon.",
    "She paints small pictures of birds and sells them in the market.",
    "I would rather walk along the beach than drive through the city.",
    "Every morning the baker puts fresh bread into the front window.",
    "They finally repaired the bridge that was broken last winter.",
)

Samples = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Utterance:
    """Somebody speaks from `start_ms` to `end_ms`, measured at the first and last audible sample."""

    speaker: str
    start_ms: int
    end_ms: int
    text: str


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A conversation, the samples of each voice alone, and who really speaks when."""

    samples: Samples
    tracks: dict[str, Samples]
    utterances: tuple[Utterance, ...]

    @property
    def duration_ms(self) -> int:
        return len(self.samples) * 1000 // SAMPLE_RATE


@lru_cache(maxsize=256)
def say(voice: str, text: str) -> Samples:
    """The sentence, without silence before and after it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "said.wav")
        subprocess.run(["flite", "-voice", voice, "-t", text, "-o", str(path)], check=True)
        with wave.open(str(path)) as reader:
            if reader.getframerate() != SAMPLE_RATE:
                raise ValueError(f"flite's voice {voice} does not speak at {SAMPLE_RATE} Hz.")
            samples = np.frombuffer(reader.readframes(reader.getnframes()), "<i2")
    loud = np.flatnonzero(np.abs(samples.astype(np.int32)) > 250)
    return samples[loud[0] : loud[-1] + 1]


def converse(turns: Sequence[tuple[str, str]], *, pause_ms: Sequence[int] = (400,), seed: int = 1) -> Dialogue:
    """The turns of (voice, sentence) in sequence. Pauses are taken in turn; a negative one is an overlap."""
    position = SAMPLE_RATE // 2
    placed: list[tuple[str, str, int, Samples]] = []
    for index, (voice, text) in enumerate(turns):
        spoken = say(voice, text)
        placed.append((voice, text, position, spoken))
        position = max(0, position + len(spoken) + pause_ms[index % len(pause_ms)] * SAMPLE_RATE // 1000)
    length = max(start + len(spoken) for _, _, start, spoken in placed) + SAMPLE_RATE // 2
    tracks = {voice: np.zeros(length, np.float32) for voice in dict.fromkeys(voice for voice, _ in turns)}
    for voice, _, start, spoken in placed:
        tracks[voice][start : start + len(spoken)] += spoken
    # A room is never silent: models see noise of a few steps.
    noise = np.random.default_rng(seed).normal(0, 4, length)
    return Dialogue(
        _clipped(sum(tracks.values()) + noise),
        {voice: _clipped(track) for voice, track in tracks.items()},
        tuple(
            Utterance(voice, start * 1000 // SAMPLE_RATE, (start + len(spoken)) * 1000 // SAMPLE_RATE, text)
            for voice, text, start, spoken in placed
        ),
    )


def talk(
    voices: Sequence[str], sentences: int, *, pause_ms: Sequence[int] = (400, 700, 250), seed: int = 1
) -> Dialogue:
    """A conversation of that many sentences, in which nobody speaks more than twice in sequence."""
    dice = np.random.default_rng(seed)
    turns: list[tuple[str, str]] = []
    for index in range(sentences):
        free = [voice for voice in voices if len(turns) < 2 or {turns[-1][0], turns[-2][0]} != {voice}]
        free = free or list(voices)
        voice = voices[index] if index < len(voices) else free[int(dice.integers(len(free)))]
        turns.append((voice, SENTENCES[int(dice.integers(len(SENTENCES)))]))
    return converse(turns, pause_ms=pause_ms, seed=seed)


def _clipped(sound: NDArray[np.floating]) -> Samples:
    return np.asarray(np.clip(np.rint(sound), -32_768, 32_767), np.int16)
