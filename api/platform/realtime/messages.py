"""The events that we send to browsers, on a private channel per user: `polling.files`, and who has captions open."""

from __future__ import annotations

import uuid
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from api.platform.http.pages.language import PageText
from cluster.wording.message import Message

CHANNEL_PREFIX = "private-polling."
EVENT = "polling.files"
QUOTA_EXCEEDED = "quota_exceeded"
"""The code of work, and of a file, for which there are not enough minutes."""


class Topic(StrEnum):
    """The kind of work an event is about. Its name on the wire is `queue`."""

    TUS = "Tus"
    UPLOAD = "Upload"
    TRANSCRIBE = "Transcribe"
    ENCODING = "Encoding"
    EXPORT = "Export"
    MINUTES = "Minutes"
    """Every kind of AI text."""
    TRANSLATE = "Translate"
    SPEAKERS = "Speakers"
    CAPTIONS = "Captions"
    """Somebody changed the lines of a track. `revision` is its newest."""
    NOTE = "Note"
    """Notes on the lines of a track."""
    LIVE = "Live"
    """A recording that is transcribed while it is made. `text` may still change; `revision` counts the groups of final
    words before it."""
    RERUN = "Rerun"
    """Transcribing parts of a file again."""
    FILE = "File"
    """What people do with a file as a whole: its tags, the bin."""
    TAG = "Tag"
    """A tag itself. `slug` and `name` are the tag's."""
    TEAM = "Team"
    """Who is in a team, and what it is called. `slug` is its id."""


class Action(StrEnum):
    """What happened to it."""

    DISPATCHED = "Dispatched"
    STARTED = "Started"
    PROGRESS = "Progress"
    TRANSCRIBING = "Transcribing"
    COMPLETED = "Completed"
    FAILED = "Failed"
    ABANDONED = "Abandoned"
    """A person cancelled it, which is not a failure."""
    OMITTED = "Omitted"
    """It was asked for, and nothing here could do it."""
    DELETED = "Deleted"
    """It is in the bin, or gone for good."""
    RESTORED = "Restored"
    ADDED = "Added"
    """A person added something that others may want to know of."""
    CHANGED = "Changed"
    """A person's change reached it, without any work in the background."""


class PollingMessage(BaseModel):
    """One event. `slug` and `name` are the file's, or the upload's for queue `Tus`. `progress` is in percent.

    `child` names an export (`lang_is-IS`) and `language` is the label of its language. `message` is the sentence for
    the person. `eta_s` is in seconds.
    """

    model_config = ConfigDict(frozen=True)

    queue: Topic
    action: Action
    slug: str
    name: str
    child: str | None = None
    language: str | None = None
    progress: int = Field(0, ge=0, le=100)
    message: PageText | None = None
    code: str | None = None
    """For pages to branch on where the action says too little. The same as `FileOut.error_code`."""
    revision: int | None = None
    """Used with `Captions`: the newest revision of the track whose language is in `child`. See also `Live`."""
    text: str | None = None
    """Used with `Live`."""
    eta_s: int | None = None
    stalled: bool | None = None
    """Used with `Progress`: the work has made no progress for a while (True), or moves again (False)."""

    def to_wire(self) -> dict[str, Any]:
        """JSON values, without unset optional fields. The sentence is in the language of the page that calls."""
        wire = self.model_dump(mode="json")
        return {key: value for key, value in wire.items() if value is not None or key == "child"}

    def to_outbox(self) -> dict[str, Any]:
        """The same, but the sentence is its code with values: each reader gets it in a language of their own."""
        coded = {"message": self.message.as_json()} if isinstance(self.message, Message) else {}
        return {**self.to_wire(), **coded}


PRESENCE_EVENT = "captions.presence"


class PresenceMessage(BaseModel):
    """Somebody has captions open in the browser page `page`, and is on `line`; `is_gone` when they have left.

    `asks`: the page has just opened, and those who are there answer with their own presence. May be lost: a page that
    is not heard of for a while is gone.
    """

    model_config = ConfigDict(frozen=True)

    slug: str
    language: str
    page: uuid.UUID
    user: uuid.UUID
    name: str
    line: uuid.UUID | None = None
    is_typing: bool = False
    is_gone: bool = False
    asks: bool = False


def channel_of(user_id: uuid.UUID) -> str:
    return f"{CHANNEL_PREFIX}{user_id}"


def user_of(channel: str) -> uuid.UUID:
    """Whose channel it is."""
    return uuid.UUID(channel.removeprefix(CHANNEL_PREFIX))
