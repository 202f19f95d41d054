"""Delete teams for a while, restore them, and remove them for good."""

from __future__ import annotations

import uuid
from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.audit.actions import AuditAction
from api.auth.viewer import Viewer
from api.db import clock
from api.http.errors import NotFound
from api.membership.announcement import announce, record_in
from api.membership.ending import end_uploads
from api.membership.held_team import TEAM_NOT_FOUND, lock_team, members_by_id
from api.membership.models import Invitation
from api.teams.models import Team

RESTORABLE = timedelta(days=30)


async def delete_team(session: AsyncSession, viewer: Viewer, team_id: uuid.UUID) -> None:
    """Hide a team and all that belongs to it. The caller has checked that the viewer may."""
    team = await lock_team(session, team_id)
    if team is None or team.deleted_at is not None:
        raise NotFound(TEAM_NOT_FOUND)
    members = await members_by_id(session, team_id)
    team.deleted_at = (await session.scalars(select(clock.now()))).one()
    for user_id in members:
        await end_uploads(session, user_id, team_id)
    await session.execute(delete(Invitation).where(Invitation.team_id == team_id, Invitation.accepted_at.is_(None)))
    record_in(session, viewer, AuditAction.TEAM_DELETED, team, members=len(members))
    announce(session, team, members)


async def restore_team(session: AsyncSession, viewer: Viewer, team_id: uuid.UUID) -> Team:
    """Bring back a deleted team with its members and files. The caller has checked that the viewer may."""
    team = await lock_team(session, team_id)
    if team is None or team.deleted_at is None:
        raise NotFound(TEAM_NOT_FOUND)
    team.deleted_at = None
    record_in(session, viewer, AuditAction.TEAM_RESTORED, team)
    announce(session, team, await members_by_id(session, team_id))
    return team
