from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from api.platform.http.limits import LANGUAGE_CODE_MAX, SNAPSHOT_NAME_MAX
from api.platform.http.text import CLEAN_LINE
from pipelines.captions.limits import LINES_MAX

SnapshotName = Annotated[str, StringConstraints(min_length=1, max_length=SNAPSHOT_NAME_MAX), CLEAN_LINE]


class CaptionVersionChange(BaseModel):
    """What a change did: how many lines it touched, and the text of the first `line` before and after it.

    `start_ms` is where that line was. `before` is None for a line that was added, `after` for one that was removed.
    """

    lines: int
    line: str
    start_ms: int
    before: str | None
    after: str | None


class CaptionVersionOut(BaseModel):
    """The captions after a revision. `action` made it, and is None where only a snapshot is left of that time.

    `by` is who made it, None when nobody is known; `is_guest`: somebody without an account, who called themselves that.
    `name` is that of a snapshot; `is_automatic` says that it was taken
    before a change of many lines. `is_readable`: its lines can still be shown and restored.
    `step_of` is the change that an undo took back or a redo restored. `change` is None where no line changed, or
    many did.
    """

    number: int
    at: datetime
    by: str | None
    is_you: bool
    action: str | None
    label: str | None
    is_undone: bool
    follows_source: bool
    name: str | None
    is_automatic: bool
    is_readable: bool
    is_guest: bool = False
    step_of: int | None = None
    change: CaptionVersionChange | None = None


class CaptionVersionsOut(BaseModel):
    """The versions of a track, newest first. `revision` is the present one."""

    language: str
    revision: int
    versions: list[CaptionVersionOut]


class CaptionVersionLine(BaseModel):
    id: str
    start_ms: int
    end_ms: int
    text: str
    speaker: str | None


class CaptionVersionLinesOut(BaseModel):
    """All lines of a version in time order."""

    number: int
    lines: list[CaptionVersionLine]


class NewSnapshot(BaseModel):
    """Keep the present captions under a name."""

    name: SnapshotName
    language: str | None = Field(None, max_length=LANGUAGE_CODE_MAX)


class Restoration(BaseModel):
    """Restore a version, or only `lines` of it. `issued` is the newest revision the editor has seen."""

    issued: int = Field(ge=0)
    lines: list[uuid.UUID] | None = Field(None, min_length=1, max_length=LINES_MAX)
    language: str | None = Field(None, max_length=LANGUAGE_CODE_MAX)
