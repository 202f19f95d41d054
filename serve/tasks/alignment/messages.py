"""The values that the alignment deployment exchanges with its callers. Times are integer milliseconds."""

from __future__ import annotations

from dataclasses import dataclass

from serve.tasks.transcription.messages import AudioWindow

ALIGNMENT = "alignment"
"""The name of the task."""


@dataclass(frozen=True, slots=True)
class TextWindow:
    """Sound and the words that are spoken in it, in order. A word is what stands between two spaces."""

    window: AudioWindow
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AlignedWord:
    """When a word is spoken, on the clock of the file. `score` is the mean probability of its letters, 0 to 1."""

    start_ms: int
    end_ms: int
    score: float


@dataclass(frozen=True, slots=True)
class AlignedText:
    """A word for each of the window's; empty where the text is too long for the sound."""

    index: int
    words: tuple[AlignedWord, ...]
