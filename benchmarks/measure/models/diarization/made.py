"""A folder of conversations with speakers to try the bench with: the voices that the tiny models of the tests know."""

from __future__ import annotations

import wave
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.testing.tiny_speakers.dialogue import Dialogue, talk


@dataclass(frozen=True, slots=True)
class Conversation:
    """Voices that take turns. A negative pause is an overlap."""

    condition: str
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
CHANNELS = "a channel for each of two voices"


def made_folder(folder: Path, *, sentences: int, each: int) -> Path:
    """`en/<condition>` with `each` conversations of that many sentences, and their `.rttm` and `.stm` files."""
    for kind, conversation in enumerate(CONVERSATIONS):
        for number in range(each):
            dialogue = conversation.made(sentences, seed=500 + 10 * number + kind)
            name = f"{kind}-{number}"
            _write(folder / "en" / conversation.condition, name, dialogue, dialogue.samples[:, None])
            if kind == 0:
                _write(folder / "en" / CHANNELS, f"channels-{number}", dialogue, conversation.channels(dialogue))
    return folder


def _write(folder: Path, name: str, dialogue: Dialogue, samples: NDArray[np.int16]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with wave.open(str(folder / f"{name}.wav"), "wb") as out:
        out.setparams((samples.shape[1], 2, SAMPLE_RATE, 0, "NONE", ""))
        out.writeframes(samples.tobytes())
    turns, texts = [], []
    for said in dialogue.utterances:
        start, end = said.start_ms / 1000, said.end_ms / 1000
        turns.append(f"SPEAKER {name} 1 {start:.3f} {end - start:.3f} <NA> <NA> {said.speaker} <NA> <NA>\n")
        texts.append(f"{name} 1 {said.speaker} {start:.3f} {end:.3f} {said.text}\n")
    (folder / f"{name}.rttm").write_text("".join(turns))
    (folder / f"{name}.stm").write_text("".join(texts))
