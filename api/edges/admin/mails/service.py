"""Send a mail that failed once more, or give it up. Each leaves an audit entry."""

from __future__ import annotations

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.edges.admin.mails.schemas import kind_of
from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth.viewer import Viewer
from api.people.users.models import User
from api.platform.db import clock
from api.platform.http.errors import Conflict, NotFound
from api.platform.jobs.models import OutboxMessage
from api.platform.mail.outgoing import is_unsent, link_ends_at
from cluster.wording.message import Message

GONE = Message("admin.gone", "This mail is no longer here. It may have been sent meanwhile.")
EXPIRED = Message(
    "admin.expired", "The link in this mail has expired. The person can ask for a new one; discard this mail."
)


async def retry(session: AsyncSession, admin: Viewer, mail_id: int) -> OutboxMessage:
    """Try a mail again now. Raises NotFound and Conflict."""
    message = await _find(session, mail_id)
    now = (await session.scalars(select(clock.now()))).one()
    ends_at = link_ends_at(message.payload)
    if ends_at is not None and ends_at <= now:
        raise Conflict(EXPIRED)
    message.failed_at = message.not_before = None
    message.attempts = 0
    await _record(session, admin, AuditAction.MAIL_RETRIED, message)
    return message


async def discard(session: AsyncSession, admin: Viewer, mail_id: int) -> None:
    """Delete a mail that has not left. Raises NotFound."""
    message = await _find(session, mail_id)
    await _record(session, admin, AuditAction.MAIL_DISCARDED, message)
    await session.execute(delete(OutboxMessage).where(OutboxMessage.id == message.id))


async def _find(session: AsyncSession, mail_id: int) -> OutboxMessage:
    statement = select(OutboxMessage).where(OutboxMessage.id == mail_id, is_unsent()).with_for_update()
    message = (await session.scalars(statement)).one_or_none()
    if message is None:
        raise NotFound(GONE)
    return message


async def _record(session: AsyncSession, admin: Viewer, action: AuditAction, message: OutboxMessage) -> None:
    address = str(message.payload.get("to", ""))
    receiver = (await session.scalars(select(User.id).where(User.email == address))).one_or_none()
    record_for(
        session,
        admin,
        action,
        subject_id=receiver,
        object_kind="mail",
        object_id=str(message.id),
        kind=kind_of(message.payload),
        to=address,
    )
