"""Delete an account so that it can be restored for a while, and restore it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.people.access.belongings import Belongings
from api.people.account.limits import RESTORE_DAYS
from api.people.account.locales import date_in_words
from api.people.account.models import PasswordReset
from api.people.api_keys.service import revoke_all
from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.auth import browse_as, session_ends
from api.people.membership.announcement import announce
from api.people.plans.models import OPEN, Subscription
from api.people.teams.models import Membership, Team, TeamRole
from api.people.users.models import User
from api.people.users.teams import members_of, teams_of_user
from api.platform.db import clock
from api.platform.http.errors import Conflict
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.outbox import end_connections
from api.platform.mail.messages import AccountDeleted
from api.platform.mail.outgoing import send_later
from cluster.wording.message import Message, Wording

OWNS_TEAMS = Wording(
    "account.owns_teams",
    "Nobody else owns or pays for {teams}. Make another member the owner and the payer, or delete the team, and then "
    "delete your account.",
)
RENEWS = Message("account.renews", "Your subscription would renew. Cancel it first, and then delete your account.")


class StillResponsible(Conflict):
    """Others depend on the account, or it would go on to be charged."""

    code = "still_responsible"


def restore_until(deleted_at: datetime) -> datetime:
    return deleted_at + timedelta(days=RESTORE_DAYS)


async def delete_account(
    session: AsyncSession,
    types: JobTypes,
    belongings: Belongings,
    user: User,
    *,
    actor_id: uuid.UUID,
    network: str | None = None,
) -> None:
    """Delete an account for now: nobody can sign in, work on its own files stops, and it is purged after 30 days.

    Raises `StillResponsible` while a team would have no owner or payer, or a subscription would renew.
    """
    await _require_free(session, user.id)
    await belongings.stop_of_person(session, types, user.id)
    deleted_at = user.deleted_at = (await session.scalars(select(clock.now()))).one()
    end_connections(session, await session_ends.end_all(session, user.id))
    await browse_as.end_for(session, user.id)
    await _tell_teams(session, user.id)
    await revoke_all(session, user.id)
    await session.execute(delete(PasswordReset).where(PasswordReset.user_id == user.id))
    until = date_in_words(restore_until(deleted_at), user.locale)
    send_later(session, AccountDeleted(to=user.email, locale=user.locale, name=user.name, until=until))
    record(
        session,
        AuditAction.ACCOUNT_DELETED,
        actor_id=actor_id,
        actor_email=user.email if actor_id == user.id else None,
        subject_id=user.id,
        network=network,
    )
    await session.flush()


async def restore_account(
    session: AsyncSession,
    user: User,
    *,
    actor_id: uuid.UUID,
    network: str | None = None,
) -> None:
    """Undo a deletion. Files are as they were, except that work on them was cancelled."""
    user.deleted_at = None
    await session.flush()
    await _tell_teams(session, user.id)
    record(
        session,
        AuditAction.ACCOUNT_RESTORED,
        actor_id=actor_id,
        actor_email=user.email if actor_id == user.id else None,
        subject_id=user.id,
        network=network,
    )


async def _tell_teams(session: AsyncSession, user_id: uuid.UUID) -> None:
    """Have the pages of colleagues look who is there: the account is not in its teams while it is deleted."""
    for mine in await teams_of_user(session, user_id):
        announce(session, mine.team, await members_of(session, mine.team.id))


async def _require_free(session: AsyncSession, user_id: uuid.UUID) -> None:
    teams = await _teams_without_another(session, user_id)
    if teams:
        names = [f"“{team.name}”" for team in teams]
        listed = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
        raise StillResponsible(OWNS_TEAMS(teams=listed))
    renews = select(Subscription.id).where(
        Subscription.user_id == user_id,
        Subscription.is_current,
        Subscription.status.in_(OPEN),
        Subscription.cancel_at.is_(None),
    )
    if await session.scalar(renews.limit(1)) is not None:
        raise StillResponsible(RENEWS)


async def _teams_without_another(session: AsyncSession, user_id: uuid.UUID) -> Sequence[Team]:
    """The teams that this person pays for or is the only owner of. Their rows are locked: an owner may be leaving."""
    mine, other = aliased(Membership), aliased(Membership)
    owns = exists().where(mine.team_id == Team.id, mine.user_id == user_id, mine.role == TeamRole.OWNER)
    has_another: ColumnElement[bool] = (
        exists()
        .where(
            other.team_id == Team.id,
            other.user_id != user_id,
            other.role == TeamRole.OWNER,
            User.id == other.user_id,
            User.deleted_at.is_(None),
        )
        .correlate(Team)
    )
    statement = (
        select(Team)
        .where(Team.deleted_at.is_(None), or_(Team.payer_id == user_id, owns & ~has_another))
        .order_by(Team.id)
        .with_for_update()
    )
    teams = (await session.scalars(statement)).all()
    return sorted(teams, key=lambda team: team.name)
