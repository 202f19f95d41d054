"""The upload calls: token, progress reports, lists and cancel. The bytes go to the tus protocol."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from api.content.arrivals.models import Upload, UploadStatus
from api.content.uploads import queries, service, tokens
from api.content.uploads.schemas import TokenAnswer, TokenOut, TokenRequest, UploadChange, UploadOut, UploadRecord
from api.content.uploads.server import SharedTus
from api.content.uploads.storage import check_storage
from api.content.uploads.tus.context import TusContext
from api.content.uploads.tus.finish import discard_if_free
from api.people.access.rules import require_addition
from api.people.auth.viewer import SignedIn
from api.people.plans.payer import payer_of
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.paging import Page, PageQuery, page_of
from api.platform.http.state import ReadSession, State, WriteSession
from api.platform.jobs.dependency import Types

router = APIRouter(prefix="/api/files", tags=["uploads"])


@router.post("/upload/token", responses=error_responses(401, 402, 403, 419, 422))
async def make_token(viewer: SignedIn, session: WriteSession, body: TokenRequest | None = None) -> TokenAnswer:
    """A token for one upload. Refused when the plan has no room for a file of `filesize`, or none at all."""
    require_addition(viewer)
    more_bytes = body.filesize if body is not None and body.filesize else 1
    await check_storage(session, await payer_of(session, viewer.user_id, viewer.team_id), more_bytes)
    token, expires_at = await tokens.issue(session, viewer)
    return TokenAnswer(data=TokenOut(token=token, expires_at=expires_at), token=token)


@router.post("/upload", status_code=201, responses=error_responses(401, 404, 419, 422))
async def record_upload(body: UploadRecord, viewer: SignedIn, session: WriteSession) -> Data[UploadOut]:
    return Data(data=await queries.describe(session, await service.record(session, viewer, body)))


@router.put("/upload", responses=error_responses(401, 404, 409, 419, 422))
async def change_upload(
    body: UploadChange, viewer: SignedIn, state: State, tus: SharedTus, types: Types
) -> Data[UploadOut]:
    async with state.database.write() as session:
        upload = await service.change(session, types, viewer, body)
        answer = await queries.describe(session, upload)
    await _remove_bytes_of_cancelled(tus, upload)
    return Data(data=answer)


@router.get("/uploads", responses=error_responses(401, 422))
async def list_uploads(viewer: SignedIn, session: ReadSession, query: Annotated[PageQuery, Query()]) -> Page[UploadOut]:
    """A page of the viewer's uploads that have not become files, the newest first."""
    uploads, total = await queries.displayed(session, viewer, query)
    return page_of(await queries.describe_all(session, uploads), query, total)


@router.get("/uploads/{ids}", responses=error_responses(401, 404))
async def list_some_uploads(ids: str, viewer: SignedIn, session: ReadSession) -> Data[list[UploadOut]]:
    return Data(data=await queries.describe_all(session, await queries.several(session, viewer, ids)))


@router.get("/upload/{id}", responses=error_responses(401, 404))
async def get_upload(id: str, viewer: SignedIn, session: ReadSession) -> Data[UploadOut]:
    return Data(data=await queries.describe(session, await queries.find(session, viewer, id)))


@router.delete("/upload/{id}", responses=error_responses(401, 404, 419))
async def cancel_upload(id: str, viewer: SignedIn, state: State, tus: SharedTus, types: Types) -> Data[UploadOut]:
    async with state.database.write() as session:
        upload = await queries.find(session, viewer, id)
        await service.cancel(session, types, viewer, upload)
        answer = await queries.describe(session, upload)
    await _remove_bytes_of_cancelled(tus, upload)
    return Data(data=answer)


async def _remove_bytes_of_cancelled(tus: TusContext, upload: Upload) -> None:
    """Runs after the commit: if the cancel is rolled back, no bytes are lost."""
    if upload.status == UploadStatus.CANCELLED and upload.tus_id is not None:
        await discard_if_free(tus, upload.tus_id)
