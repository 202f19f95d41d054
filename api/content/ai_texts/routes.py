"""AI texts of a file: what can be written, write, read, edit, bring back, download, cancel and delete."""

from __future__ import annotations

import uuid
from typing import Annotated

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response

from api.content.ai_texts import editing, queries, service
from api.content.ai_texts.describe import describe, describe_all
from api.content.ai_texts.errors import NOTHING_WRITTEN
from api.content.ai_texts.offers import offer_of
from api.content.ai_texts.rendering import MEDIA_TYPES, download_of
from api.content.ai_texts.schemas import (
    TYPE_LABELS,
    VERSION_MAX,
    AiTextOptions,
    AiTextOut,
    DocumentFormat,
    RestoreVersion,
    TextChange,
    VersionContentOut,
    VersionOut,
    WriteTexts,
)
from api.content.ai_texts.versions import version_of
from api.content.captions.tracks import tracks_of
from api.content.files import queries as files
from api.people.auth.viewer import SignedIn
from api.platform.http.downloads.names import attachment
from api.platform.http.envelope import Data
from api.platform.http.errors import NotFound, error_responses
from api.platform.http.limits import LANGUAGE_CODE_MAX
from api.platform.http.state import ReadSession, WriteSession
from api.platform.jobs.dependency import Types
from pipelines.messages.minutes import TextType

router = APIRouter(prefix="/api/files", tags=["AI text"])

KEY_MAX = 40

FileKey = Annotated[str | None, Query(max_length=KEY_MAX)]
TextId = Annotated[uuid.UUID, Path(alias="id")]
Version = Annotated[int, Path(ge=1, le=VERSION_MAX)]
Type = Annotated[TextType | None, Query(alias="type")]
Language = Annotated[str | None, Query(max_length=LANGUAGE_CODE_MAX)]


# Above `/aitext/{key}`, which would match it.
@router.get("/aitext/options", responses=error_responses(401, 404, 422))
async def text_options(viewer: SignedIn, session: ReadSession, file: FileKey = None) -> Data[AiTextOptions]:
    """The types and languages that can be written now, about the file with this slug or id or about any."""
    tracks = None if file is None else await tracks_of(session, await files.find(session, viewer, file))
    return Data(data=(await offer_of(session, viewer, tracks)).describe())


@router.get("/aitext/{key}", responses=error_responses(401, 404))
async def list_texts(key: str, viewer: SignedIn, session: ReadSession) -> Data[list[AiTextOut]]:
    """All texts of a file. One that is being written has the blocks written so far."""
    file = await files.find(session, viewer, key)
    return Data(data=await describe_all(session, file, await queries.of_file(session, file)))


@router.post("/aitext/{key}", status_code=202, responses=error_responses(401, 402, 403, 404, 409, 419, 422))
async def write_texts(key: str, body: WriteTexts, viewer: SignedIn, session: WriteSession) -> Data[list[AiTextOut]]:
    """Queue one text of each type. The answer holds all texts of the file."""
    file, texts = await service.write(session, viewer, key, body)
    return Data(data=await describe_all(session, file, texts))


@router.delete("/aitext/{key}", status_code=204, responses=error_responses(401, 403, 404, 419, 422))
async def delete_texts(
    key: str, viewer: SignedIn, session: WriteSession, types: Types, type_: Type = None, language: Language = None
) -> None:
    """Delete the texts of a type and in a language; without these, all texts of the file."""
    await service.remove(session, types, viewer, key, type_=type_, language=language)


@router.get("/minutes/{id}", responses=error_responses(401, 404, 422))
async def get_text(text_id: TextId, viewer: SignedIn, session: ReadSession) -> Data[AiTextOut]:
    return Data(data=await describe(session, *await queries.find(session, viewer, text_id)))


@router.patch("/minutes/{id}", responses=error_responses(401, 403, 404, 409, 419, 422))
async def change_text(text_id: TextId, body: TextChange, viewer: SignedIn, session: WriteSession) -> Data[AiTextOut]:
    """Save an edited text. Sentences that stay as they were keep their citations."""
    return Data(data=await describe(session, *await editing.change(session, viewer, text_id, body)))


@router.get("/minutes/{id}/history", responses=error_responses(401, 404, 422))
async def text_history(text_id: TextId, viewer: SignedIn, session: ReadSession) -> Data[list[VersionOut]]:
    """The versions of a text, the newest first."""
    return Data(data=await editing.history(session, viewer, text_id))


@router.get("/minutes/{id}/history/{version}", responses=error_responses(401, 404, 422))
async def text_version(
    text_id: TextId, version: Version, viewer: SignedIn, session: ReadSession
) -> Data[VersionContentOut]:
    return Data(data=await editing.earlier_content(session, viewer, text_id, version))


@router.post("/minutes/{id}/restore", responses=error_responses(401, 403, 404, 409, 419, 422))
async def restore_text(
    text_id: TextId, body: RestoreVersion, viewer: SignedIn, session: WriteSession
) -> Data[AiTextOut]:
    """Bring an earlier version back, as a new version."""
    return Data(data=await describe(session, *await editing.restore(session, viewer, text_id, body.version)))


@router.post("/minutes/{id}/cancel", responses=error_responses(401, 403, 404, 409, 419, 422))
async def cancel_text(text_id: TextId, viewer: SignedIn, session: WriteSession, types: Types) -> Data[AiTextOut]:
    return Data(data=await describe(session, *await service.cancel(session, types, viewer, text_id)))


@router.post("/minutes/{id}/again", status_code=202, responses=error_responses(401, 402, 403, 404, 409, 419, 422))
async def write_text_again(text_id: TextId, viewer: SignedIn, session: WriteSession) -> Data[AiTextOut]:
    """Write a text again from the captions as they are now, or continue one that failed or was cancelled."""
    return Data(data=await describe(session, *await service.write_again(session, viewer, text_id)))


@router.get("/minutes/{id}/download", response_class=Response, responses=error_responses(401, 404, 422))
async def download_text(
    text_id: TextId,
    viewer: SignedIn,
    session: ReadSession,
    form: Annotated[DocumentFormat, Query(alias="format")] = DocumentFormat.MARKDOWN,
) -> Response:
    """The text as a file, with the times of the lines it cites."""
    file, text = await queries.find(session, viewer, text_id)
    if text.version == 0:
        raise NotFound(NOTHING_WRITTEN)
    name = f"{file.name} - {TYPE_LABELS[TextType(text.type)]}.{text.language}.{form}"
    return Response(
        await download_of(file, text, await version_of(session, text, text.version), form),
        media_type=MEDIA_TYPES[form],
        headers={"Content-Disposition": attachment(name), "Cache-Control": "no-store"},
    )
