"""Remove deleted accounts for good, with every stored byte. What people added to a team stays with the team."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime

import structlog
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.belongings import Belongings
from api.people.access.owned import owned_tables
from api.people.access.rules import added_by, by_member
from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.teams.models import Membership, Team, TeamRole
from api.people.users.avatar_address import avatar_folder
from api.people.users.models import User
from api.platform.db.engine import Database
from api.platform.jobs.attempts.cleanup import remove_later

log = structlog.get_logger(__name__)


async def purge_expired(database: Database, belongings: Belongings, before: datetime) -> int:
    """Purge the accounts that were deleted before this time. Returns their number."""
    async with database.read() as session:
        statement = select(User.id).where(User.deleted_at < before).order_by(User.deleted_at)
        ids = (await session.scalars(statement)).all()
    for user_id in ids:
        await purge_account(database, belongings, user_id)
    return len(ids)


async def purge_account(database: Database, belongings: Belongings, user_id: uuid.UUID) -> None:
    """Remove a deleted account. May be repeated after it was interrupted; does nothing to a restored account."""
    while await _purge_some(database, belongings, user_id):
        pass
    async with database.write() as session:
        user = await session.get(User, user_id, with_for_update=True)
        if user is None or user.deleted_at is None:
            return
        remove_later(session, prefixes=[avatar_folder(user_id)])
        await session.execute(delete(User).where(User.id == user_id))
        # Whoever asks later whether it was done finds when, and no name.
        record(session, AuditAction.ACCOUNT_ERASED, actor_id=None, subject_id=user_id)
    log.info("account.purged", user_id=str(user_id))


async def _purge_some(database: Database, belongings: Belongings, user_id: uuid.UUID) -> bool:
    """Remove some of what the account owns. Returns whether there may be more."""
    async with database.write() as session:
        user = await session.get(User, user_id, with_for_update=True)
        if user is None or user.deleted_at is None:
            return False
        await _hand_over(session, belongings, user_id)
        return await belongings.purge_of_person(session, user_id)


async def _hand_over(session: AsyncSession, belongings: Belongings, user_id: uuid.UUID) -> None:
    """Give what the account added to teams, and the work on it, to an owner of each team."""
    for team_id in await _teams_with_things(session, user_id):
        heir = await _heir(session, team_id, user_id)
        if heir is None:
            continue
        await belongings.hand_over_work(session, user_id, team_id, heir)
        for table in owned_tables():
            which = by_member(user_id, team_id, table)
            await session.execute(
                update(table).where(which).values(user_id=heir).execution_options(synchronize_session=False)
            )


async def _teams_with_things(session: AsyncSession, user_id: uuid.UUID) -> list[uuid.UUID]:
    """The teams to which the account added anything, each once."""
    teams: dict[uuid.UUID, None] = {}
    for table in owned_tables():
        statement = select(table.team_id).where(added_by(user_id, table), table.team_id.is_not(None)).distinct()
        teams |= {team_id: None for team_id in await session.scalars(statement) if team_id is not None}
    return list(teams)


async def _heir(session: AsyncSession, team_id: uuid.UUID | None, user_id: uuid.UUID) -> uuid.UUID | None:
    """The owner of a team who takes over from somebody who leaves for good, the payer first."""
    statement = (
        select(Membership.user_id, Team.payer_id)
        .join(Team, Team.id == Membership.team_id)
        .join(User, User.id == Membership.user_id)
        .where(
            Membership.team_id == team_id,
            Membership.role == TeamRole.OWNER,
            Membership.user_id != user_id,
            User.deleted_at.is_(None),
        )
        .order_by(Membership.created_at)
    )
    owners: Sequence[tuple[uuid.UUID, uuid.UUID | None]] = (await session.execute(statement)).tuples().all()
    payer = next((owner for owner, payer_id in owners if owner == payer_id), None)
    return payer or (owners[0][0] if owners else None)
