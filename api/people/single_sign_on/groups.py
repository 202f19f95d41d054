"""What a provider's groups give somebody here: membership of teams, and the administrator's rights.

Read at each sign-in, and when the provider says that they changed; None where it does not say.
A provider takes away only what it gave: members whom people invited stay.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping

import structlog
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.belongings import Belongings
from api.people.access.owned import EDITORS, TEAM_OWNERS
from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.auth import browse_as
from api.people.membership.announcement import announce
from api.people.membership.held_team import lock_team, members_by_id
from api.people.membership.limits import MEMBERS_MAX
from api.people.membership.seats import check_joining
from api.people.membership.service import end_membership
from api.people.providers.provider import Provider
from api.people.teams.models import Membership, TeamRole
from api.people.users.models import User
from api.people.users.queries import has_other_admin
from api.platform.db.engine import Database
from api.platform.http.errors import ApiError

log = structlog.get_logger(__name__)


async def apply_admin_groups(
    session: AsyncSession, provider: Provider, groups: frozenset[str] | None, user: User
) -> None:
    """Make somebody an administrator or not, as their groups say. The last administrator stays one."""
    if not provider.admin_groups or groups is None:
        return
    is_admin = not groups.isdisjoint(provider.admin_groups)
    if is_admin == user.is_admin:
        return
    if not is_admin and not await has_other_admin(session, user.id):
        log.warning("single_sign_on.last_administrator", provider=provider.slug, user_id=str(user.id))
        return
    user.is_admin = is_admin
    await browse_as.end_for(session, user.id)
    action = AuditAction.USER_PROMOTED if is_admin else AuditAction.USER_DEMOTED
    record(session, action, actor_id=None, subject_id=user.id, by=provider.name)


async def apply_team_groups(
    database: Database, belongings: Belongings, provider: Provider, groups: frozenset[str] | None, user_id: uuid.UUID
) -> None:
    """Put somebody into the teams of their groups, and out of those that the provider put them into before.

    Each team is a transaction of its own: one without a free seat stops neither the others nor the sign-in.
    """
    if groups is None:
        return
    wanted = _wanted(provider, groups)
    async with database.read() as session:
        given = select(Membership.team_id).where(Membership.user_id == user_id, Membership.provider == provider.slug)
        team_ids = {*wanted, *(await session.scalars(given)).all()}
    for team_id in sorted(team_ids):
        try:
            async with database.write() as session:
                await _settle(session, belongings, provider, team_id, user_id, wanted.get(team_id))
        except ApiError as error:
            log.warning("single_sign_on.team", provider=provider.slug, team_id=str(team_id), why=str(error.message))


def _wanted(provider: Provider, groups: frozenset[str]) -> Mapping[uuid.UUID, TeamRole]:
    """The highest role that the groups give in each team."""
    wanted: dict[uuid.UUID, TeamRole] = {}
    for each in provider.team_groups:
        if each.group in groups and (each.team_id not in wanted or each.role.rank > wanted[each.team_id].rank):
            wanted[each.team_id] = each.role
    return wanted


async def _settle(
    session: AsyncSession,
    belongings: Belongings,
    provider: Provider,
    team_id: uuid.UUID,
    user_id: uuid.UUID,
    role: TeamRole | None,
) -> None:
    """Give a person this role in a team, or take them out of it."""
    team = await lock_team(session, team_id)
    if team is None or not team.is_active:
        return
    members = await members_by_id(session, team_id)
    mine = members.get(user_id)
    if mine is None:
        if role is None:
            return
        if len(members) >= MEMBERS_MAX:
            log.warning("single_sign_on.team_full", provider=provider.slug, team_id=str(team_id))
            return
        await check_joining(session, team.payer_id, user_id)
        session.add(Membership(team_id=team_id, user_id=user_id, role=role, provider=provider.slug))
        user = await session.get_one(User, user_id)
        action, details = AuditAction.MEMBER_JOINED, {"name": user.name, "role": role}
    else:
        # Somebody else's invitation, or a team that would have no owner or payer.
        others = [each for each in members.values() if each.user.id != user_id and each.role in TEAM_OWNERS]
        is_needed = mine.role in TEAM_OWNERS and role not in TEAM_OWNERS and (not others or team.payer_id == user_id)
        if mine.row.provider != provider.slug or mine.role == role or is_needed:
            return
        name = mine.user.name
        if role is None:
            await end_membership(session, belongings, team_id, user_id)
            action, details = AuditAction.MEMBER_REMOVED, {"name": name, "role": mine.role}
        else:
            before, mine.row.role = mine.role, role
            if role not in EDITORS:
                await belongings.end_uploads(session, user_id, team_id)
            action, details = AuditAction.MEMBER_ROLE_CHANGED, {"name": name, "before": before, "after": role}
    await session.flush()
    record(
        session,
        action,
        actor_id=None,
        subject_id=user_id,
        team_id=team_id,
        object_kind="team",
        object_id=str(team_id),
        team=team.name,
        by=provider.name,
        **details,
    )
    announce(session, team, [*members, user_id])
