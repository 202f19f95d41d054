"""Sound files of any length, made fast: one spoken minute, encoded once and repeated without encoding again."""

from __future__ import annotations

import subprocess
import wave
from itertools import cycle, islice
from pathlib import Path

from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.testing.tiny_models.clips import load_clips, synthesise_all

BLOCK_S = 120
SENTENCES = 10
"""Sentences in a block; the rest is silence, so that hours are done in minutes."""
PAUSE_S = 3.6
"""Longer than a window may span, so each sentence gets its own window, which suits the tiny model."""


def looped(folder: Path, seconds: int) -> Path:
    """An AAC file of this length at 24 kbit/s, made in `folder` if missing."""
    made = folder / f"speech-{seconds}.m4a"
    if made.exists():
        return made
    folder.mkdir(parents=True, exist_ok=True)
    block = folder / "block.m4a"
    if not block.exists():
        spoken = folder / "block.wav"
        _speak(spoken, folder / "clips")
        _ffmpeg("-i", spoken, "-af", f"apad=whole_dur={BLOCK_S}", "-ac", "1", "-b:a", "24k", block)
    _ffmpeg("-stream_loop", str(seconds // BLOCK_S), "-i", block, "-c", "copy", "-t", str(seconds), made)
    return made


def _speak(made: Path, folder: Path) -> None:
    """English sentences of the phrase book in sequence."""
    paths = synthesise_all(folder)
    with wave.open(str(made), "wb") as out:
        out.setparams((1, 2, SAMPLE_RATE, 0, "NONE", ""))
        for clip in islice(cycle([clip for clip in load_clips() if clip.lang == "en"]), SENTENCES):
            with wave.open(str(paths[clip.id])) as spoken:
                out.writeframes(spoken.readframes(spoken.getnframes()))
            out.writeframes(bytes(2 * int(PAUSE_S * SAMPLE_RATE)))


def _ffmpeg(*arguments: str | Path) -> None:
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, arguments)], check=True)
