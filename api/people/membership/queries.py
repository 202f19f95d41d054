"""Teams as their members see them."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.rules import is_same_person
from api.people.auth.viewer import Viewer
from api.people.membership.deletion import RESTORABLE
from api.people.membership.held_team import TEAM_NOT_FOUND
from api.people.membership.invitations import roles_to_give
from api.people.membership.models import Invitation
from api.people.membership.schemas import InvitationOut, TeamDetail, TeamListed, TeamMember, TeamRules
from api.people.teams.models import Team, TeamRole
from api.people.users.models import User
from api.people.users.teams import TeamOfUser, describe_team, members_with_accounts, teams_of_user
from api.platform.db import clock
from api.platform.http.errors import NotFound


async def listed(session: AsyncSession, viewer: Viewer) -> list[TeamListed]:
    """The viewer's teams in the order they joined, then the deleted ones that they own and may restore."""
    mine = [_listed(each) for each in await teams_of_user(session, viewer.user_id)]
    deleted = await teams_of_user(session, viewer.user_id, deleted=True)
    return mine + [_listed(each) for each in deleted if each.role == TeamRole.OWNER]


def _listed(each: TeamOfUser) -> TeamListed:
    deleted_at = each.team.deleted_at
    until = None if deleted_at is None else deleted_at + RESTORABLE
    return TeamListed(**describe_team(each).model_dump(), restorable_until=until)


async def require_member(session: AsyncSession, viewer: Viewer, team_id: uuid.UUID) -> None:
    """Raise `NotFound` unless the team is one of the viewer's."""
    if team_id not in {each.team.id for each in await teams_of_user(session, viewer.user_id)}:
        raise NotFound(TEAM_NOT_FOUND)


async def detail(session: AsyncSession, viewer: Viewer, team_id: uuid.UUID) -> TeamDetail:
    """A team with its people and, for those who may invite, its open invitations. Raises `NotFound`."""
    team = await session.get(Team, team_id)
    members = await members_with_accounts(session, team_id)
    role = next((TeamRole(row.role) for row, user in members if is_same_person(user.id, viewer.user_id)), None)
    if team is None or role is None or team.deleted_at is not None:
        raise NotFound(TEAM_NOT_FOUND)
    to_give = roles_to_give(role)
    mine = TeamOfUser(team, role, _is_payer(team, viewer.user_id), len(members))
    return TeamDetail(
        **describe_team(mine).model_dump(),
        rules=TeamRules.model_validate(team, from_attributes=True),
        created_at=team.created_at,
        people=[
            TeamMember(
                user_id=user.id,
                name=user.name,
                email=user.email,
                role=TeamRole(row.role),
                is_payer=_is_payer(team, user.id),
                joined_at=row.created_at,
            )
            for row, user in members
        ],
        invitations=await _invitations(session, team_id, to_give) if to_give else [],
        roles_to_give=to_give,
    )


def _is_payer(team: Team, user_id: uuid.UUID) -> bool:
    return team.payer_id is not None and is_same_person(team.payer_id, user_id)


async def _invitations(session: AsyncSession, team_id: uuid.UUID, to_give: list[TeamRole]) -> list[InvitationOut]:
    statement = (
        select(Invitation, User.name, clock.now())
        .outerjoin(User, User.id == Invitation.inviter_id)
        .where(Invitation.team_id == team_id, Invitation.accepted_at.is_(None))
        .order_by(Invitation.sent_at, Invitation.id)
    )
    return [
        InvitationOut(
            id=row.id,
            email=row.email,
            role=TeamRole(row.role),
            inviter=inviter,
            sent_at=row.sent_at,
            expires_at=row.expires_at,
            is_expired=row.expires_at <= now,
            may_change=row.role in to_give,
        )
        for row, inviter, now in (await session.execute(statement)).tuples()
    ]
