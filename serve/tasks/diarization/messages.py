"""The values that the diarization deployment exchanges with its callers. Times are integer milliseconds."""

from __future__ import annotations

from dataclasses import dataclass

from serve.tasks.transcription.messages import SAMPLE_RATE

DIARIZATION = "diarization"
"""The name of the task."""

MAX_PIECE_MS = 30_000
"""Longest piece: five windows of 10 s, the length that segmentation models are trained on, each half over the last."""
WINDOW_MS = 10_000
STEP_MS = 5_000
"""A window every 5 s: each moment is judged twice, once near the middle of a window."""


@dataclass(frozen=True, slots=True)
class SoundPiece:
    """At most `MAX_PIECE_MS` of a file: the unit of model work.

    `pcm` is mono signed 16-bit little-endian at `SAMPLE_RATE`. `start_ms` is where the piece begins in the file, a
    multiple of `STEP_MS`. `stream` names the file for fairness between files; `index` counts its pieces from 0.
    """

    stream: str
    index: int
    start_ms: int
    pcm: bytes

    @property
    def duration_ms(self) -> int:
        return len(self.pcm) // 2 * 1000 // SAMPLE_RATE


@dataclass(frozen=True, slots=True)
class LocalVoice:
    """Somebody who speaks in a window; who it is in other windows is unknown.

    `stretches` are the times of speech in the file, in order. `alone_ms` of them nobody else speaks. `embedding` is how
    the voice sounds, a unit vector as 32-bit floats, little-endian; None when there was too little to judge it by.
    """

    stretches: tuple[tuple[int, int], ...]
    alone_ms: int
    embedding: bytes | None = None


@dataclass(frozen=True, slots=True)
class VoiceWindow:
    """The voices of one window of a piece, with times in the file. Windows overlap."""

    start_ms: int
    end_ms: int
    voices: tuple[LocalVoice, ...]


@dataclass(frozen=True, slots=True)
class PieceVoices:
    """The windows of a piece. Embeddings whose cosine is at least `likeness` are usually one person's."""

    index: int
    windows: tuple[VoiceWindow, ...]
    likeness: float


def window_starts(duration_ms: int) -> list[int]:
    """Where the windows of a piece begin, in milliseconds from its start. The last one may reach past its end."""
    return list(range(0, max(1, duration_ms - (WINDOW_MS - STEP_MS)), STEP_MS))
