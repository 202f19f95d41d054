"""The made conversations of the benchmark."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from serve.testing.tiny_speakers.dialogue import Dialogue, talk


@dataclass(frozen=True, slots=True)
class Conversation:
    """Voices that take turns. A negative pause is an overlap."""

    name: str
    voices: tuple[str, ...]
    pause_ms: tuple[int, ...]
    leak: float = 0.2

    def made(self, sentences: int, *, seed: int) -> Dialogue:
        return talk(self.voices, sentences, pause_ms=self.pause_ms, seed=seed)

    def channels(self, dialogue: Dialogue) -> NDArray[np.int16]:
        """A recording with a microphone for each voice; each also hears the other, 14 dB softer."""
        one, other = (dialogue.tracks[voice].astype(np.float64) for voice in self.voices)
        both = np.stack([one + self.leak * other, other + self.leak * one], axis=1)
        noise = np.random.default_rng(1).normal(0, 5, both.shape)
        return np.asarray(np.clip(both + noise, -32_768, 32_767), np.int16)


CONVERSATIONS = (
    Conversation("two voices", ("rms", "slt"), (400, 700, 250)),
    Conversation("two voices, 1 of 3 turns overlaps", ("awb", "slt"), (400, -600, 250)),
    Conversation("three voices", ("rms", "slt", "awb"), (400, 700, 250)),
    Conversation("three voices, 1 of 4 turns overlaps", ("rms", "awb", "slt"), (300, 500, -700, 150)),
)
