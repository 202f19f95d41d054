from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field
from sqlalchemy import Row

from api.content.exports.models import NOTICE, Export, ExportMode, ExportStatus
from api.platform.http.limits import EXPORT_LANGUAGES_MAX, LANGUAGE_CODE_MAX, STYLE_ID_MAX
from api.platform.http.pages.language import PageText
from api.platform.realtime.events import child_of
from cluster.stored_sentences import sentence_of_json
from pipelines.captions.texts.speaker_names import SpeakerStyle
from pipelines.media.limits import MAX_DURATION_MS, MAX_SIDE_PX
from pipelines.media.probe import SOUNDS_MAX
from pipelines.messages.export_form import Aspect, FileForm, Fit, Quality


class ExportSettings(BaseModel):
    """What the exported file is like, besides its captions.

    `file_form` is MP4 for videos and M4A for sound unless named. `height` is the short side of the picture in pixels,
    null for that of the original; nothing is enlarged. `crop_x` and `crop_y` place a cropped picture: 0 is the left or
    upper edge, 1 the other one. `sounds` are tracks of the original by their `index`, null for all of them.
    `clip_start_ms` and `clip_end_ms` export a part of the file. `style_id`: how drawn captions look, a built-in style
    or a preset; without one the style of the file.
    """

    file_form: FileForm | None = None
    aspect: Aspect = Aspect.ORIGINAL
    fit: Fit = Fit.PAD
    height: int | None = Field(None, ge=2, le=MAX_SIDE_PX)
    quality: Quality = Quality.STANDARD
    crop_x: float = Field(0.5, ge=0, le=1)
    crop_y: float = Field(0.5, ge=0, le=1)
    sounds: list[int] | None = Field(None, max_length=SOUNDS_MAX)
    clip_start_ms: int | None = Field(None, ge=0, le=MAX_DURATION_MS)
    clip_end_ms: int | None = Field(None, ge=1, le=MAX_DURATION_MS)
    style_id: str | None = Field(None, max_length=STYLE_ID_MAX)


class ExportRequest(ExportSettings):
    """The captions in `language`, drawn into the picture or as a track. `languages`: more tracks, in this order.

    `speakers`: how the captions show who speaks. `accept_boxes`: also burn in characters that no font can draw.
    `require_clean`: refuse captions with open findings of the quality check.
    """

    language: str = Field(min_length=2, max_length=LANGUAGE_CODE_MAX)
    languages: list[str] = Field(default_factory=list, max_length=EXPORT_LANGUAGES_MAX)
    mode: ExportMode = ExportMode.BURNED
    speakers: SpeakerStyle = SpeakerStyle.NONE
    accept_boxes: bool = False
    require_clean: bool = False


class ExportOut(BaseModel):
    """An export and how it was ordered; `languages` are those of its tracks, the first one included.

    `notice`: what went another way than usual in a finished one.
    """

    id: uuid.UUID
    child: str
    language: str
    languages: list[str]
    mode: ExportMode
    speakers: SpeakerStyle
    settings: ExportSettings
    status: ExportStatus
    progress: int
    error: PageText | None
    notice: PageText | None
    size_bytes: int | None
    download_url: str | None
    created_at: datetime


class SoundOut(BaseModel):
    """A sound track of the original. `index` names it in an export; `language` is a code, null where it has none."""

    index: int
    codec: str
    channels: int
    language: str | None
    is_default: bool


class CaptionsChoice(BaseModel):
    """Captions that can be exported."""

    language: str
    label: PageText


class HeightsOut(BaseModel):
    """The short sides that an aspect allows without enlarging the original, the largest first, in pixels."""

    aspect: Aspect
    fit: Fit
    heights: list[int]


class ExportOptions(BaseModel):
    """What can be chosen for a file. `is_hdr`: a burned-in export is converted to standard dynamic range."""

    kind: str
    duration_ms: int | None
    width: int | None
    height: int | None
    is_hdr: bool
    captions: list[CaptionsChoice]
    sounds: list[SoundOut]
    heights: list[HeightsOut]
    file_forms: dict[ExportMode, list[FileForm]]


def describe(export: Export | Row[*tuple[Any, ...]], slug: str) -> ExportOut:
    """An export of the file `slug` as the page sees it. Only a complete one has a download link."""
    is_complete = export.status == ExportStatus.COMPLETE and export.export_key is not None
    form = export.form or {}
    return ExportOut(
        id=export.id,
        child=child_of(export.language),
        language=export.language,
        languages=form.get("languages") or [export.language],
        mode=ExportMode(export.mode),
        speakers=SpeakerStyle(export.speakers),
        settings=ExportSettings.model_validate(form),
        status=export.status,
        progress=export.progress,
        error=export.error,
        notice=sentence_of_json(form[NOTICE]) if form.get(NOTICE) else None,
        size_bytes=export.size_bytes,
        download_url=f"/api/video/exports/{slug}/{export.id}/download" if is_complete else None,
        created_at=export.created_at,
    )
