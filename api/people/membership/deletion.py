"""Delete teams for a while, restore them, and remove them for good."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

import structlog
from sqlalchemy import delete, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.belongings import Belongings
from api.people.access.rules import is_same_person
from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.auth.viewer import Viewer
from api.people.membership.announcement import announce, record_in
from api.people.membership.held_team import TEAM_NOT_FOUND, lock_team, members_by_id
from api.people.membership.models import Invitation
from api.people.teams.models import Membership, Team
from api.people.users.models import User
from api.people.webhooks.models import WebhookEndpoint
from api.platform.db import clock
from api.platform.db.engine import Database
from api.platform.http.errors import NotFound
from api.platform.jobs.job_type import JobTypes
from api.platform.mail.messages import TeamDeleted
from api.platform.mail.outgoing import send_later

RESTORABLE = timedelta(days=30)

log = structlog.get_logger(__name__)


async def delete_team(
    session: AsyncSession, types: JobTypes, belongings: Belongings, viewer: Viewer, team_id: uuid.UUID
) -> None:
    """Hide a team and all that belongs to it, and stop its work. The caller has checked that the viewer may."""
    team = await lock_team(session, team_id)
    if team is None or team.deleted_at is not None:
        raise NotFound(TEAM_NOT_FOUND)
    members = await members_by_id(session, team_id)
    team.deleted_at = (await session.scalars(select(clock.now()))).one()
    for user_id in members:
        await belongings.end_uploads(session, user_id, team_id)
    await belongings.stop_of_team(session, types, team_id)
    await session.execute(delete(Invitation).where(Invitation.team_id == team_id, Invitation.accepted_at.is_(None)))
    record_in(session, viewer, AuditAction.TEAM_DELETED, team, members=len(members))
    announce(session, team, members)
    for member in members.values():
        if not is_same_person(member.user.id, viewer.user_id):
            send_later(session, _letter(member.user, team))


def _letter(user: User, team: Team) -> TeamDeleted:
    return TeamDeleted(to=user.email, locale=user.locale, name=user.name, team=team.name, days=RESTORABLE.days)


async def restore_team(session: AsyncSession, viewer: Viewer, team_id: uuid.UUID) -> Team:
    """Bring back a deleted team with its members and files. The caller has checked that the viewer may."""
    team = await lock_team(session, team_id)
    if team is None or team.deleted_at is None:
        raise NotFound(TEAM_NOT_FOUND)
    team.deleted_at = None
    record_in(session, viewer, AuditAction.TEAM_RESTORED, team)
    announce(session, team, await members_by_id(session, team_id))
    return team


async def purge_expired(database: Database, types: JobTypes, belongings: Belongings, before: datetime) -> int:
    """Remove for good the teams that were deleted before then, and those whose last member's account is gone.

    Returns how many teams. Closed and old invitations go too.
    """
    is_empty = ~exists().where(Membership.team_id == Team.id)
    async with database.write() as session:
        await session.execute(
            delete(Invitation).where(or_(Invitation.accepted_at < before, Invitation.expires_at < before))
        )
        statement = select(Team.id).where(or_(Team.deleted_at < before, is_empty)).order_by(Team.id)
        ids = (await session.scalars(statement)).all()
    for team_id in ids:
        await purge_team(database, types, belongings, team_id)
    return len(ids)


async def purge_team(database: Database, types: JobTypes, belongings: Belongings, team_id: uuid.UUID) -> None:
    """Remove a team with every byte of its files. May be repeated after it was interrupted."""
    while await _purge_some(database, types, belongings, team_id):
        pass
    async with database.write() as session:
        await belongings.purge_rest_of_team(session, team_id)
        await session.execute(
            delete(WebhookEndpoint)
            .where(WebhookEndpoint.team_id == team_id)
            .execution_options(synchronize_session=False)
        )
        gone = await session.scalar(delete(Team).where(Team.id == team_id).returning(Team.id))
        # Whoever asks later whether it was done finds when, and no name.
        if gone is not None:
            record(session, AuditAction.TEAM_ERASED, actor_id=None, team_id=team_id)
    log.info("team.purged", team_id=str(team_id))


async def _purge_some(database: Database, types: JobTypes, belongings: Belongings, team_id: uuid.UUID) -> bool:
    async with database.write() as session:
        return await belongings.purge_of_team(session, types, team_id)
