"""Read companies with their accounts, teams and contracts."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.companies.models import Company, CompanyTeam, CompanyUser
from api.people.plans.models import Contract
from api.people.teams.models import Membership, Team
from api.people.users.models import User
from api.platform.db import clock
from api.platform.db.expressions import contains_text


class CompanySort(StrEnum):
    """A leading minus means descending order."""

    NAME = "name"
    NAME_LAST = "-name"
    NEWEST = "-created_at"
    OLDEST = "created_at"


@dataclass(frozen=True, slots=True)
class CompanyRow:
    """A company with how many accounts and teams it has, and what its contracts cost a month, in cents."""

    company: Company
    users: int
    teams: int
    contracts: int
    price_monthly: int


@dataclass(frozen=True, slots=True)
class CompanyMember:
    id: uuid.UUID
    name: str
    email: str
    deleted_at: datetime | None
    has_contract: bool
    price_monthly: int


@dataclass(frozen=True, slots=True)
class CompanyTeamRow:
    id: uuid.UUID
    name: str
    members: int


def in_force() -> ColumnElement[bool]:
    """The contracts in force now."""
    now = clock.now()
    return and_(Contract.starts_at <= now, or_(Contract.ends_at.is_(None), Contract.ends_at > now))


_USERS = (
    select(CompanyUser.company_id, func.count().label("users"))
    .group_by(CompanyUser.company_id)
    .subquery("company_user_counts")
)
_TEAMS = (
    select(CompanyTeam.company_id, func.count().label("teams"))
    .group_by(CompanyTeam.company_id)
    .subquery("company_team_counts")
)


def listed(*, q: str, deleted: bool | None, sort: CompanySort) -> Select[Company, int, int, int, int]:
    """Companies that match, each with its counts. `deleted` None means both."""
    contracts = (
        select(
            CompanyUser.company_id,
            func.count().label("contracts"),
            func.sum(Contract.price_monthly).label("price_monthly"),
        )
        .join(Contract, and_(Contract.user_id == CompanyUser.user_id, in_force()))
        .group_by(CompanyUser.company_id)
        .subquery("company_contracts")
    )
    return (
        select(
            Company,
            func.coalesce(_USERS.c.users, 0),
            func.coalesce(_TEAMS.c.teams, 0),
            func.coalesce(contracts.c.contracts, 0),
            func.coalesce(contracts.c.price_monthly, 0),
        )
        .outerjoin(_USERS, _USERS.c.company_id == Company.id)
        .outerjoin(_TEAMS, _TEAMS.c.company_id == Company.id)
        .outerjoin(contracts, contracts.c.company_id == Company.id)
        .where(*conditions(q=q, deleted=deleted))
        .order_by(_order(sort), Company.id)
    )


def conditions(*, q: str, deleted: bool | None) -> list[ColumnElement[bool]]:
    which: list[ColumnElement[bool]] = []
    if q:
        columns = (Company.name, Company.registration_number, Company.vat_number, Company.contact, Company.email)
        which.append(or_(*(contains_text(func.coalesce(column, ""), q) for column in columns)))
    if deleted is not None:
        which.append(Company.deleted_at.is_not(None) if deleted else Company.deleted_at.is_(None))
    return which


async def page(
    session: AsyncSession, statement: Select[Company, int, int, int, int], *, offset: int, size: int
) -> list[CompanyRow]:
    rows = (await session.execute(statement.offset(offset).limit(size))).tuples().all()
    return [CompanyRow(*row) for row in rows]


async def row_of(session: AsyncSession, company: Company) -> CompanyRow:
    statement = listed(q="", deleted=None, sort=CompanySort.NAME).where(Company.id == company.id)
    return CompanyRow(*(await session.execute(statement)).tuples().one())


async def members_of(session: AsyncSession, company_id: uuid.UUID) -> list[CompanyMember]:
    statement = (
        select(User.id, User.name, User.email, User.deleted_at, Contract.id, Contract.price_monthly)
        .join(CompanyUser, CompanyUser.user_id == User.id)
        .outerjoin(Contract, and_(Contract.user_id == User.id, in_force()))
        .where(CompanyUser.company_id == company_id)
        .order_by(func.lower(User.name), User.id)
    )
    return [
        CompanyMember(user_id, name, email, deleted_at, contract is not None, price or 0)
        for user_id, name, email, deleted_at, contract, price in (await session.execute(statement)).tuples()
    ]


async def teams_of(session: AsyncSession, company_id: uuid.UUID) -> list[CompanyTeamRow]:
    members = select(func.count()).where(Membership.team_id == Team.id).correlate(Team).scalar_subquery()
    statement = (
        select(Team.id, Team.name, members)
        .join(CompanyTeam, CompanyTeam.team_id == Team.id)
        .where(CompanyTeam.company_id == company_id, Team.deleted_at.is_(None))
        .order_by(func.lower(Team.name), Team.id)
    )
    return [CompanyTeamRow(*row) for row in (await session.execute(statement)).tuples()]


async def companies_of(session: AsyncSession, user_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, Company]:
    """The company of each of these accounts that has one, without deleted companies."""
    statement = (
        select(CompanyUser.user_id, Company)
        .join(Company, Company.id == CompanyUser.company_id)
        .where(CompanyUser.user_id.in_(user_ids), Company.deleted_at.is_(None))
    )
    return {user_id: company for user_id, company in (await session.execute(statement)).tuples()}


async def purge_expired(session: AsyncSession, before: datetime) -> int:
    """Remove the companies that were deleted before this moment. Returns how many."""
    gone = (await session.scalars(select(Company).where(Company.deleted_at < before))).all()
    for company in gone:
        await session.delete(company)
    return len(gone)


def _order(sort: CompanySort) -> ColumnElement[Any]:
    name = sort.removeprefix("-")
    column: ColumnElement[Any] = func.lower(Company.name) if name == "name" else Company.__table__.c[name]
    return column.desc() if sort.startswith("-") else column.asc()
