"""What the flow of kind `speakers` receives and ends with."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from cluster.stored_sentences import SentenceText, sentence_as_json
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.results import FlowResult, engine_record
from serve.core.messages import EngineInfo

SPEAKERS = "pipelines.flows.speakers.flow:run"
BAD_REFERENCE = "bad_reference"
"""The code of a failure that another reference mends."""
REFERENCE_SHORTEST_MS, REFERENCE_LONGEST_MS = 2_000, 10_000
"""As OpenAI's speech API takes them."""


class SpeakerReference(JsonMessage):
    """A few seconds of somebody's voice, stored under `key`."""

    name: str
    key: str


class SpeakersRequest(JsonMessage):
    """Detect who speaks when in the sound that ingest stored.

    `channels_key` is how loud each channel is over time, kept where each speaker has a channel. A number of speakers of
    None is detected. `keeps_voices`: the result says how each speaker sounds. The result
    names who sounds like one of the `references`.
    """

    file_id: str
    audio_key: str
    duration_ms: int
    channels_key: str | None = None
    speakers: int | None = Field(None, ge=1, le=20)
    keeps_voices: bool = False
    references: tuple[SpeakerReference, ...] = ()


class Turn(JsonMessage):
    """Somebody speaks from `start_ms` to `end_ms`. `speaker` is a canonical label, `S1` for who speaks first."""

    start_ms: int
    end_ms: int
    speaker: str


class VoiceSample(JsonMessage):
    """The part of the sound that shows best how a speaker sounds: alone, and at most 8 s long."""

    speaker: str
    start_ms: int
    end_ms: int


class SpeakerVoice(JsonMessage):
    """How a speaker sounds: a unit vector as 16-bit floats, little-endian, in base64. It is biometric data.

    Only voices of one `model` compare. `spoken_ms` is the speech that it was made of.
    """

    speaker: str
    model: str
    embedding: str
    spoken_ms: int


class SpeakersResult(FlowResult):
    """Turns in the order of their starts; where two people speak at once, theirs overlap. `notes` are sentences for the
    person.

    `names`: whose reference a speaker sounds like, by label.
    """

    engine: EngineInfo
    turns: tuple[Turn, ...]
    samples: tuple[VoiceSample, ...] = ()
    notes: tuple[SentenceText, ...] = ()
    voices: tuple[SpeakerVoice, ...] = ()
    names: dict[str, str] = Field(default_factory=dict)

    @property
    def model_engine(self) -> EngineInfo:
        return self.engine

    def record(self) -> dict[str, Any]:
        """Without the voices, which only teams that want it keep."""
        return {
            "engine": engine_record(self.engine),
            "turns": len(self.turns),
            "speakers": len({turn.speaker for turn in self.turns}),
            "notes": [sentence_as_json(note) for note in self.notes],
        }
