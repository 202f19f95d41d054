"""List everybody: which people, and in what order. Each page takes a few statements, however many people there are."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, func, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.edges.admin.users.plans import has_plan, plans_of
from api.edges.admin.users.schemas import AdminUserOut, CompanyRef, TeamOption, UserQuery, UserSort
from api.people.companies.models import Company, CompanyUser
from api.people.companies.queries import companies_of
from api.people.plans.models import Contract, Subscription
from api.people.second_factor.models import RecoveryCode
from api.people.teams.models import Membership, Team
from api.people.users.models import NO_PASSWORD, User
from api.platform.db.expressions import contains_text, in_list
from api.platform.http.limits import COUNTED_MAX

FOUND_TEAMS = 20
"""Teams that a search offers."""


def conditions(query: UserQuery) -> list[ColumnElement[bool]]:
    which: list[ColumnElement[bool]] = [User.deleted_at.is_not(None) if query.deleted else User.deleted_at.is_(None)]
    if query.q:
        which.append(_matches(query.q))
    if query.plan:
        which.append(has_plan(query.plan))
    if query.verified is not None:
        which.append(User.email_verified_at.is_not(None) if query.verified else User.email_verified_at.is_(None))
    if query.admin is not None:
        which.append(User.is_admin.is_(query.admin))
    if query.team_id is not None:
        which.append(User.id.in_(select(Membership.user_id).where(Membership.team_id == query.team_id)))
    if query.company_id is not None:
        which.append(User.id.in_(select(CompanyUser.user_id).where(CompanyUser.company_id == query.company_id)))
    return which


async def listed(session: AsyncSession, query: UserQuery) -> tuple[list[AdminUserOut], int]:
    """The people of one page, and the number of people on all pages, at most one more than we count."""
    which = conditions(query)
    matching = select(literal(1).label("one")).select_from(User).where(*which).limit(COUNTED_MAX + 1)
    total = await session.scalar(select(func.count()).select_from(matching.subquery())) or 0
    if total <= query.offset:
        return [], total
    statement = select(User).where(*which).order_by(*_order(query.sort)).offset(query.offset).limit(query.size)
    return await describe(session, (await session.scalars(statement)).all()), total


async def describe(session: AsyncSession, users: Sequence[User]) -> list[AdminUserOut]:
    ids = [user.id for user in users]
    plans, companies = await plans_of(session, ids), await companies_of(session, ids)
    teams = await _counts(
        session,
        select(Membership.user_id, func.count())
        .join(Team, Team.id == Membership.team_id)
        .where(in_list(session, Membership.user_id, ids), Team.deleted_at.is_(None))
        .group_by(Membership.user_id),
    )
    files = await _counts(
        session,
        select(File.user_id, func.count())
        .where(in_list(session, File.user_id, ids), File.deleted_at.is_(None))
        .group_by(File.user_id),
    )
    without_password = [user.id for user in users if user.password_hash == NO_PASSWORD]
    codes = await _counts(
        session,
        select(RecoveryCode.user_id, func.count())
        .where(in_list(session, RecoveryCode.user_id, without_password))
        .group_by(RecoveryCode.user_id),
    )
    return [
        AdminUserOut(
            id=user.id,
            name=user.name,
            email=user.email,
            plan=plans[user.id],
            is_admin=user.is_admin,
            has_second_factor=user.second_factor_at is not None or user.id in codes,
            email_verified=user.email_verified_at is not None,
            company=CompanyRef(id=company.id, name=company.name) if (company := companies.get(user.id)) else None,
            teams=teams.get(user.id, 0),
            files=files.get(user.id, 0),
            created_at=user.created_at,
            suspended_at=user.suspended_at,
            deleted_at=user.deleted_at,
        )
        for user in users
    ]


def everybody(query: UserQuery) -> Select[*tuple[Any, ...]]:
    """All people that match, in one statement, for CSV."""
    teams = select(func.count()).where(Membership.user_id == User.id).correlate(User).scalar_subquery()
    files = (
        select(func.count()).where(File.user_id == User.id, File.deleted_at.is_(None)).correlate(User).scalar_subquery()
    )
    return (
        select(
            User.id,
            User.name,
            User.email,
            User.is_admin,
            User.email_verified_at,
            User.created_at,
            User.deleted_at,
            Company.name.label("company"),
            Subscription.tier,
            Contract.price_monthly,
            teams.label("teams"),
            files.label("files"),
        )
        .outerjoin(CompanyUser, CompanyUser.user_id == User.id)
        .outerjoin(Company, Company.id == CompanyUser.company_id)
        .outerjoin(Subscription, (Subscription.user_id == User.id) & Subscription.is_current)
        .outerjoin(Contract, Contract.user_id == User.id)
        .where(*conditions(query))
        .order_by(*_order(query.sort))
    )


async def find_teams(session: AsyncSession, text: str) -> list[TeamOption]:
    """The first teams whose name contains this."""
    members = select(func.count()).where(Membership.team_id == Team.id).correlate(Team).scalar_subquery()
    statement = (
        select(Team.id, Team.name, members)
        .where(Team.deleted_at.is_(None), contains_text(Team.name, text))
        .order_by(func.lower(Team.name), Team.id)
        .limit(FOUND_TEAMS)
    )
    rows = (await session.execute(statement)).tuples()
    return [TeamOption(id=team_id, name=name, members=count) for team_id, name, count in rows]


def _matches(text: str) -> ColumnElement[bool]:
    try:
        return User.id == uuid.UUID(text)
    except ValueError:
        return or_(contains_text(User.email, text), contains_text(User.name, text))


def _order(sort: UserSort) -> Sequence[ColumnElement[Any]]:
    name = sort.removeprefix("-")
    column: ColumnElement[Any] = func.lower(User.name) if name == "name" else User.__table__.c[name]
    # In one direction, so that an index yields them in order. The id makes pages repeatable.
    columns: tuple[ColumnElement[Any], ...] = (column, User.__table__.c.id)
    return [each.desc() if sort.startswith("-") else each.asc() for each in columns]


async def _counts(session: AsyncSession, statement: Select[uuid.UUID, int]) -> dict[uuid.UUID, int]:
    return dict((await session.execute(statement)).tuples().all())
