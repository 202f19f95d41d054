"""What travels to a user's browser: one event, `polling.files`, on one private channel a user."""

from __future__ import annotations

import uuid
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

CHANNEL_PREFIX = "private-polling."
EVENT = "polling.files"


class Topic(StrEnum):
    """The kind of work an event is about. Its name on the wire is `queue`."""

    TUS = "Tus"
    UPLOAD = "Upload"
    TRANSCRIBE = "Transcribe"
    ENCODING = "Encoding"
    EXPORT = "Export"
    MINUTES = "Minutes"


class Action(StrEnum):
    """What happened to it."""

    DISPATCHED = "Dispatched"
    STARTED = "Started"
    PROGRESS = "Progress"
    TRANSCRIBING = "Transcribing"
    COMPLETED = "Completed"
    FAILED = "Failed"
    ABANDONED = "Abandoned"
    """A person cancelled it. The specification lists no such action and would have to call it a failure."""


class PollingMessage(BaseModel):
    """One event. `slug` and `name` are the file's, the upload's for queue `Tus`; `progress` is in percent.

    `child` is an export (`lang_is-IS`) and `language` the label of its language. `message` is the sentence for the
    person. `eta_s` is in seconds.
    """

    model_config = ConfigDict(frozen=True)

    queue: Topic
    action: Action
    slug: str
    name: str
    child: str | None = None
    language: str | None = None
    progress: int = Field(0, ge=0, le=100)
    message: str | None = None
    code: str | None = None
    """What a page decides by where an action alone does not say enough: that of `FileOut.error_code`."""
    eta_s: int | None = None
    stalled: bool | None = None
    """Of `Progress`: the work got no further for a while (True), or does again (False)."""

    def to_wire(self) -> dict[str, Any]:
        """JSON values; the optional fields that are unset are left out."""
        wire = self.model_dump(mode="json")
        return {key: value for key, value in wire.items() if value is not None or key == "child"}


def channel_of(user_id: uuid.UUID) -> str:
    return f"{CHANNEL_PREFIX}{user_id}"
