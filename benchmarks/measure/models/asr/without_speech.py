"""Windows of silence, noise and music, in which a good system finds no words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure.datasets.folder import AudioItem
from benchmarks.measure.datasets.sound import Sound, write_sound
from serve.testing.sound import not_speech

SECONDS = 20
CONDITION = "no speech"


def windows_without_speech(sounds: Sequence[Sound], work: Path) -> list[Sound]:
    """One window of each kind of sound, in each of the data's languages: models invent what they know."""
    languages = sorted(Counter(sound.item.language for sound in sounds))
    folder = work / "without-speech"
    folder.mkdir(parents=True, exist_ok=True)
    windows = []
    for name, samples in not_speech(SECONDS):
        wav = write_sound(folder / f"{name.replace(' ', '-')}.wav", samples.tobytes())
        for language in languages:
            suffix = f" ({language})" if len(languages) > 1 and language else ""
            item = AudioItem(f"{CONDITION}: {name}{suffix}", wav, text="", language=language, condition=CONDITION)
            windows.append(Sound(item, wav, SECONDS * 1000))
    return windows
