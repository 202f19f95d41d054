"""The forms of REST v1. Programs outside depend on them: fields are added, never renamed or removed."""

from __future__ import annotations

import uuid
from datetime import datetime

from pydantic import BaseModel, Field

from api.content.arrivals.models import UploadStatus
from api.content.exports.models import ExportMode, ExportStatus
from api.content.exports.schemas import ExportOut, ExportRequest, ExportSettings
from api.content.files.models import FileStatus
from api.content.library.schemas import FileOut
from api.content.translations.schemas import LANGUAGES_AT_ONCE, Code, TranslationOut, TranslationState
from api.content.uploads.schemas import UploadOut
from api.people.webhooks.schemas import Events, Name, Url
from api.platform.http.limits import KEYWORD_MAX, LANGUAGE_CODE_MAX
from api.platform.http.paging import PAGE_MAX
from pipelines.messages.lines import Origin
from pipelines.messages.translate import Formality

PER_PAGE = 50
PER_PAGE_MAX = 200


class ListQuery(BaseModel):
    """`q` is looked for in names. Several values of `status` mean any of them."""

    page: int = Field(1, ge=1, le=PAGE_MAX)
    per_page: int = Field(PER_PAGE, ge=1, le=PER_PAGE_MAX)
    status: list[FileStatus] = Field(default_factory=list, max_length=len(FileStatus))
    q: str = Field("", max_length=KEYWORD_MAX)


class RestFile(BaseModel):
    """A file. `progress` of its present step is in percent, `eta_s` in seconds, null when unknown.

    `error` is a sentence; `error_code` is set where it asks for a choice. `translations` are the languages into which
    it is translated.
    """

    id: str
    name: str
    team_id: uuid.UUID | None
    status: FileStatus
    progress: int
    eta_s: int | None
    language: str
    duration_ms: int | None
    size_bytes: int | None
    model: str | None
    translations: list[str]
    error: str | None
    error_code: str | None
    created_at: datetime


class UploadTicket(BaseModel):
    """Where and with what to send one file by the tus protocol (https://tus.io, version 1.0.0).

    Send `Authorization: Bearer` with `token` on every request to `tus_url`. Metadata: `filename`, and as you like
    `filetype` and `language`. The upload's id is the last part of the `Location` that the server answers with.
    """

    tus_url: str
    token: str
    expires_at: datetime
    max_bytes: int


class UploadWanted(BaseModel):
    """`size_bytes` is the size of the file, where you know it: a plan without room for it is refused at once."""

    size_bytes: int | None = Field(None, ge=0, le=2**53)


class RestUpload(BaseModel):
    """An upload. `file_id` is set once all bytes have arrived."""

    id: str
    filename: str
    status: UploadStatus
    bytes_received: int
    size_bytes: int | None
    error: str | None
    file_id: str | None


class TranscriptionOptions(BaseModel):
    """What a transcription can be asked for. `model` is null while none is loaded; `reason` then says why."""

    model: str | None
    reason: str | None
    languages: list[str]
    detects_language: bool
    detects_speakers: bool


class TranscribeWanted(BaseModel):
    """`language` is a code such as `en-US`, or `auto`; without one the language that the file has."""

    language: str | None = Field(None, min_length=2, max_length=LANGUAGE_CODE_MAX)


class RestWord(BaseModel):
    """A word. `confidence` is null where its time is estimated; without a `speaker` it is the line's."""

    start_ms: int
    end_ms: int
    text: str
    confidence: float | None
    origin: Origin
    speaker: str | None = None


class RestLine(BaseModel):
    """A caption. `speaker` is a label such as `S1`, whose name is in `speakers`; `doubts` say what to review."""

    id: str
    start_ms: int
    end_ms: int
    text: str
    words: list[RestWord]
    doubts: list[str]
    speaker: str | None


class RestCaptions(BaseModel):
    """The captions in a language. `speakers` has their names by label."""

    language: str
    lines: list[RestLine]
    speakers: dict[str, str] = Field(default_factory=dict)


class CaptionsSaved(BaseModel):
    """`revision` numbers the change. `notes` are sentences about what was read otherwise than written."""

    language: str
    revision: int
    changed: int
    removed: int
    notes: list[str]


class TranslationsWanted(BaseModel):
    """`source` is the language of the captions to translate; without one those of the transcription."""

    languages: list[Code] = Field(min_length=1, max_length=LANGUAGES_AT_ONCE)
    formality: Formality | None = None
    source: str | None = Field(None, max_length=LANGUAGE_CODE_MAX)


class RestTranslation(BaseModel):
    """A translation. `stale` counts lines whose source changed since. Read its lines as captions of its language."""

    language: str
    source_language: str | None
    state: TranslationState
    progress: int
    lines: int
    stale: int
    error: str | None


class ExportWanted(ExportRequest):
    """`mode` burns the captions in, adds them as tracks or writes the sound alone.

    `languages` are more tracks. `accept_boxes`: also where no font has all characters.
    """


class RestExport(BaseModel):
    """An exported file. `download_url` is set once it is complete; fetch it with the same key."""

    id: uuid.UUID
    language: str
    languages: list[str]
    mode: ExportMode
    settings: ExportSettings
    status: ExportStatus
    progress: int
    size_bytes: int | None
    error: str | None
    download_url: str | None
    created_at: datetime


class WebhookWanted(BaseModel):
    """A webhook for the files of the key's person, or of its team."""

    url: Url
    name: Name = ""
    events: Events


def file_of(file: FileOut) -> RestFile:
    return RestFile(
        id=file.slug,
        name=file.name,
        team_id=file.team_id,
        status=file.status,
        progress=file.progress,
        eta_s=file.eta_s,
        language=file.language,
        duration_ms=file.duration_ms,
        size_bytes=file.size_bytes,
        model=file.engine,
        translations=[each.language for each in file.translations if each.has_lines],
        error=file.error,
        error_code=file.error_code,
        created_at=file.created_at,
    )


def upload_of(upload: UploadOut) -> RestUpload:
    return RestUpload(
        id=upload.tus_url.rpartition("/")[2],
        filename=upload.filename,
        status=upload.status,
        bytes_received=upload.bytes_uploaded,
        size_bytes=upload.filesize,
        error=upload.error,
        file_id=upload.file_slug,
    )


def translation_of(translation: TranslationOut) -> RestTranslation:
    return RestTranslation(
        language=translation.language,
        source_language=translation.source_language,
        state=translation.state,
        progress=translation.progress,
        lines=translation.lines,
        stale=translation.stale,
        error=translation.error,
    )


def export_of(export: ExportOut, file_id: str) -> RestExport:
    is_there = export.download_url is not None
    return RestExport(
        id=export.id,
        language=export.language,
        languages=export.languages,
        mode=export.mode,
        settings=export.settings,
        status=export.status,
        progress=export.progress,
        size_bytes=export.size_bytes,
        error=export.error,
        download_url=f"/api/v1/files/{file_id}/exports/{export.id}/download" if is_there else None,
        created_at=export.created_at,
    )
