"""Accounts, for administrators: the list, one account, and what may be changed in it."""

from __future__ import annotations

import uuid
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response
from pydantic import StringConstraints
from sqlalchemy import Row

from api.edges.admin.users import listing, queries, service
from api.edges.admin.users.schemas import (
    AdminChange,
    AdminUserDetail,
    AdminUserOut,
    ColleagueOut,
    TeamOption,
    UserChange,
    UserQuery,
)
from api.people.access.rules import AdminOnly, require_admin
from api.platform.http.downloads.csv_export import CSV_RESPONSE, Cell, ListFormat, csv_answer
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.limits import KEYWORD_MAX
from api.platform.http.paging import Page, page_of
from api.platform.http.state import ReadSession, State, WriteSession
from api.platform.http.text import CLEAN_LINE

router = APIRouter(prefix="/api/admin", tags=["admin"], dependencies=[Depends(require_admin)])

Keyword = Annotated[str, Query(), StringConstraints(max_length=KEYWORD_MAX), CLEAN_LINE]
HEADER = (
    "id",
    "name",
    "email",
    "admin",
    "verified",
    "created",
    "deleted",
    "company",
    "subscription",
    "contract cents",
    "teams",
    "files",
)


@router.get("/users", response_model=Page[AdminUserOut], responses=CSV_RESPONSE | error_responses(401, 403, 422))
async def list_users(
    query: Annotated[UserQuery, Query()], session: ReadSession, state: State
) -> Page[AdminUserOut] | Response:
    if query.format is ListFormat.CSV:
        return csv_answer(state.database, "users.csv", HEADER, listing.everybody(query), _cells)
    users, total = await listing.listed(session, query)
    return page_of(users, query, total)


@router.get("/users/{user_id}", responses=error_responses(401, 403, 404, 422))
async def get_user(user_id: uuid.UUID, session: ReadSession, state: State) -> Data[AdminUserDetail]:
    user = await queries.find(session, user_id)
    return Data(data=await queries.detail(session, state.settings, user))


@router.get("/users/{user_id}/members", responses=error_responses(401, 403, 404, 422))
async def list_members(user_id: uuid.UUID, session: ReadSession) -> Data[list[ColleagueOut]]:
    """Everybody in this person's teams."""
    user = await queries.find(session, user_id)
    return Data(data=await queries.members(session, user.id))


@router.put("/users/{user_id}", responses=error_responses(401, 403, 404, 409, 419, 422))
async def change_user(
    user_id: uuid.UUID, body: UserChange, viewer: AdminOnly, session: WriteSession, state: State
) -> Data[AdminUserDetail]:
    user = await service.change(session, state.settings, viewer, user_id, body)
    return Data(data=await queries.detail(session, state.settings, user))


@router.put("/users/{user_id}/admin", responses=error_responses(401, 403, 404, 409, 419, 422))
async def set_admin(
    user_id: uuid.UUID, body: AdminChange, viewer: AdminOnly, session: WriteSession, state: State
) -> Data[AdminUserDetail]:
    """Give or take an administrator's rights. The last administrator keeps them."""
    user = await service.set_admin(session, viewer, user_id, body.is_admin)
    return Data(data=await queries.detail(session, state.settings, user))


@router.get("/teams", responses=error_responses(401, 403, 422))
async def find_teams(session: ReadSession, q: Keyword = "") -> Data[list[TeamOption]]:
    """The first teams whose name contains `q`."""
    return Data(data=await listing.find_teams(session, q))


def _cells(row: Row[*tuple[Any, ...]]) -> tuple[Cell, ...]:
    return (
        str(row.id),
        row.name,
        row.email,
        row.is_admin,
        row.email_verified_at is not None,
        row.created_at,
        row.deleted_at,
        row.company,
        row.tier,
        row.price_monthly,
        row.teams,
        row.files,
    )
