"""The request of each kind of job, frozen with the job when it is queued, and the flow that serves it."""

from __future__ import annotations

from typing import Any, Literal

from pipelines.captions.rules import DEFAULT_RULES, CaptionRules
from pipelines.captions.style import DEFAULT_STYLE, CaptionStyle
from pipelines.flows.json_message import JsonMessage
from pipelines.languages import AUTO

INGEST = "pipelines.flows.ingest:run"
ENCODE = "pipelines.flows.encode:run"
TRANSCRIBE = "pipelines.flows.transcribe:run"
RETRANSCRIBE = "pipelines.flows.retranscribe:run"
EXPORT = "pipelines.flows.export:run"
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


class TranscribeRequest(JsonMessage):
    """Transcribe the sound that ingest stored; without an `audio_key` the file has none.

    `caption_rules` are frozen with the job: the lines of one file must not follow two sets of rules.
    """

    file_id: str
    audio_key: str | None
    duration_ms: int
    language: str
    beam_size: int = 1
    caption_rules: CaptionRules = DEFAULT_RULES


class RetranscribeRequest(JsonMessage):
    """Transcribe parts of a file again, to compare with its lines. `spans` are pairs of milliseconds in order.

    Without spans it is the whole file. `duration_ms` is the sound in all of them.
    """

    file_id: str
    track_id: str
    audio_key: str
    duration_ms: int
    language: str
    spans: tuple[tuple[int, int], ...] = ()
    beam_size: int = 1


class ExportRequest(JsonMessage):
    """Write a video with its captions, drawn into the picture (`burned`) or as a track (`soft`).

    `lines`: the captions with the times and styles of their words, in the form of `line_to_json`; requests of older
    versions have only `srt`. `style` is how they look, as it was when the export was queued. `accept_boxes`: draw
    characters that no font has as boxes.
    """

    file_id: str
    source_key: str
    srt: str
    lines: list[dict[str, Any]] | None = None
    style: CaptionStyle = DEFAULT_STYLE
    language: str = ""
    mode: Literal["burned", "soft"] = "burned"
    accept_boxes: bool = False
    kind: str = ""
    width: int | None = None
    height: int | None = None
    duration_ms: int = 0
