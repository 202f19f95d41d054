from __future__ import annotations

import uuid
from enum import StrEnum

from pydantic import BaseModel, Field

from api.platform.http.pages.language import PageText
from pipelines.captions.edits.rerun import Choice
from pipelines.captions.limits import LINES_MAX


class RerunState(StrEnum):
    NONE = "none"
    WAITING = "waiting"
    RUNNING = "running"
    FAILED = "failed"
    CANCELLED = "cancelled"
    READY = "ready"


class ProposedLine(BaseModel):
    """A line before and after. `base` is its oldest known text, `mine` what it says now, None for a new line.

    `found` is what was recognized now, None where nothing was. `joined` is that with the words that a person wrote,
    None where nobody wrote any. `default` is the safe choice.
    """

    id: str
    start_ms: int
    end_ms: int
    base: str | None
    mine: str | None
    found: str | None
    joined: str | None
    default: Choice


class RerunEngine(BaseModel):
    """An engine that knows the file's language. `note` is what people should know about its results."""

    name: str
    label: PageText
    note: PageText | None


class RerunOut(BaseModel):
    """Transcribing parts again: how far it is, and what it would change. `revision` is that of the captions.

    `usual` is the engine that transcribes the language here, in words, `engines` are the others that can. `engine` is
    the one of the last time, in words; null where it was the usual one.
    """

    state: RerunState
    progress: int
    error: PageText | None
    revision: int
    lines: list[ProposedLine]
    is_whole: bool
    usual: PageText | None
    engines: list[RerunEngine]
    engine: PageText | None


class NewRerun(BaseModel):
    """Transcribe these lines again, or the whole file without `lines`. `engine` is a name of `RerunOut.engines`."""

    lines: list[uuid.UUID] | None = Field(None, min_length=1, max_length=LINES_MAX)
    engine: str | None = Field(None, max_length=200)


class Decision(BaseModel):
    """What to do with each proposed line; one that is not named stays as it is. `issued` is the revision looked at."""

    issued: int = Field(ge=0)
    choices: dict[str, Choice] = Field(max_length=LINES_MAX)
