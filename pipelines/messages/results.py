"""What each flow ends with, and the parts that `transcribe` hands over on the way. Files are named by storage key."""

from __future__ import annotations

import uuid
from dataclasses import asdict, replace
from typing import Any

from pydantic import Field, TypeAdapter

from cluster.stored_sentences import SentenceText
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.lines import CaptionLine, CaptionWord
from serve.core.messages import EngineInfo
from serve.tasks.transcription.messages import Segment

_ENGINE: TypeAdapter[EngineInfo] = TypeAdapter(EngineInfo)


def engine_record(engine: EngineInfo) -> dict[str, Any]:
    """An engine as rows keep it."""
    short = replace(engine, languages=frozenset(), pairs=None, text_types=frozenset(), by_language=(), others=())
    pairs = None if engine.pairs is None else [asdict(pair) for pair in sorted(engine.pairs)]
    return {
        **_ENGINE.dump_python(short, mode="json"),
        "languages": sorted(engine.languages),
        "pairs": pairs,
        "text_types": sorted(engine.text_types),
    }


class FlowResult(JsonMessage):
    @property
    def model_engine(self) -> EngineInfo | None:
        """The engine whose model did the work; None where none did."""
        return None

    def record(self) -> dict[str, Any]:
        """What the job's row keeps of the result. What the domain stores elsewhere is left out."""
        return self.to_json()


class IngestResult(FlowResult):
    kind: str
    duration_ms: int
    plays_in_browser: bool
    width: int | None = None
    height: int | None = None
    fps: float | None = None
    facts: dict[str, Any] = Field(default_factory=dict)
    audio_channels: int = 0
    has_audio: bool = False
    audio_key: str | None = None
    peaks_key: str | None = None
    spectrogram_key: str | None = None
    poster_key: str | None = None
    channels_key: str | None = None
    """How loud each channel is over time, kept where each speaker has a channel."""


class EncodeResult(FlowResult):
    playback_key: str
    mime: str | None = None
    width: int | None = None
    height: int | None = None


class ShotsResult(FlowResult):
    """Where the picture cuts: ascending, in milliseconds from the start of the file."""

    shots_ms: tuple[int, ...]


class ExportResult(FlowResult):
    """`kept_parts`: encoded parts stay in storage for the next export of the same file.

    `notice` is a sentence for the person where the export went another way than usual.
    """

    export_key: str
    size_bytes: int
    kept_parts: bool = False
    notice: SentenceText = ""


class TranscribedWindow(JsonMessage):
    """One finished window of speech, kept so that a later attempt starts after it."""

    index: int
    start_ms: int
    end_ms: int
    language: str | None
    language_probability: float
    segments: tuple[Segment, ...]


class RetranscribeResult(FlowResult):
    """The words that were found now, in order."""

    engine: EngineInfo
    words: tuple[CaptionWord, ...]

    @property
    def model_engine(self) -> EngineInfo:
        return self.engine

    def record(self) -> dict[str, Any]:
        """Without the words, which the proposal keeps."""
        return {"engine": engine_record(self.engine), "words": len(self.words)}


class TranscribeResult(FlowResult):
    """The lines of the whole file in order. `language` is that of the captions, a code of the language lists."""

    language: str
    language_probability: float
    engine: EngineInfo
    lines: tuple[CaptionLine, ...]

    @property
    def model_engine(self) -> EngineInfo:
        return self.engine

    def record(self) -> dict[str, Any]:
        """Without the lines, which the captions keep."""
        return {
            "language": self.language,
            "language_probability": self.language_probability,
            "engine": engine_record(self.engine),
            "lines": len(self.lines),
        }


class SpeechSoundResult(FlowResult):
    """The decoded sound of a call of the speech API."""

    audio_key: str
    duration_ms: int


def parts_folder(file_id: uuid.UUID | str) -> str:
    """The folder of the stored parts of a file, of all its exports."""
    return f"exports/{file_id}/parts"
