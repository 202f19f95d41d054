"""Who is in which team. Accounts that are deleted do not count."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import and_, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.people.teams.models import Membership, Team, TeamRole, is_open
from api.people.users.models import User
from api.people.users.schemas import TeamOut
from api.platform.db.expressions import in_list


@dataclass(frozen=True, slots=True)
class TeamOfUser:
    """A team, and one member's place in it. `members` counts people."""

    team: Team
    role: TeamRole
    is_payer: bool
    members: int


async def teams_of_user(session: AsyncSession, user_id: uuid.UUID, *, deleted: bool = False) -> Sequence[TeamOfUser]:
    """A person's teams in the order they joined, With `deleted`, deleted ones instead."""
    colleague = aliased(Membership)
    members = (
        select(func.count())
        .select_from(colleague)
        .join(User, and_(User.id == colleague.user_id, User.deleted_at.is_(None)))
        .where(colleague.team_id == Team.id)
        .correlate(Team)
        .scalar_subquery()
    )
    statement = (
        select(Team, Membership.role, members)
        .join(Membership, Membership.team_id == Team.id)
        .where(Membership.user_id == user_id, Team.deleted_at.is_not(None) if deleted else Team.deleted_at.is_(None))
        .order_by(Membership.created_at, Team.id)
    )
    return [
        TeamOfUser(team, TeamRole(role), team.payer_id == user_id, count)
        for team, role, count in (await session.execute(statement)).tuples()
    ]


def describe_team(of_user: TeamOfUser) -> TeamOut:
    team = of_user.team
    return TeamOut(
        id=team.id,
        name=team.name,
        is_active=team.is_active,
        role=of_user.role,
        payer=of_user.is_payer,
        members=of_user.members,
        language=team.language,
        keep_days=team.keep_days,
    )


async def roles_of(session: AsyncSession, user_id: uuid.UUID) -> dict[uuid.UUID, TeamRole]:
    """A person's role in each team that is not deleted."""
    statement = (
        select(Membership.team_id, Membership.role)
        .join(Team, Team.id == Membership.team_id)
        .where(Membership.user_id == user_id, is_open())
    )
    return {team_id: TeamRole(role) for team_id, role in (await session.execute(statement)).tuples()}


async def members_of(session: AsyncSession, team_id: uuid.UUID) -> Sequence[uuid.UUID]:
    """The members of a team, or nobody while it is deleted."""
    statement = (
        select(Membership.user_id)
        .join(Team, Team.id == Membership.team_id)
        .join(User, User.id == Membership.user_id)
        .where(Membership.team_id == team_id, is_open(), User.deleted_at.is_(None))
        .order_by(Membership.user_id)
    )
    return (await session.scalars(statement)).all()


async def membership_pairs(
    session: AsyncSession, team_ids: Collection[uuid.UUID]
) -> frozenset[tuple[uuid.UUID, uuid.UUID]]:
    """The pairs of team and member for these teams, without deleted ones."""
    statement = (
        select(Membership.team_id, Membership.user_id)
        .join(Team, Team.id == Membership.team_id)
        .join(User, User.id == Membership.user_id)
        .where(in_list(session, Membership.team_id, list(team_ids)), is_open(), User.deleted_at.is_(None))
    )
    return frozenset((await session.execute(statement)).tuples().all())


async def members_with_accounts(session: AsyncSession, team_id: uuid.UUID) -> Sequence[tuple[Membership, User]]:
    """The members of a team with their accounts, in the order they joined; read again, also what the session has."""
    statement = (
        select(Membership, User)
        .join(User, User.id == Membership.user_id)
        .where(Membership.team_id == team_id, User.deleted_at.is_(None))
        .order_by(Membership.created_at, User.id)
        .execution_options(populate_existing=True)
    )
    return (await session.execute(statement)).tuples().all()


async def people_paid_for(session: AsyncSession, payer_id: uuid.UUID) -> frozenset[uuid.UUID]:
    """The payer and everybody in the teams that they pay for."""
    statement = (
        select(Membership.user_id)
        .join(Team, Team.id == Membership.team_id)
        .join(User, User.id == Membership.user_id)
        .where(Team.payer_id == payer_id, Team.deleted_at.is_(None), User.deleted_at.is_(None))
    )
    return frozenset((await session.scalars(statement)).all()) | {payer_id}


async def knows_voices(session: AsyncSession, team_id: uuid.UUID | None) -> bool:
    """Whether a team wants the voices of its files known."""
    if team_id is None:
        return False
    statement = select(Team.id).where(Team.id == team_id, Team.knows_voices, is_open())
    return await session.scalar(statement) is not None
