from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel

from api.platform.http.pages.language import PageText
from api.platform.jobs.states import AttemptEnd, JobState


class PlaybackStatus(StrEnum):
    """`none`: the file was never prepared, so there is nothing to copy."""

    READY = "ready"
    PREPARING = "preparing"
    FAILED = "failed"
    CANCELLED = "cancelled"
    NONE = "none"


class PlaybackOut(BaseModel):
    """Whether browsers can play a file. `progress` of the copy is in percent; `error` says why there is none."""

    status: PlaybackStatus
    progress: int
    error: PageText | None


class AttemptOut(BaseModel):
    """One attempt. `ending` is null while it runs; `note` is the sentence of a failed one."""

    number: int
    started_at: datetime
    ended_at: datetime | None
    ending: AttemptEnd | None
    note: PageText | None


class FileJobOut(BaseModel):
    """A job of a file: its request, frozen when it was queued, and how each attempt ended.

    `title` says in words what the job does.
    """

    kind: str
    title: PageText
    state: JobState
    created_at: datetime
    finished_at: datetime | None
    retry_at: datetime | None
    error: PageText | None
    request: dict[str, str | int | float]
    attempts: list[AttemptOut]
