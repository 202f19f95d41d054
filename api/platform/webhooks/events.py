"""What webhooks report, and the data of each event. Receivers program against these forms.

A new field may come at any time. A change that breaks receivers raises `VERSION`.
"""

from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from api.platform.webhooks.limits import CAPTIONS_WAIT_S
from cluster.wording.message import Message

VERSION = 1
"""Of all events, in each message as `version`."""


class EventType(StrEnum):
    FILE_CREATED = "file.created"
    FILE_TRANSCRIBED = "file.transcribed"
    FILE_FAILED = "file.failed"
    FILE_DELETED = "file.deleted"
    CAPTIONS_CHANGED = "captions.changed"
    TRANSLATION_READY = "translation.ready"
    AI_TEXT_READY = "ai_text.ready"
    EXPORT_READY = "export.ready"
    LIVE_STARTED = "live.started"
    LIVE_CAPTIONS = "live.captions"
    LIVE_ENDED = "live.ended"
    LOG_ENTRY = "log.entry"


TEST = "webhook.test"
"""The event that people send to try an endpoint. Every endpoint gets it."""

DESCRIPTIONS: dict[EventType, str] = {
    EventType.FILE_CREATED: Message("webhooks.event.file_created", "A file was uploaded."),
    EventType.FILE_TRANSCRIBED: Message(
        "webhooks.event.file_transcribed", "A file was transcribed, or has no sound to transcribe."
    ),
    EventType.FILE_FAILED: Message("webhooks.event.file_failed", "A file could not be prepared or transcribed."),
    EventType.FILE_DELETED: Message(
        "webhooks.event.file_deleted", "Somebody moved a file to the bin, or deleted it for good."
    ),
    EventType.CAPTIONS_CHANGED: Message(
        "webhooks.event.captions_changed",
        "Somebody changed captions. Changes within {count} seconds are one event.",
        count=int(CAPTIONS_WAIT_S),
    ),
    EventType.TRANSLATION_READY: Message("webhooks.event.translation_ready", "A translation was finished."),
    EventType.AI_TEXT_READY: Message("webhooks.event.ai_text_ready", "An AI text was written."),
    EventType.EXPORT_READY: Message("webhooks.event.export_ready", "A video was exported."),
    EventType.LIVE_STARTED: Message("webhooks.event.live_started", "A live recording began."),
    EventType.LIVE_CAPTIONS: Message(
        "webhooks.event.live_captions", "Somebody finished a sentence in a live recording, and it became captions."
    ),
    EventType.LIVE_ENDED: Message("webhooks.event.live_ended", "A live recording ended. Its file follows."),
    EventType.LOG_ENTRY: Message("webhooks.event.log_entry", "Something was recorded in the account log."),
}


class FileFacts(BaseModel):
    """A file when the event happened. `id` is the one in its address. `duration_ms` is null until it is prepared."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    status: str
    language: str
    duration_ms: int | None
    team_id: uuid.UUID | None
    created_at: datetime


class WebhookEvent(BaseModel):
    """The `data` of a message. Events with the same `group` that still wait are sent as the newest one."""

    model_config = ConfigDict(frozen=True)

    type: ClassVar[str]
    wait_s: ClassVar[float] = 0.0

    @property
    def group(self) -> str | None:
        return None

    def after(self, earlier: dict[str, Any]) -> WebhookEvent:
        """This event with what an earlier one of its group says, which is not sent."""
        return self


class FileEvent(WebhookEvent):
    file: FileFacts


class FileCreated(FileEvent):
    type = EventType.FILE_CREATED


class FileTranscribed(FileEvent):
    """`lines` counts the captions. `note` is a sentence about the result, such as that there is no sound."""

    type = EventType.FILE_TRANSCRIBED

    lines: int
    engine: str | None = None
    note: str | None = None


class FileFailed(FileEvent):
    """`reason` is a sentence. `code` says what would help: `quota_exceeded`, `language_unsupported`."""

    type = EventType.FILE_FAILED

    step: Literal["preparation", "transcription"]
    reason: str
    code: str | None = None


class FileDeleted(FileEvent):
    """`permanent` is false while the file can be restored from the bin."""

    type = EventType.FILE_DELETED

    permanent: bool


class CaptionsChanged(FileEvent):
    """`languages` are those of the tracks that changed, translations that follow their source among them."""

    type = EventType.CAPTIONS_CHANGED
    wait_s = CAPTIONS_WAIT_S

    languages: list[str]

    @property
    def group(self) -> str | None:
        return self.file.id

    def after(self, earlier: dict[str, Any]) -> CaptionsChanged:
        return self.model_copy(update={"languages": sorted({*self.languages, *earlier.get("languages", ())})})


class TranslationReady(FileEvent):
    type = EventType.TRANSLATION_READY

    language: str
    source_language: str


class AiTextFacts(BaseModel):
    model_config = ConfigDict(frozen=True)

    id: uuid.UUID
    type: str
    language: str


class AiTextReady(FileEvent):
    type = EventType.AI_TEXT_READY

    text: AiTextFacts


class ExportFacts(BaseModel):
    """`mode` says whether captions are burned in or a track of their own."""

    model_config = ConfigDict(frozen=True)

    id: uuid.UUID
    language: str
    mode: str
    size_bytes: int | None


class ExportReady(FileEvent):
    type = EventType.EXPORT_READY

    export: ExportFacts


class LiveStarted(FileEvent):
    type = EventType.LIVE_STARTED


class LiveCaptions(FileEvent):
    """What was said between two pauses. `index` counts these from 0; they may arrive out of order."""

    type = EventType.LIVE_CAPTIONS

    index: int
    start_ms: int
    end_ms: int
    text: str


class LiveFinished(FileEvent):
    """`reason` is a sentence where nobody ended it, else null."""

    type = EventType.LIVE_ENDED

    recorded_ms: int
    reason: str | None


class EntryFacts(BaseModel):
    """An entry of the account log. `by` is the address of whoever acted, null for the product itself."""

    model_config = ConfigDict(frozen=True)

    id: uuid.UUID
    at: datetime
    action: str
    sentence: str
    by: str | None
    team_id: uuid.UUID | None


class LogEntry(WebhookEvent):
    type = EventType.LOG_ENTRY

    entry: EntryFacts

    @property
    def group(self) -> str | None:
        # The outbox may deliver an entry twice.
        return str(self.entry.id)


class TestEvent(WebhookEvent):
    type = TEST

    message: str = "This is a test of your webhook."
