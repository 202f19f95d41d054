"""What is said: sentences whose every word the tiny Whisper knows, with their sound."""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

from serve.testing.tiny_models.clips import clip_named, synthesise

CLIPS = ("en1-rms", "en4-slt", "en2-rms")
PAUSE_S = 1.2
"""After each sentence, so that the next one is an utterance of its own."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """`pcm`: mono 16-bit samples at 16 kHz, with the pause."""

    text: str
    pcm: bytes

    @property
    def without_pause(self) -> bytes:
        return self.pcm[: -int(PAUSE_S * 16_000) * 2]


def sentences(folder: Path) -> list[Sentence]:
    folder.mkdir(parents=True, exist_ok=True)
    return [_sentence(name, folder) for name in CLIPS]


def _sentence(name: str, folder: Path) -> Sentence:
    clip = clip_named(name)
    path = synthesise(clip, folder / f"{name}.wav")
    decode = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-af", f"apad=pad_dur={PAUSE_S}"]
    form = ["-ac", "1", "-ar", "16000", "-f", "s16le", "-"]
    return Sentence(clip.text, subprocess.run([*decode, *form], stdout=subprocess.PIPE, check=True).stdout)


def meeting(known: list[Sentence], luck: random.Random) -> list[Sentence]:
    """A few sentences; no two that follow each other are the same, so that one said twice is found."""
    said = [luck.choice(known)]
    while len(said) < luck.randint(3, 6):
        said.append(luck.choice([each for each in known if each is not said[-1]]))
    return said
