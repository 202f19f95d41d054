"""Clips of 3 to 8 seconds: one or a few sentences of the phrase book."""

from __future__ import annotations

import wave
from pathlib import Path

from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.testing.tiny_models.clips import load_clips, synthesise_all

LENGTHS_S = (3, 4, 5, 6, 7, 8)
"""Lengths in turn; a clip ends with the sentence that reaches its length, and is cut at the longest."""


def short_clips(folder: Path) -> list[bytes]:
    """Samples of the clips: mono 16-bit at 16 kHz."""
    paths = synthesise_all(folder)
    made: list[bytes] = []
    parts = b""
    for clip in load_clips():
        with wave.open(str(paths[clip.id])) as said:
            parts += said.readframes(said.getnframes()) + bytes(SAMPLE_RATE // 2)
        if len(parts) >= 2 * SAMPLE_RATE * LENGTHS_S[len(made) % len(LENGTHS_S)]:
            made.append(parts[: 2 * SAMPLE_RATE * LENGTHS_S[-1]])
            parts = b""
    return made
