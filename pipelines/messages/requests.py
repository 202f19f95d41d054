"""The request of each kind of job, frozen with the job when it is queued, and the flow that serves it."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from pipelines.languages import AUTO
from pipelines.messages.caption_rules import DEFAULT_RULES, CaptionRules
from pipelines.messages.caption_style import DEFAULT_STYLE, CaptionStyle
from pipelines.messages.export_form import ExportForm, ExportMode
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.spoken_terms import SpokenTerm

INGEST = "pipelines.flows.ingest:run"
ENCODE = "pipelines.flows.encode:run"
SHOTS = "pipelines.flows.shots:run"
TRANSCRIBE = "pipelines.flows.transcribe.flow:run"
RETRANSCRIBE = "pipelines.flows.transcribe.retranscribe:run"
SPEECH_SOUND = "pipelines.flows.speech_sound:run"
EXPORT = "pipelines.flows.export.flow:run"
"""Names of the flows: the worker imports the one it runs, and nobody else imports any."""


class IngestRequest(JsonMessage):
    """Prepare an uploaded original. `filename` and `language` are for people who read the job."""

    file_id: str
    source_key: str
    filename: str = ""
    language: str = AUTO


class EncodeRequest(JsonMessage):
    """Make the copy that browsers play. `kind` and `duration_ms` are for people who read the job."""

    file_id: str
    source_key: str
    kind: str = ""
    duration_ms: int = 0


class ShotsRequest(JsonMessage):
    """Find where the picture cuts. `duration_ms` is for people who read the job."""

    file_id: str
    source_key: str
    duration_ms: int = 0


class VoiceDetection(JsonMessage):
    """How somebody wants a sound cut at pauses: each stretch of speech is transcribed by itself.

    `threshold` is the probability at which a voice begins; a pause has at least `silence_ms`, and `padding_ms` are
    added around each stretch. Names and defaults are those of OpenAI's `server_vad`.
    """

    threshold: float = Field(0.5, ge=0.05, le=0.95)
    silence_ms: int = Field(200, ge=50, le=10_000)
    padding_ms: int = Field(300, ge=0, le=2_000)


class TranscribeRequest(JsonMessage):
    """Transcribe the sound that ingest stored; without an `audio_key` the file has none.

    `caption_rules` are frozen with the job: the lines of one file must not follow two sets of rules. `terms` are those
    of the owner's glossary.
    """

    file_id: str
    audio_key: str | None
    duration_ms: int
    language: str
    beam_size: int = 1
    caption_rules: CaptionRules = DEFAULT_RULES
    terms: tuple[SpokenTerm, ...] = ()
    temperature: float = 0.0
    voice: VoiceDetection | None = None


class RetranscribeRequest(JsonMessage):
    """Transcribe parts of a file again, to compare with its lines. `spans` are pairs of milliseconds in order.

    Without spans it is the whole file. `duration_ms` is the sound in all of them. `engine` names one of
    `EngineInfo.others`; empty: the one that the installation chose.
    """

    file_id: str
    track_id: str
    audio_key: str
    duration_ms: int
    language: str
    spans: tuple[tuple[int, int], ...] = ()
    beam_size: int = 1
    terms: tuple[SpokenTerm, ...] = ()
    engine: str = ""


class ExportTrack(JsonMessage):
    """The captions in one language, a locale code. `lines` have the form of `line_to_json`."""

    language: str
    lines: list[dict[str, Any]]


class ExportRequest(JsonMessage):
    """Write a file with its captions, drawn into the picture or as tracks, or its sound alone.

    `tracks`: the first is drawn, or shows by default. Requests of earlier versions have one track in `srt`. `style` is
    how drawn captions look, as it was when the export was queued.
    `accept_boxes`: draw characters that no font has as boxes. `facts` are what ingest found in the original, in the
    form of `MediaFacts.as_json`, and `duration_ms` is the length of its decoded sound or of its video. `language`, and
    `kind` to `height`, are for people who read the job.
    """

    file_id: str
    source_key: str
    srt: str = ""
    tracks: tuple[ExportTrack, ...] = ()
    form: ExportForm = ExportForm()
    style: CaptionStyle = DEFAULT_STYLE
    language: str = ""
    mode: ExportMode = ExportMode.BURNED
    accept_boxes: bool = False
    facts: dict[str, Any] | None = None
    kind: str = ""
    width: int | None = None
    height: int | None = None
    duration_ms: int = 0


class SpeechOptions(JsonMessage):
    """How a program wants its sound transcribed. `terms` are those that it sent."""

    terms: tuple[SpokenTerm, ...] = ()
    temperature: float = 0.0
    voice: VoiceDetection | None = None


class SpeechSoundRequest(SpeechOptions):
    """Decode the sound of the object `source_key`, a file in any form that we read.

    The options are for the transcription that follows.
    """

    source_key: str
