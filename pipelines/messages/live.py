"""What a live transcription gets, and what it hands over while it runs. Times are integer milliseconds."""

from __future__ import annotations

from pipelines.messages.caption_rules import DEFAULT_RULES, CaptionRules
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.requests import VoiceDetection
from pipelines.messages.results import FlowResult, IngestResult, engine_record
from pipelines.messages.spoken_terms import SpokenTerm
from serve.core.messages import EngineInfo
from serve.tasks.transcription.messages import Word

LIVE = "pipelines.flows.live.flow:run"

WORDS, PASSAGE = "words", "passage"
PAUSE_MS = 700
"""A pause that ends an utterance. People pause for 200 to 500 ms inside a sentence."""


def words_key(index: int) -> str:
    """The key of a group of final words. Keys sort as their numbers do."""
    return f"{WORDS}-{index:08}"


def passage_key(index: int) -> str:
    """The key of an utterance that was read for the last time, or of a silence."""
    return f"{PASSAGE}-{index:08}"


class LiveRequest(JsonMessage):
    """Follow a recording while it is made. `journal` is the folder of its sound in storage: see `Journal`.

    With `detection`, utterances are cut as its sender wants.
    """

    file_id: str
    journal: str
    language: str
    caption_rules: CaptionRules = DEFAULT_RULES
    terms: tuple[SpokenTerm, ...] = ()
    detection: VoiceDetection | None = None


class LiveWords(JsonMessage):
    """Words of one utterance that no longer change, in order. `index` counts these groups from 0.

    The utterance begins at `begins_ms`. `replica` is the id of the model process that read the last of them, empty
    where none of its own did.
    """

    index: int
    words: tuple[Word, ...]
    begins_ms: int = 0
    replica: str = ""


class LiveOutlook(JsonMessage):
    """Words after the final ones that may still change, as one text. `final` counts the groups of final words."""

    text: str
    final: int


class LiveResult(FlowResult):
    """The recording as a file. `passages` counts the utterances that became lines on the way."""

    recording: IngestResult
    original_key: str
    size_bytes: int
    engine: EngineInfo
    passages: int

    @property
    def model_engine(self) -> EngineInfo:
        return self.engine

    def record(self) -> dict[str, object]:
        return {
            "duration_ms": self.recording.duration_ms,
            "engine": engine_record(self.engine),
            "passages": self.passages,
        }
