from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel

from pipelines.captions.json_form import line_to_json
from pipelines.captions.lines import CaptionLine, Origin
from pipelines.captions.timestamps import format_time


class WordOut(BaseModel):
    """One word. `confidence` is None when the time of the word was estimated. Without a `speaker`, it is the line's."""

    start_ms: int
    end_ms: int
    text: str
    confidence: float | None
    origin: Origin
    speaker: str | None = None


class LineOut(BaseModel):
    """A line, with its times as text, in seconds and in milliseconds. `revision` is the last one that changed it.

    `speaker` is a canonical label such as `S1`.
    """

    id: str
    startTime: str
    startSeconds: float
    endTime: str
    endSeconds: float
    start_ms: int
    end_ms: int
    text: str
    revision: int
    words: list[WordOut]
    doubts: list[str]
    speaker: str | None


class CaptionsOut(BaseModel):
    """The captions of a track. While `is_live`, the lines are a draft of what is recognized so far, and cannot change.

    `draft` names the state of a draft. A call with it as `since` returns only the lines from index `first_line` on,
    which replace all lines from there on. `subtitle` then holds those lines alone.
    """

    id: uuid.UUID
    file_slug: str
    language: str
    subtitle: str
    revision: int
    is_live: bool
    lines: list[LineOut]
    can_undo: bool
    can_redo: bool
    first_line: int
    draft: str | None


class SavedOut(BaseModel):
    """What a change did: lines that replace those with the same id, ids to remove, and the new revision.

    `language` is that of the captions after the change. Undoing another transcription restores the former language.
    """

    revision: int
    language: str
    changed: list[LineOut]
    removed: list[uuid.UUID]
    can_undo: bool
    can_redo: bool


class Saved(BaseModel):
    status: Literal["Success"] = "Success"
    data: SavedOut


class ImportedOut(SavedOut):
    """`notes` says, in sentences, how the captions differ from the file."""

    notes: list[str]


class ImportSaved(BaseModel):
    status: Literal["Success"] = "Success"
    data: ImportedOut


class MatchOut(BaseModel):
    """A line that contains the keyword."""

    line: uuid.UUID
    start_ms: int
    startTime: str
    text: str


class FoundOut(BaseModel):
    """A file whose name or captions contain the keyword."""

    id: uuid.UUID
    slug: str
    name: str
    created_at: datetime
    matches: list[MatchOut]


def line_to_wire(line: CaptionLine, revision: int) -> dict[str, Any]:
    """`LineOut` as plain JSON, so that a file of 5,000 lines needs no 60,000 models."""
    return json_to_wire(line_to_json(line), revision)


def json_to_wire(line: dict[str, Any], revision: int) -> dict[str, Any]:
    """`LineOut` from the JSON form of a line."""
    return line | {
        "startTime": format_time(line["start_ms"]),
        "startSeconds": line["start_ms"] / 1000,
        "endTime": format_time(line["end_ms"]),
        "endSeconds": line["end_ms"] / 1000,
        "revision": revision,
    }
