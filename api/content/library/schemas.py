from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from api.content.ai_texts.schemas import AiTextBrief
from api.content.exports.schemas import ExportOut
from api.content.files.models import FileKind, FileStatus
from api.content.files.schemas import PlaybackOut
from api.content.tags.schemas import TagOut
from api.content.translations.schemas import FileTranslationOut
from api.platform.http.limits import FILE_TITLE_MAX, LANGUAGE_CODE_MAX, TAG_NAME_MAX
from api.platform.http.pages.language import PageText
from api.platform.http.text import CLEAN_LINE

IMPROVED_AT_ONCE = 100
"""Most files offered for another transcription, and restarted by one call."""
TAGS_AT_ONCE = 100


PROGRAMME_START_MAX = 11


class FileOut(BaseModel):
    """A file as the page sees it.

    `timecode` is the time address of the first frame, `programme_start` where somebody set that.
    `eta_s`: seconds until its step should be done, null when unknown. `queue_place` is 1 for the next job to start.
    `retry_at`: when a failed step is retried. `stalled_s`: seconds without progress, null while there is progress.
    `error_code` is set where `error` asks for a choice: `language_unsupported` for another language. `engine` is in
    words. `lacks_speakers`: their detection was asked for, and no engine here could do it. `may_change`: whether the
    viewer may rename, delete, tag, transcribe and export it, and change its captions and texts; `may_move`: whether
    they may give it to another team. `kept_since`: from when the days count for which its team keeps files.
    """

    id: uuid.UUID
    slug: str
    team_id: uuid.UUID | None
    name: str
    filename: str
    kind: FileKind
    status: FileStatus
    progress: int
    phase: str
    eta_s: int | None
    queue_place: int | None
    attempt: int
    retry_at: datetime | None
    stalled_s: int | None
    language: str
    duration_ms: int | None
    width: int | None
    height: int | None
    fps: float | None
    timecode: str | None
    programme_start: str | None
    size_bytes: int | None
    created_at: datetime
    kept_since: datetime
    may_change: bool
    may_move: bool
    error: PageText | None
    error_code: str | None
    engine: PageText | None
    engine_note: PageText | None
    lacks_speakers: bool
    upload_id: uuid.UUID | None
    poster_url: str | None
    peaks_url: str | None
    spectrogram_url: str | None
    media_url: str | None
    playback_ready: bool
    playback: PlaybackOut
    transcription_id: uuid.UUID | None
    exports: list[ExportOut]
    ai_texts: list[AiTextBrief]
    translations: list[FileTranslationOut]
    tags: list[TagOut]


class FileChange(BaseModel):
    """What is left out stays. A field that nobody can change is refused, rather than ignored."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, StringConstraints(min_length=1, max_length=FILE_TITLE_MAX), CLEAN_LINE] | None = None
    language: str | None = Field(None, min_length=2, max_length=LANGUAGE_CODE_MAX)
    programme_start: str | None = Field(None, max_length=PROGRAMME_START_MAX)
    """The time address of the first frame, `hh:mm:ss:ff`; empty for the file's own."""


class TranscribeAgain(BaseModel):
    """`language` is a code of the language lists or `auto`; the file's own when unset."""

    language: Annotated[str | None, CLEAN_LINE] = Field(None, min_length=2, max_length=LANGUAGE_CODE_MAX)


class ImprovableFile(BaseModel):
    """A file that the loaded model would transcribe better. `is_edited`: a person has changed its captions."""

    id: uuid.UUID
    slug: str
    name: str
    is_edited: bool


class Improvement(BaseModel):
    """`label` names the better model in words; null while only the built-in engine is loaded."""

    label: PageText | None
    files: list[ImprovableFile]


class ImprovementCount(BaseModel):
    """The number of files queued for another transcription."""

    queued: int


class ImproveFiles(BaseModel):
    ids: list[uuid.UUID] = Field(min_length=1, max_length=IMPROVED_AT_ONCE)


class FileIds(BaseModel):
    ids: list[uuid.UUID] = Field(min_length=1, max_length=500)


TagName = Annotated[str, StringConstraints(min_length=1, max_length=TAG_NAME_MAX), CLEAN_LINE]


class FileTags(BaseModel):
    """All tags of a file, each by its slug or name."""

    tags: list[TagName] = Field(max_length=TAGS_AT_ONCE)


class TagFiles(FileIds):
    """Slugs of tags to add to the files, and to take from them."""

    add: list[TagName] = Field(default_factory=list, max_length=TAGS_AT_ONCE)
    remove: list[TagName] = Field(default_factory=list, max_length=TAGS_AT_ONCE)
