from __future__ import annotations

import uuid
from typing import Literal

from pydantic import BaseModel

from pipelines.messages.lines import Origin, WordStyle, Writer
from pipelines.messages.translate import LineFlag


class WordOut(BaseModel):
    """One word. `confidence` is None when the time of the word was estimated. Without a `speaker`, it is the line's.

    `styles` is left out for upright words.
    """

    start_ms: int
    end_ms: int
    text: str
    confidence: float | None
    origin: Origin
    speaker: str | None = None
    styles: list[WordStyle] | None = None


class PlaceOut(BaseModel):
    """Where a line stands: `align` 1 to 9 as on a numeric keypad; `x` and `y`, if set, as a share of the picture."""

    align: int
    x: float | None
    y: float | None


class SourceOut(BaseModel):
    """What a line of a translation translates. `ids` name lines of the source track; none for a line of its own.

    `text` is the source as translated and `now` the source as it is; `stale` when they differ. `flags` say what to
    review. `log_probability` is the model's mean per token, if it gives one.
    """

    ids: list[uuid.UUID]
    text: str
    now: str
    stale: bool
    by: Writer
    flags: list[LineFlag]
    log_probability: float | None


class LineOut(BaseModel):
    """A line, with its times as text, in seconds and in milliseconds. `revision` is the last one that changed it.

    `speaker` is a canonical label such as `S1`. `source` is set in translations only. `place` is null for lines at
    the bottom centre. A `locked` line keeps its times, text and look until somebody unlocks it. A `forced` line is
    for people without subtitles too.
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
    place: PlaceOut | None
    locked: bool
    forced: bool
    source: SourceOut | None


class CaptionsOut(BaseModel):
    """The captions of a track. While `is_live`, the lines are a draft of what is recognized so far, and cannot change.

    `draft` names the state of a draft. A call with it as `since` returns only the lines from index `first_line` on,
    which replace all lines from there on. `subtitle` then holds those lines alone. `source_language` is set in
    translations only: the language of the track that they follow. `may_change` is false for people who may only look:
    they write no notes either.
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
    source_language: str | None
    may_change: bool


class SavedOut(BaseModel):
    """What a change did: lines that replace those with the same id, ids to remove, and the new revision.

    `language` is that of the captions after the change. Undoing another transcription restores the former language.
    `followed` has the languages of the translations that this change reached: their lines or stale marks may be new.
    """

    revision: int
    language: str
    changed: list[LineOut]
    removed: list[uuid.UUID]
    can_undo: bool
    can_redo: bool
    followed: list[str]


class NewerOut(BaseModel):
    """What changed since a revision: lines that replace those with the same id or are new, and ids to remove.

    `is_whole`: too much changed to say so, and the page fetches all captions. `may_change` as in `CaptionsOut`.
    """

    is_whole: bool
    revision: int
    language: str
    changed: list[LineOut]
    removed: list[uuid.UUID]
    can_undo: bool
    can_redo: bool
    may_change: bool


class SaveAnswer(BaseModel):
    status: Literal["Success"] = "Success"
    data: SavedOut


class ImportedOut(SavedOut):
    """`notes` says, in sentences, how the captions differ from the file."""

    notes: list[str]


class ImportSaved(BaseModel):
    status: Literal["Success"] = "Success"
    data: ImportedOut
