from __future__ import annotations

import re
import uuid
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, StringConstraints

from api.platform.http.limits import CAPTION_NOTE_MAX, LANGUAGE_CODE_MAX
from api.platform.http.text import clean_line

_MORE_THAN_TWO = re.compile(r"\n{3,}")


def clean_note(text: str) -> str:
    rows = [clean_line(row) for row in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    return _MORE_THAN_TWO.sub("\n\n", "\n".join(rows)).strip()


def _clean(value: Any) -> Any:
    return clean_note(value) if isinstance(value, str) else value


CLEAN_TEXT = BeforeValidator(_clean)


NoteText = Annotated[str, StringConstraints(min_length=1, max_length=CAPTION_NOTE_MAX), CLEAN_TEXT]


class ReplyOut(BaseModel):
    """One note of a thread. `by` is None when its author's account is gone. `is_guest`: they have none, and `by` is
    what they called themselves.
    """

    id: uuid.UUID
    text: str
    by: str | None
    is_you: bool
    is_guest: bool
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
