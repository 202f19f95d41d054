"""A team that a transaction changes: its row is locked, so that two changes of its members never overlap."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.owned import TEAM_OWNERS
from api.people.auth.viewer import Viewer
from api.people.teams.models import Membership, Team, TeamRole
from api.people.users import teams
from api.people.users.models import User
from api.platform.http.errors import Forbidden, NotFound
from cluster.wording.message import Message

TEAM_NOT_FOUND = Message(
    "membership.team_not_found", "We could not find this team. It may have been deleted, or you may have left it."
)
ANY_ROLE = frozenset(TeamRole)


@dataclass(frozen=True, slots=True)
class Member:
    row: Membership
    user: User

    @property
    def role(self) -> TeamRole:
        return TeamRole(self.row.role)


@dataclass(frozen=True, slots=True)
class HeldTeam:
    """A locked team and its members by user id, as they are now. `role` is the viewer's."""

    team: Team
    members: Mapping[uuid.UUID, Member]
    role: TeamRole

    @property
    def owners(self) -> list[uuid.UUID]:
        return [user_id for user_id, member in self.members.items() if member.role in TEAM_OWNERS]

    def is_payer(self, user_id: uuid.UUID) -> bool:
        return self.team.payer_id == user_id


async def lock_team(session: AsyncSession, team_id: uuid.UUID) -> Team | None:
    """The team, locked until the transaction ends. Rows may meanwhile refer to it, as new files do."""
    statement = (
        select(Team).where(Team.id == team_id).with_for_update(key_share=True).execution_options(populate_existing=True)
    )
    return (await session.scalars(statement)).one_or_none()


async def members_by_id(session: AsyncSession, team_id: uuid.UUID) -> dict[uuid.UUID, Member]:
    return {user.id: Member(row, user) for row, user in await teams.members_with_accounts(session, team_id)}


async def hold(
    session: AsyncSession,
    viewer: Viewer,
    team_id: uuid.UUID,
    *,
    roles: Collection[TeamRole] = TEAM_OWNERS,
    deleted: bool = False,
) -> HeldTeam:
    """Lock a team that the viewer changes, in one of these roles. Call it before anything else in the transaction.

    The viewer's role is read again: it may have changed since the request began. Raises `NotFound` for a team of
    others and for a deleted one (with `deleted`: for any other), `Forbidden` for another role.
    """
    team = await lock_team(session, team_id)
    members = await members_by_id(session, team_id)
    mine = members.get(viewer.user_id)
    if team is None or mine is None or (team.deleted_at is not None) is not deleted:
        raise NotFound(TEAM_NOT_FOUND)
    if mine.role not in roles:
        raise Forbidden
    return HeldTeam(team, members, mine.role)
