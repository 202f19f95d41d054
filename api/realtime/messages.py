"""The event a page is told of changes with: `polling.files` on the user's private channel."""

from __future__ import annotations

import uuid
from enum import StrEnum

from pydantic import BaseModel

POLLING_EVENT = "polling.files"
POLLING_CHANNEL_PREFIX = "private-polling."


class PollingQueue(StrEnum):
    TUS = "Tus"
    MINUTES = "Minutes"
    UPLOAD = "Upload"
    ENCODING = "Encoding"
    EXPORT = "Export"
    TRANSCRIBE = "Transcribe"


class PollingAction(StrEnum):
    DISPATCHED = "Dispatched"
    STARTED = "Started"
    PROGRESS = "Progress"
    TRANSCRIBING = "Transcribing"
    COMPLETED = "Completed"
    FAILED = "Failed"


class PollingMessage(BaseModel):
    """`slug` is the file's (the upload's for `Tus`), `child` is `lang_xx` for an export, `progress` whole percent."""

    queue: PollingQueue
    action: PollingAction
    slug: str
    child: str | None = None
    progress: int | None = None
    name: str | None = None
    message: str | None = None
    eta_s: int | None = None


def polling_channel(user_id: uuid.UUID) -> str:
    return f"{POLLING_CHANNEL_PREFIX}{user_id}"
