"""Live recordings that run, for administrators."""

from __future__ import annotations

import uuid
from typing import Annotated

from fastapi import APIRouter, Depends, Query

from api.edges.admin.live import service
from api.edges.admin.live.schemas import RunningLive
from api.people.access.rules import AdminOnly, require_admin
from api.platform.http.errors import error_responses
from api.platform.http.paging import Page, PageQuery, page_of
from api.platform.http.state import ReadSession, State

router = APIRouter(prefix="/api/admin/live", tags=["admin"], dependencies=[Depends(require_admin)])


@router.get("", responses=error_responses(401, 403, 422))
async def list_live(query: Annotated[PageQuery, Query()], session: ReadSession) -> Page[RunningLive]:
    """Those that run, the newest first."""
    found, total = await service.running(session, query)
    return page_of(found, query, total)


@router.post("/{file_id}/end", status_code=204, responses=error_responses(401, 403, 404, 419, 422))
async def end_live(file_id: uuid.UUID, admin: AdminOnly, state: State) -> None:
    """End a recording. What was recorded is kept, and whoever records reads why."""
    await service.end(state, admin, file_id)
