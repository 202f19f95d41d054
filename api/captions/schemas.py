from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel

from pipelines.captions.json_form import line_to_json
from pipelines.captions.lines import CaptionLine, Origin
from pipelines.captions.timestamps import format_time


class WordOut(BaseModel):
    """One word. `confidence` is None for a word whose time was never measured."""

    start_ms: int
    end_ms: int
    text: str
    confidence: float | None
    origin: Origin


class LineOut(BaseModel):
    """A line under the spec's names and in milliseconds. `revision` is that of the change that last touched it."""

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


class CaptionsOut(BaseModel):
    """All captions of a file. While `is_live`, lines are a draft of what was heard so far and cannot be changed.

    `draft` names the state of a draft. Asked again with it as `since`, the answer holds the lines from number
    `first_line` on (0 is the first), which take the place of all from there on; `subtitle` is then theirs alone.
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
    """What a change did: lines to show instead of those of the same id, ids to take out, and the new revision.

    `language` is that of the captions after it: undoing another transcription brings the former one back.
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
    """`notes` says, in sentences, what was changed in the captions of the file."""

    notes: list[str]


class ImportSaved(BaseModel):
    status: Literal["Success"] = "Success"
    data: ImportedOut


class MatchOut(BaseModel):
    """A line that holds the keyword."""

    line: uuid.UUID
    start_ms: int
    startTime: str
    text: str


class FoundOut(BaseModel):
    """A file whose name or captions hold the keyword."""

    id: uuid.UUID
    slug: str
    name: str
    created_at: datetime
    matches: list[MatchOut]


def line_to_wire(line: CaptionLine, revision: int) -> dict[str, Any]:
    """`LineOut` as plain JSON: a file of 5,000 lines is written without building 60,000 models."""
    return json_to_wire(line_to_json(line), revision)


def json_to_wire(line: dict[str, Any], revision: int) -> dict[str, Any]:
    """`LineOut` of a line in its JSON form."""
    return line | {
        "startTime": format_time(line["start_ms"]),
        "startSeconds": line["start_ms"] / 1000,
        "endTime": format_time(line["end_ms"]),
        "endSeconds": line["end_ms"] / 1000,
        "revision": revision,
    }
