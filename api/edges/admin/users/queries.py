"""One account as administrators see it."""

from __future__ import annotations

import uuid

from sqlalchemy import and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.content.files.models import File, FileStatus
from api.edges.admin.users.listing import describe
from api.edges.admin.users.schemas import (
    HOUR_S,
    AdminUserDetail,
    ColleagueOut,
    ContractOut,
    SessionOut,
    SubscriptionRef,
    UserTeamOut,
)
from api.people.companies.models import CustomerDetails
from api.people.companies.personal_numbers import mask
from api.people.plans.models import Contract, SubscriptionStatus
from api.people.plans.queries import subscription_of
from api.people.plans.tiers import BillingPeriod, PlanTier
from api.people.teams.models import Membership, Team, TeamRole
from api.people.users.models import BrowserSession, User
from api.platform.db import clock
from api.platform.http.errors import NotFound
from api.platform.settings import ApiSettings
from cluster.sizes import GB
from cluster.wording.message import Message

NO_USER = Message("admin.no_user", "There is no such account. It may have been deleted for good.")
MEMBERS_MAX = 1_000


async def find(session: AsyncSession, user_id: uuid.UUID, *, hold: bool = False) -> User:
    """The account, deleted ones too. `hold` locks its row. Raises `NotFound`."""
    statement = select(User).where(User.id == user_id)
    user = (await session.scalars(statement.with_for_update() if hold else statement)).one_or_none()
    if user is None:
        raise NotFound(NO_USER)
    return user


async def detail(session: AsyncSession, settings: ApiSettings, user: User) -> AdminUserDetail:
    (row,) = await describe(session, [user])
    details = await session.get(CustomerDetails, user.id)
    subscription = await subscription_of(session, user.id)
    files = (
        await session.execute(
            select(
                func.coalesce(func.sum(File.size_bytes), 0),
                func.coalesce(func.sum(File.duration_ms), 0),
                func.count().filter(File.status == FileStatus.FAILED),
            ).where(File.user_id == user.id, File.deleted_at.is_(None))
        )
    ).one()
    return AdminUserDetail(
        **row.model_dump(),
        locale=user.locale,
        contact=details.contact if details else None,
        ssn=mask(settings, details.sealed_ssn) if details else None,
        subscription=None
        if subscription is None
        else SubscriptionRef(
            tier=PlanTier(subscription.tier),
            period=BillingPeriod(subscription.period),
            status=SubscriptionStatus(subscription.status),
            period_end=subscription.period_end,
            cancel_at=subscription.cancel_at,
        ),
        contract=await _contract(session, user.id),
        team_list=await _teams(session, user.id),
        file_bytes=int(files[0] or 0),
        file_seconds=int(files[1] or 0) // 1000,
        failed_files=files[2],
        session_list=await _sessions(session, user.id),
    )


async def members(session: AsyncSession, user_id: uuid.UUID) -> list[ColleagueOut]:
    """Everybody in the user's teams, team by team, and the user with them. At most `MEMBERS_MAX`."""
    mine = aliased(Membership)
    statement = (
        select(User.id, User.name, User.email, Team.id, Team.name, Membership.role)
        .join(Membership, Membership.user_id == User.id)
        .join(Team, Team.id == Membership.team_id)
        .join(mine, and_(mine.team_id == Team.id, mine.user_id == user_id))
        .where(Team.deleted_at.is_(None), User.deleted_at.is_(None))
        .order_by(func.lower(Team.name), Team.id, func.lower(User.name), User.id)
        .limit(MEMBERS_MAX)
    )
    return [
        ColleagueOut(id=person, name=name, email=email, team_id=team_id, team=team, role=TeamRole(role))
        for person, name, email, team_id, team, role in (await session.execute(statement)).tuples()
    ]


async def _teams(session: AsyncSession, user_id: uuid.UUID) -> list[UserTeamOut]:
    colleague = aliased(Membership)
    count = select(func.count()).where(colleague.team_id == Team.id).correlate(Team).scalar_subquery()
    statement = (
        select(Team, Membership.role, count)
        .join(Membership, Membership.team_id == Team.id)
        .where(Membership.user_id == user_id, Team.deleted_at.is_(None))
        .order_by(func.lower(Team.name), Team.id)
    )
    return [
        UserTeamOut(
            id=team.id,
            name=team.name,
            role=TeamRole(role),
            is_payer=team.payer_id == user_id,
            members=members,
        )
        for team, role, members in (await session.execute(statement)).tuples()
    ]


async def _contract(session: AsyncSession, user_id: uuid.UUID) -> ContractOut | None:
    now = clock.now()
    in_force = and_(Contract.starts_at <= now, or_(Contract.ends_at.is_(None), Contract.ends_at > now))
    row = (await session.execute(select(Contract, in_force).where(Contract.user_id == user_id))).one_or_none()
    if row is None:
        return None
    contract, is_in_force = row.tuple()
    return ContractOut(
        price_monthly=contract.price_monthly,
        price_minutes=contract.price_minutes,
        max_hours=None if contract.max_seconds is None else contract.max_seconds / HOUR_S,
        max_space=None if contract.max_space is None else contract.max_space / GB,
        max_users=contract.max_users,
        starts_at=contract.starts_at,
        ends_at=contract.ends_at,
        is_in_force=bool(is_in_force),
    )


async def _sessions(session: AsyncSession, user_id: uuid.UUID) -> list[SessionOut]:
    statement = (
        select(BrowserSession.created_at, BrowserSession.expires_at)
        .where(BrowserSession.user_id == user_id, BrowserSession.expires_at > clock.now())
        .order_by(BrowserSession.created_at.desc())
        .limit(50)
    )
    rows = (await session.execute(statement)).tuples()
    return [SessionOut(created_at=created_at, expires_at=expires_at) for created_at, expires_at in rows]
