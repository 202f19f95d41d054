"""The audit log for administrators. Nothing here changes it."""

from __future__ import annotations

import uuid
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response
from sqlalchemy import Row

from api.edges.admin.audit.schemas import AuditEntryOut, AuditQuery, describe
from api.people.access.rules import require_admin
from api.people.audit import queries
from api.platform.http.downloads.csv_export import CSV_RESPONSE, Cell, ListFormat, csv_answer
from api.platform.http.envelope import Data
from api.platform.http.errors import NotFound, error_responses
from api.platform.http.paging import Page, page_of
from api.platform.http.state import ReadSession, State

router = APIRouter(prefix="/api/admin/audit", tags=["admin"], dependencies=[Depends(require_admin)])

HEADER = ("at", "action", "what", "actor", "subject", "team", "object", "object id", "network", "details")


@router.get("", response_model=Page[AuditEntryOut], responses=CSV_RESPONSE | error_responses(401, 403, 422))
async def list_entries(
    query: Annotated[AuditQuery, Query()], session: ReadSession, state: State
) -> Page[AuditEntryOut] | Response:
    """What people and administrators did, the newest first. `meta.total` counts up to 10,000 and one more."""
    wanted = query.wanted()
    if query.format is ListFormat.CSV:
        return csv_answer(state.database, "audit-log.csv", HEADER, queries.log_statement(wanted), _cells)
    rows, total = await queries.page_of_entries(session, wanted, offset=query.offset, size=query.size)
    return page_of([describe(row) for row in rows], query, total)


@router.get("/actions", responses=error_responses(401, 403))
async def list_actions() -> Data[list[str]]:
    """Every action that can be recorded."""
    return Data(data=list(queries.ACTIONS))


@router.get("/{entry_id}", responses=error_responses(401, 403, 404, 422))
async def get_entry(entry_id: uuid.UUID, session: ReadSession) -> Data[AuditEntryOut]:
    row = await queries.find(session, entry_id)
    if row is None:
        raise NotFound
    return Data(data=describe(row))


def _cells(row: Row[*tuple[Any, ...]]) -> tuple[Cell, ...]:
    out = describe(row.tuple())
    return (
        out.at,
        out.action,
        out.sentence,
        out.actor.email if out.actor else "system",
        out.subject.email or str(out.subject.id) if out.subject else None,
        out.team.name if out.team else None,
        out.object_kind,
        out.object_id,
        out.network,
        "; ".join(f"{name}={value}" for name, value in out.details.items()),
    )
