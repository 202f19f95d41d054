"""Captions of several files at once."""

from __future__ import annotations

import uuid
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from api.content.captions.subtitle_files.archive import ARCHIVE_FILES_MAX, ArchiveChoice, archive, require_captions
from api.people.auth.viewer import SignedIn
from api.platform.http.downloads.names import attachment
from api.platform.http.downloads.zip_stream import zip_stream
from api.platform.http.errors import error_responses
from api.platform.http.state import State
from pipelines.captions.forms.form import CaptionFormat
from pipelines.captions.texts.speaker_names import SpeakerStyle

FILENAME = "captions.zip"

router = APIRouter(prefix="/api/files", tags=["captions"])


class ArchiveQuery(BaseModel):
    """`speakers` says how the text shows who speaks, as in the download of one file."""

    ids: list[uuid.UUID] = Field(min_length=1, max_length=ARCHIVE_FILES_MAX)
    format: CaptionFormat = CaptionFormat.SRT
    translations: bool = False
    speakers: SpeakerStyle = SpeakerStyle.NONE


@router.get("/captions.zip", response_class=StreamingResponse, responses=error_responses(401, 404, 422))
async def download_archive(
    viewer: SignedIn, state: State, query: Annotated[ArchiveQuery, Query()]
) -> StreamingResponse:
    """The captions of several files in one ZIP file. Files without captions are named in its `README.txt`."""
    choice = ArchiveChoice(query.format, query.translations, query.speakers)
    async with state.database.read() as session:
        await require_captions(session, viewer, query.ids, choice)
    headers = {"Content-Disposition": attachment(FILENAME), "Cache-Control": "no-store"}
    entries = archive(state.database, viewer, query.ids, choice)
    return StreamingResponse(zip_stream(entries), media_type="application/zip", headers=headers)
