"""Turn an account off and on again: who has left an organisation keeps what is theirs and gets in no more."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.account.sign_out import sign_out_everywhere
from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.auth import browse_as
from api.people.users.models import User
from api.people.users.queries import has_other_admin
from api.platform.db import clock
from api.platform.http.errors import Conflict
from cluster.wording.message import Message

LAST_ADMIN = Message(
    "account.last_admin_suspended", "This is the last administrator here. Make somebody else one first."
)


async def suspend(session: AsyncSession, user: User, *, by: str) -> None:
    """Sign somebody out everywhere and let them in no more; their keys and review links rest. `by` is for the log.

    Raises `Conflict` for the last administrator.
    """
    if user.suspended_at is not None:
        return
    if user.is_admin and not await has_other_admin(session, user.id):
        raise Conflict(LAST_ADMIN)
    user.suspended_at = (await session.scalars(select(clock.now()))).one()
    await sign_out_everywhere(session, user.id)
    await browse_as.end_for(session, user.id)
    record(session, AuditAction.ACCOUNT_SUSPENDED, actor_id=None, subject_id=user.id, by=by)


async def resume(session: AsyncSession, user: User, *, by: str) -> None:
    """Let somebody in again."""
    if user.suspended_at is None:
        return
    user.suspended_at = None
    record(session, AuditAction.ACCOUNT_RESUMED, actor_id=None, subject_id=user.id, by=by)
