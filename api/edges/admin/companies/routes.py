"""Companies, for administrators."""

from __future__ import annotations

import uuid
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response
from sqlalchemy import Row, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.edges.admin.companies.schemas import (
    Assignment,
    CompanyDetail,
    CompanyIn,
    CompanyOut,
    CompanyQuery,
    describe,
    describe_detail,
)
from api.people.access.rules import AdminOnly, require_admin
from api.people.companies import queries, service
from api.people.companies.models import Company
from api.people.companies.queries import CompanyRow
from api.people.companies.service import Change
from api.platform.http.downloads.csv_export import CSV_RESPONSE, Cell, ListFormat, csv_answer
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.paging import Page, page_of
from api.platform.http.state import ReadSession, State, WriteSession

router = APIRouter(prefix="/api/admin/companies", tags=["admin"], dependencies=[Depends(require_admin)])

HEADER = (
    "name",
    "registration number",
    "VAT number",
    "contact",
    "email",
    "phone",
    "address",
    "country",
    "users",
    "teams",
    "contracts",
    "cents a month",
    "created",
    "deleted",
)


@router.get("", response_model=Page[CompanyOut], responses=CSV_RESPONSE | error_responses(401, 403, 422))
async def list_companies(
    query: Annotated[CompanyQuery, Query()], session: ReadSession, state: State
) -> Page[CompanyOut] | Response:
    statement = queries.listed(q=query.q, deleted=query.deleted, sort=query.sort)
    if query.format is ListFormat.CSV:
        return csv_answer(state.database, "companies.csv", HEADER, statement, _cells)
    rows = await queries.page(session, statement, offset=query.offset, size=query.size)
    which = queries.conditions(q=query.q, deleted=query.deleted)
    total = await session.scalar(select(func.count()).select_from(Company).where(*which)) or 0
    return page_of([describe(row) for row in rows], query, total)


@router.post("", status_code=201, responses=error_responses(401, 403, 419, 422))
async def create_company(body: CompanyIn, viewer: AdminOnly, session: WriteSession) -> Data[CompanyDetail]:
    return await _detail(session, await service.create(session, viewer, body.model_dump()))


@router.get("/{company_id}", responses=error_responses(401, 403, 404, 422))
async def get_company(company_id: uuid.UUID, session: ReadSession) -> Data[CompanyDetail]:
    return await _detail(session, await service.find(session, company_id))


@router.put("/{company_id}", responses=error_responses(401, 403, 404, 409, 419, 422))
async def change_company(
    company_id: uuid.UUID, body: CompanyIn, viewer: AdminOnly, session: WriteSession
) -> Data[CompanyDetail]:
    return await _detail(session, await service.change(session, viewer, company_id, body.model_dump()))


@router.delete("/{company_id}", status_code=204, responses=error_responses(401, 403, 404, 409, 419, 422))
async def delete_company(company_id: uuid.UUID, viewer: AdminOnly, session: WriteSession) -> None:
    """The company can be restored. Its people keep their accounts."""
    await service.remove(session, viewer, company_id)


@router.post("/{company_id}/restore", responses=error_responses(401, 403, 404, 409, 419, 422))
async def restore_company(company_id: uuid.UUID, viewer: AdminOnly, session: WriteSession) -> Data[CompanyDetail]:
    return await _detail(session, await service.restore(session, viewer, company_id))


@router.put("/{company_id}/users", responses=error_responses(401, 403, 404, 409, 419, 422))
async def assign_users(
    company_id: uuid.UUID, body: Assignment, viewer: AdminOnly, session: WriteSession
) -> Data[CompanyDetail]:
    wanted = Change(frozenset(body.add), frozenset(body.remove))
    return await _detail(session, await service.assign_users(session, viewer, company_id, wanted))


@router.put("/{company_id}/teams", responses=error_responses(401, 403, 404, 409, 419, 422))
async def assign_teams(
    company_id: uuid.UUID, body: Assignment, viewer: AdminOnly, session: WriteSession
) -> Data[CompanyDetail]:
    wanted = Change(frozenset(body.add), frozenset(body.remove))
    return await _detail(session, await service.assign_teams(session, viewer, company_id, wanted))


async def _detail(session: AsyncSession, company: Company) -> Data[CompanyDetail]:
    row = await queries.row_of(session, company)
    users = await queries.members_of(session, company.id)
    return Data(data=describe_detail(row, users, await queries.teams_of(session, company.id)))


def _cells(row: Row[*tuple[Any, ...]]) -> tuple[Cell, ...]:
    out = describe(CompanyRow(*row.tuple()))
    return (
        out.name,
        out.registration_number,
        out.vat_number,
        out.contact,
        out.email,
        out.phone,
        out.address,
        out.country,
        out.users,
        out.teams,
        out.contracts,
        out.price_monthly,
        out.created_at,
        out.deleted_at,
    )
