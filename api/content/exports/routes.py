"""Exports of a file: start one, list them, download, stop or remove."""

from __future__ import annotations

import uuid

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, Response
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.exports import queries, service
from api.content.exports.schemas import ExportOptions, ExportOut, ExportRequest, describe
from api.content.files import queries as files
from api.content.files.models import File
from api.people.auth.viewer import SignedIn
from api.platform.http.downloads.names import attachment
from api.platform.http.envelope import Data
from api.platform.http.errors import NotFound, error_responses
from api.platform.http.state import ReadSession, State, WriteSession
from api.platform.http.stored import OBJECT_RESPONSES, send_object
from api.platform.jobs.dependency import Types
from cluster.storage.objects import Storage
from pipelines.messages.export_form import FORMS_OF_MODE, MIME, ExportMode, FileForm

router = APIRouter(prefix="/api/video", tags=["exports"])


@router.get("/exports/{slug}", responses=error_responses(401, 404))
async def list_exports(slug: str, viewer: SignedIn, session: ReadSession) -> Data[list[ExportOut]]:
    file = await files.find(session, viewer, slug)
    return Data(data=[describe(export, file.slug) for export in await queries.of_file(session, file)])


@router.get("/export-options/{slug}", responses=error_responses(401, 404))
async def export_options(slug: str, viewer: SignedIn, session: ReadSession) -> Data[ExportOptions]:
    """The captions, sound tracks, sizes and file forms that an export of this file can have."""
    return Data(data=await service.options(session, viewer, slug))


@router.post("/export/{slug}", status_code=201, responses=error_responses(401, 402, 404, 409, 419, 422))
async def start_export(slug: str, body: ExportRequest, viewer: SignedIn, state: State) -> Data[ExportOut]:
    """409 with the code `missing_glyphs` asks whether `data.characters`, which no font can draw, may show as boxes."""
    file, export = await service.submit(state.database, viewer, slug, body)
    return Data(data=describe(export, file.slug))


@router.get(
    "/exports/{slug}/{export_id}/download",
    response_class=FileResponse,
    responses=OBJECT_RESPONSES | error_responses(401, 404),
)
async def download_export(
    slug: str, export_id: uuid.UUID, viewer: SignedIn, session: ReadSession, state: State, request: Request
) -> Response:
    return await send_export(request, session, state.storage, await files.find(session, viewer, slug), export_id)


async def send_export(
    request: Request, session: AsyncSession, storage: Storage, file: File, export_id: uuid.UUID
) -> Response:
    export = await queries.find(session, file, export_id)
    form = FileForm((export.form or {}).get("file_form") or FORMS_OF_MODE[ExportMode(export.mode)][0])
    try:
        return await send_object(
            request,
            session,
            storage,
            export.export_key,
            media_type=MIME[form],
            disposition=attachment(f"{file.name}.{export.language}.{form}"),
            by_link=True,
        )
    except NotFound:
        raise NotFound(queries.EXPORT_NOT_FOUND) from None


@router.delete("/exports/{slug}/{export_id}", status_code=204, responses=error_responses(401, 404, 419))
async def remove_export(slug: str, export_id: uuid.UUID, viewer: SignedIn, session: WriteSession, types: Types) -> None:
    await service.remove(session, types, viewer, slug, export_id)
