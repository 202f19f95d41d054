from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from api.content.captions.notes.text import CLEAN_TEXT
from api.platform.http.limits import CAPTION_NOTE_MAX, LANGUAGE_CODE_MAX

NoteText = Annotated[str, StringConstraints(min_length=1, max_length=CAPTION_NOTE_MAX), CLEAN_TEXT]


class ReplyOut(BaseModel):
    """One note of a thread. `by` is None when its author's account is gone."""

    id: uuid.UUID
    text: str
    by: str | None
    is_you: bool
    at: datetime
    edited_at: datetime | None


class NoteOut(ReplyOut):
    """The first note of a thread, with the answers to it.

    `line` is the line it is about; None once that was deleted. `line_text` and the times are those of the line when
    the note was written.
    """

    line: uuid.UUID | None
    line_text: str
    start_ms: int
    end_ms: int
    resolved_at: datetime | None
    resolved_by: str | None
    replies: list[ReplyOut]


class NewNote(BaseModel):
    """A note on a line, or an answer to the note `reply_to`."""

    text: NoteText
    line: uuid.UUID | None = None
    reply_to: uuid.UUID | None = None
    language: str | None = Field(None, max_length=LANGUAGE_CODE_MAX)


class NoteChange(BaseModel):
    """Another text, by its author, or whether the thread is resolved, by anybody who may change the captions."""

    text: NoteText | None = None
    resolved: bool | None = None
