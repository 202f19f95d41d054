"""All files of all people, for administrators. What is in them stays private: opening it needs browse-as."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from sqlalchemy import Row

from api.edges.admin.contents import queries, service
from api.edges.admin.contents.filters import filters_of
from api.edges.admin.contents.schemas import ContentDetail, ContentPage, ContentQuery
from api.people.access.rules import AdminOnly
from api.platform.http.downloads.csv_export import CSV_RESPONSE, Cell, ListFormat, csv_answer
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, State, WriteSession
from api.platform.jobs.dependency import Types

router = APIRouter(prefix="/api/admin/contents", tags=["admin"])

HEADER = (
    "id", "slug", "name", "kind", "status", "language", "duration_s", "size_bytes", "engine", "error", "error_code",
    "owner", "team", "created_at", "updated_at", "deleted_at",
)  # fmt: skip


@router.get("", response_model=ContentPage, responses={**error_responses(401, 403, 422), **CSV_RESPONSE})
async def list_contents(
    _admin: AdminOnly, state: State, session: ReadSession, query: Annotated[ContentQuery, Query()]
) -> ContentPage | StreamingResponse:
    """A page of all files, the newest first unless `sort` says otherwise."""
    if query.format is ListFormat.CSV:
        statement = queries.all_contents(await filters_of(session, query), query)
        return csv_answer(state.database, "contents.csv", HEADER, statement, _cells)
    return await queries.page_of_contents(session, query)


@router.get("/{slug}", responses=error_responses(401, 403, 404))
async def get_content(slug: str, _admin: AdminOnly, session: ReadSession, types: Types) -> Data[ContentDetail]:
    """A file with its jobs, their attempts and errors."""
    return Data(data=await queries.detail(session, types, await queries.find(session, slug)))


@router.post("/{slug}/retry", responses=error_responses(401, 402, 403, 404, 409, 419))
async def retry_content(slug: str, admin: AdminOnly, session: WriteSession, types: Types) -> Data[ContentDetail]:
    return Data(data=await queries.detail(session, types, await service.retry(session, admin, slug)))


@router.post("/{slug}/cancel", responses=error_responses(401, 403, 404, 409, 419))
async def cancel_content(slug: str, admin: AdminOnly, session: WriteSession, types: Types) -> Data[ContentDetail]:
    return Data(data=await queries.detail(session, types, await service.cancel(session, types, admin, slug)))


@router.delete("/{slug}", responses=error_responses(401, 403, 404, 419))
async def bin_content(slug: str, admin: AdminOnly, session: WriteSession, types: Types) -> Data[ContentDetail]:
    """Move the file to the bin, from which it can be restored for a while."""
    return Data(data=await queries.detail(session, types, await service.move_to_bin(session, types, admin, slug)))


@router.post("/{slug}/restore", responses=error_responses(401, 403, 404, 419))
async def restore_content(slug: str, admin: AdminOnly, session: WriteSession, types: Types) -> Data[ContentDetail]:
    return Data(data=await queries.detail(session, types, await service.restore(session, admin, slug)))


def _cells(row: Row[*tuple[Any, ...]]) -> tuple[Cell, ...]:
    duration_s = None if row.duration_ms is None else round(row.duration_ms / 1000, 3)
    return (
        str(row.id), row.slug, row.name, row.kind, row.status, row.language, duration_s, row.size_bytes, row.engine,
        row.error, row.error_code, row.owner, row.team, row.created_at, row.updated_at, row.deleted_at,
    )  # fmt: skip
