"""REST v1: exported videos."""

from __future__ import annotations

import uuid

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, Response

from api.content.exports import queries, service
from api.content.exports.routes import send_export
from api.content.exports.schemas import ExportRequest, describe
from api.content.files import queries as files
from api.edges.rest.schemas import ExportWanted, RestExport, export_of
from api.people.api_keys.caller import ApiCaller, requires
from api.people.api_keys.scopes import Scope
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, State
from api.platform.http.stored import OBJECT_RESPONSES

router = APIRouter(prefix="/api/v1/files/{file_id}/exports", tags=["exports"])
READS = [requires(Scope.FILES_READ)]
WRITES = [requires(Scope.FILES_WRITE)]


@router.get("", dependencies=READS, responses=error_responses(404))
async def list_rest_exports(file_id: str, caller: ApiCaller, session: ReadSession) -> Data[list[RestExport]]:
    file = await files.find(session, caller.viewer, file_id)
    exports = [describe(export, file.slug) for export in await queries.of_file(session, file)]
    return Data(data=[export_of(export, file.slug) for export in exports])


@router.post("", status_code=202, dependencies=WRITES, responses=error_responses(402, 404, 409))
async def start_rest_export(file_id: str, body: ExportWanted, caller: ApiCaller, state: State) -> Data[RestExport]:
    """Export the video with its captions as they are now. The same captions in the same form are rendered once."""
    wanted = ExportRequest(**body.model_dump())
    file, export = await service.submit(state.database, caller.viewer, file_id, wanted)
    return Data(data=export_of(describe(export, file.slug), file.slug))


@router.get("/{export_id}", dependencies=READS, responses=error_responses(404))
async def get_rest_export(
    file_id: str, export_id: uuid.UUID, caller: ApiCaller, session: ReadSession
) -> Data[RestExport]:
    file = await files.find(session, caller.viewer, file_id)
    export = describe(await queries.find(session, file, export_id), file.slug)
    return Data(data=export_of(export, file.slug))


@router.get(
    "/{export_id}/download",
    dependencies=READS,
    response_class=FileResponse,
    responses=OBJECT_RESPONSES | error_responses(404),
)
async def download_rest_export(
    file_id: str, export_id: uuid.UUID, caller: ApiCaller, session: ReadSession, state: State, request: Request
) -> Response:
    file = await files.find(session, caller.viewer, file_id)
    return await send_export(request, session, state.storage, file, export_id)
