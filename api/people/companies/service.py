"""Change companies, and say who belongs to them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.audit.actions import AuditAction
from api.people.audit.service import Acting, record_for
from api.people.companies.models import Company, CompanyTeam, CompanyUser
from api.people.teams.models import Team
from api.people.users.models import User
from api.platform.db.base import utc_now
from api.platform.http.errors import Conflict, Invalid, NotFound
from cluster.wording.message import Message

NO_COMPANY = Message("companies.no_company", "There is no such company. It may have been deleted for good.")
NUMBER_TAKEN = Message("companies.number_taken", "Another company has this registration number already.")
IS_DELETED = Message("companies.is_deleted", "This company is deleted. Restore it first.")
NO_ACCOUNT = Message("companies.no_account", "One of these accounts does not exist.")
NO_TEAM = Message("companies.no_team", "One of these teams does not exist.")

KIND = "company"


@dataclass(frozen=True, slots=True)
class Change:
    """Accounts or teams that join a company and that leave it. One that joins leaves its former company."""

    add: frozenset[uuid.UUID]
    remove: frozenset[uuid.UUID]


async def find(session: AsyncSession, company_id: uuid.UUID, *, deleted: bool = True) -> Company:
    """The company, deleted ones too. Raises `NotFound`, and `Conflict` for a deleted one where `deleted` is False."""
    company = await session.get(Company, company_id)
    if company is None:
        raise NotFound(NO_COMPANY)
    if company.deleted_at is not None and not deleted:
        raise Conflict(IS_DELETED)
    return company


async def create(session: AsyncSession, viewer: Acting, values: Mapping[str, Any]) -> Company:
    """Raises `Invalid` for a registration number that another company has."""
    company = Company(**values)
    session.add(company)
    await _flush(session)
    _record(session, viewer, AuditAction.COMPANY_CREATED, company)
    return company


async def change(session: AsyncSession, viewer: Acting, company_id: uuid.UUID, values: Mapping[str, Any]) -> Company:
    company = await find(session, company_id, deleted=False)
    fields = [name for name, value in values.items() if getattr(company, name) != value]
    for name in fields:
        setattr(company, name, values[name])
    await _flush(session)
    if fields:
        _record(session, viewer, AuditAction.COMPANY_UPDATED, company, fields=fields)
    return company


async def remove(session: AsyncSession, viewer: Acting, company_id: uuid.UUID) -> None:
    """Delete a company so that it can be restored. Its people and teams keep their accounts, plans and contracts."""
    company = await find(session, company_id)
    if company.deleted_at is None:
        company.deleted_at = utc_now()
        _record(session, viewer, AuditAction.COMPANY_DELETED, company)


async def restore(session: AsyncSession, viewer: Acting, company_id: uuid.UUID) -> Company:
    company = await find(session, company_id)
    if company.deleted_at is not None:
        company.deleted_at = None
        await _flush(session)
        _record(session, viewer, AuditAction.COMPANY_RESTORED, company)
    return company


async def assign_users(session: AsyncSession, viewer: Acting, company_id: uuid.UUID, wanted: Change) -> Company:
    company = await find(session, company_id, deleted=False)
    known = set((await session.scalars(select(User.id).where(User.id.in_(wanted.add)))).all())
    if known != wanted.add:
        raise Invalid.field("add", NO_ACCOUNT)
    await session.execute(
        delete(CompanyUser).where(CompanyUser.company_id == company.id, CompanyUser.user_id.in_(wanted.remove))
    )
    await session.execute(delete(CompanyUser).where(CompanyUser.user_id.in_(wanted.add)))
    session.add_all(CompanyUser(user_id=user_id, company_id=company.id) for user_id in wanted.add)
    _record(session, viewer, AuditAction.COMPANY_USERS, company, **_ids(wanted))
    return company


async def assign_teams(session: AsyncSession, viewer: Acting, company_id: uuid.UUID, wanted: Change) -> Company:
    company = await find(session, company_id, deleted=False)
    known = set((await session.scalars(select(Team.id).where(Team.id.in_(wanted.add)))).all())
    if known != wanted.add:
        raise Invalid.field("add", NO_TEAM)
    await session.execute(
        delete(CompanyTeam).where(CompanyTeam.company_id == company.id, CompanyTeam.team_id.in_(wanted.remove))
    )
    await session.execute(delete(CompanyTeam).where(CompanyTeam.team_id.in_(wanted.add)))
    session.add_all(CompanyTeam(team_id=team_id, company_id=company.id) for team_id in wanted.add)
    _record(session, viewer, AuditAction.COMPANY_TEAMS, company, **_ids(wanted))
    return company


def _record(session: AsyncSession, viewer: Acting, action: AuditAction, company: Company, **details: Any) -> None:
    record_for(session, viewer, action, object_kind=KIND, object_id=str(company.id), name=company.name, **details)


def _ids(wanted: Change) -> dict[str, list[str]]:
    return {"added": sorted(map(str, wanted.add)), "removed": sorted(map(str, wanted.remove))}


async def _flush(session: AsyncSession) -> None:
    try:
        await session.flush()
    except IntegrityError:
        raise Invalid.field("registration_number", NUMBER_TAKEN) from None
