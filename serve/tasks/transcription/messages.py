"""The values that the transcription deployment exchanges with its callers, and the form of all sound.

All times are integer milliseconds. Values are frozen, hashable where their fields are, and picklable.
"""

from __future__ import annotations

from dataclasses import dataclass, field

TRANSCRIPTION = "transcription"
"""The name of the task."""

OFFLINE_ENGINE = "pocketsphinx"
"""The engine that always works."""

REMOTE_ENGINE = "remote"
"""The engine of a speech endpoint that a setting names."""

SAMPLE_RATE = 16_000
"""Samples per second of every piece of audio a model sees (Whisper's and PocketSphinx's own rate)."""

MAX_WINDOW_MS = 30_000
"""Longest window: the 30 s context Whisper was trained on."""


@dataclass(frozen=True, slots=True)
class Word:
    """One spoken word. `text` has no surrounding space; `confidence` is a probability, 0 to 1."""

    start_ms: int
    end_ms: int
    text: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of words that the model returned together, with times in the whole file.

    `doubts` names each check of the hallucination guard that the chosen result still fails.
    """

    start_ms: int
    end_ms: int
    text: str
    words: tuple[Word, ...]
    language: str
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DecodeOptions:
    """How to decode a window. `language` is a Whisper code ("en", "is"), or None to detect it.

    `terms` are names and terms that may be spoken, the most important first. Engines that take no vocabulary ignore
    them. A `temperature` above 0 draws among likely texts, in engines that take one. `engine` names one of
    `EngineInfo.others`; empty: the one that the installation chose.
    """

    language: str | None = None
    beam_size: int = 1
    word_times: bool = True
    terms: tuple[str, ...] = ()
    temperature: float = 0.0
    engine: str = ""


@dataclass(frozen=True, slots=True)
class AudioWindow:
    """At most `MAX_WINDOW_MS` of speech of one file: the unit of model work.

    `pcm` is mono signed 16-bit little-endian at `SAMPLE_RATE`. `start_ms` is where the window begins in the file.
    `stream` names the file for fairness between files; `index` counts the file's windows from 0.
    `cut_in_speech` says that the window begins or ends where somebody speaks, not in a pause.
    """

    stream: str
    index: int
    start_ms: int
    pcm: bytes
    options: DecodeOptions = field(default_factory=DecodeOptions)
    cut_in_speech: bool = False

    @property
    def duration_ms(self) -> int:
        return len(self.pcm) // 2 * 1000 // SAMPLE_RATE


@dataclass(frozen=True, slots=True)
class WindowResult:
    """What the model recognised in one window; `segments` is empty for a window without speech.

    `language` is the requested one, else the detected one, else empty for a silent window.
    """

    index: int
    segments: tuple[Segment, ...]
    language: str
    language_probability: float


@dataclass(frozen=True, slots=True)
class LanguageGuess:
    """Languages of a window by falling probability, as Whisper codes."""

    candidates: tuple[tuple[str, float], ...]
