"""Delete teams for a while, restore them, and remove them for good."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

import structlog
from sqlalchemy import delete, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files import bin
from api.content.files.models import File
from api.content.files.transitions import UNFINISHED
from api.content.glossary.models import GlossaryTermRow, KnownWordRow, WordCorrectionRow
from api.content.quality.models import QualityProfileRow
from api.content.styles.models import CaptionStyleRow
from api.content.tags.models import Tag
from api.content.uploads.models import TusUpload, Upload, UploadToken
from api.people.access.rules import is_same_person
from api.people.audit.actions import AuditAction
from api.people.auth.viewer import Viewer
from api.people.membership.announcement import announce, record_in
from api.people.membership.ending import end_uploads
from api.people.membership.held_team import TEAM_NOT_FOUND, lock_team, members_by_id
from api.people.membership.models import Invitation
from api.people.teams.models import Membership, Team
from api.people.users.models import User
from api.people.webhooks.models import WebhookEndpoint
from api.platform.db import clock
from api.platform.db.engine import Database
from api.platform.db.in_list import in_list
from api.platform.http.errors import NotFound
from api.platform.jobs import service as jobs
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.models import Job
from api.platform.mail.messages import TeamDeleted
from api.platform.mail.outgoing import send_later

RESTORABLE = timedelta(days=30)
_PURGE_BATCH = 50

log = structlog.get_logger(__name__)


async def delete_team(session: AsyncSession, types: JobTypes, viewer: Viewer, team_id: uuid.UUID) -> None:
    """Hide a team and all that belongs to it, and stop its work. The caller has checked that the viewer may."""
    team = await lock_team(session, team_id)
    if team is None or team.deleted_at is not None:
        raise NotFound(TEAM_NOT_FOUND)
    members = await members_by_id(session, team_id)
    team.deleted_at = (await session.scalars(select(clock.now()))).one()
    for user_id in members:
        await end_uploads(session, user_id, team_id)
    await _stop_work(session, types, team_id)
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


async def purge_expired(database: Database, types: JobTypes, before: datetime) -> int:
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
        await purge_team(database, types, team_id)
    return len(ids)


TABLES_OF_TEAMS = (
    GlossaryTermRow,
    KnownWordRow,
    WordCorrectionRow,
    CaptionStyleRow,
    QualityProfileRow,
    Upload,
    TusUpload,
    UploadToken,
    Tag,
    WebhookEndpoint,
)
"""What a team owns beside its files."""


async def purge_team(database: Database, types: JobTypes, team_id: uuid.UUID) -> None:
    """Remove a team with every byte of its files. May be repeated after it was interrupted."""
    while await _purge_files(database, types, team_id):
        pass
    async with database.write() as session:
        for table in TABLES_OF_TEAMS:
            await session.execute(
                delete(table).where(table.team_id == team_id).execution_options(synchronize_session=False)
            )
        await session.execute(delete(Team).where(Team.id == team_id))
    log.info("team.purged", team_id=str(team_id))


async def _purge_files(database: Database, types: JobTypes, team_id: uuid.UUID) -> bool:
    """Remove some files. Returns whether there may be more."""
    some = select(File.id).where(File.team_id == team_id).order_by(File.id).limit(_PURGE_BATCH)
    async with database.write() as session:
        ids = (await session.scalars(some)).all()
        await jobs.cancel(session, types, jobs.of_files(ids))
        files = select(File).where(in_list(session, File.id, ids)).order_by(File.id).with_for_update()
        await bin.purge(session, (await session.scalars(files.execution_options(populate_existing=True))).all())
    return len(ids) == _PURGE_BATCH


async def _stop_work(session: AsyncSession, types: JobTypes, team_id: uuid.UUID) -> None:
    """Cancel all jobs on the team's files, and leave the files in statuses from which they can be started again."""
    of_team = select(File.id).where(File.team_id == team_id)
    await jobs.cancel(session, types, Job.file_id.in_(of_team))
    unfinished = (
        select(File)
        .where(File.team_id == team_id, File.status.in_(UNFINISHED))
        .order_by(File.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    files = (await session.scalars(unfinished)).all()
    await bin.end_uploads(session, files)
    for file in files:
        await bin.stop(session, file)
