from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field
from sqlalchemy import Row

from api.exports.models import Export, ExportMode, ExportStatus
from api.http.limits import LANGUAGE_CODE_MAX
from api.realtime.events import child_of
from pipelines.captions.speaker_names import SpeakerStyle


class ExportOut(BaseModel):
    id: uuid.UUID
    child: str
    language: str
    mode: ExportMode
    speakers: SpeakerStyle
    status: ExportStatus
    progress: int
    error: str | None
    size_bytes: int | None
    download_url: str | None
    created_at: datetime


class ExportRequest(BaseModel):
    """`speakers`: how the captions show who speaks. `accept_boxes`: also burn in characters that no font can draw."""

    language: str = Field(min_length=2, max_length=LANGUAGE_CODE_MAX)
    mode: ExportMode = ExportMode.BURNED
    speakers: SpeakerStyle = SpeakerStyle.NONE
    accept_boxes: bool = False


def describe(export: Export | Row[Any], slug: str) -> ExportOut:
    """An export of the file `slug` as the page sees it. Only a complete one has a download link."""
    is_complete = export.status == ExportStatus.COMPLETE and export.export_key is not None
    return ExportOut(
        id=export.id,
        child=child_of(export.language),
        language=export.language,
        mode=ExportMode(export.mode),
        speakers=SpeakerStyle(export.speakers),
        status=export.status,
        progress=export.progress,
        error=export.error,
        size_bytes=export.size_bytes,
        download_url=f"/api/video/exports/{slug}/{export.id}/download" if is_complete else None,
        created_at=export.created_at,
    )
