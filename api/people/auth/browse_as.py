"""Browse as a customer: an administrator's session shows their account for a while.

The session stays the administrator's. It gets a new cookie where it loses rights or changes accounts, so that none of
an old one's tokens works on.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.audit.actions import AuditAction
from api.people.audit.service import record, record_for
from api.people.auth.sessions import hash_token, new_token
from api.people.auth.viewer import Viewer
from api.people.users.models import BrowserSession, User
from api.people.users.schemas import BrowseAs
from api.platform.db import clock
from api.platform.http.errors import Conflict, NotFound, NotSignedIn
from cluster.wording.message import Message

LASTS = timedelta(minutes=30)

NO_USER = Message("auth.no_user", "There is no such account, or it has been deleted.")
NESTED = Message("auth.nested", "You are in somebody's account already. End that first.")
OF_ADMIN = Message("auth.of_admin", "Nobody can browse as an administrator, nor as themselves.")
NOT_BROWSING = Message("auth.not_browsing", "You are in your own account. Start browsing as somebody first.")


@dataclass(frozen=True, slots=True)
class BrowseStart:
    """`token` is the session's new cookie value, `id` names the look into the account."""

    id: uuid.UUID
    token: str
    subject: User


async def start(session: AsyncSession, viewer: Viewer, subject_id: uuid.UUID, reason: str) -> BrowseStart:
    """Show an account to an administrator. Raises `NotFound` or `Conflict`."""
    if viewer.admin_id is not None:
        raise Conflict(NESTED)
    subject = await session.get(User, subject_id)
    if subject is None or subject.deleted_at is not None or subject.suspended_at is not None:
        raise NotFound(NO_USER)
    if subject.is_admin:
        raise Conflict(OF_ADMIN)
    browse_id = uuid.uuid4()
    token = await _renew(
        session,
        viewer.session_hash or "",
        browse_id=browse_id,
        browse_user_id=subject.id,
        browse_ends_at=clock.now(LASTS.total_seconds()),
        browse_may_change=False,
    )
    record_for(
        session,
        viewer,
        AuditAction.BROWSE_AS_STARTED,
        subject_id=subject.id,
        browse_as=str(browse_id),
        reason=reason,
        minutes=int(LASTS.total_seconds() // 60),
    )
    return BrowseStart(browse_id, token, subject)


async def allow_changes(session: AsyncSession, viewer: Viewer) -> None:
    """Turn the second switch on. Raises `Conflict` in one's own account.

    The cookie stays: with a new one, calls under way would come back as signed out.
    """
    _check_browsing(viewer)
    held = BrowserSession.token_hash == viewer.session_hash
    await session.execute(update(BrowserSession).where(held).values(browse_may_change=True))
    record_for(session, viewer, AuditAction.BROWSE_AS_UNLOCKED)


async def forbid_changes(session: AsyncSession, viewer: Viewer) -> str:
    """Turn the second switch off. Returns the new cookie value. Raises `Conflict` in one's own account."""
    _check_browsing(viewer)
    token = await _renew(session, viewer.session_hash or "", browse_may_change=False)
    record_for(session, viewer, AuditAction.BROWSE_AS_LOCKED)
    return token


def _check_browsing(viewer: Viewer) -> None:
    if viewer.admin_id is None:
        raise Conflict(NOT_BROWSING)


async def end(session: AsyncSession, token: str, *, network: str) -> tuple[str, uuid.UUID | None]:
    """Return to one's own account, also after the time is over. Returns the new cookie value, and which look ended."""
    held = await session.get(BrowserSession, hash_token(token))
    if held is None:
        raise NotSignedIn
    if held.browse_user_id is None:
        return token, None
    record(
        session,
        AuditAction.BROWSE_AS_ENDED,
        actor_id=held.user_id,
        subject_id=held.browse_user_id,
        network=network,
        browse_as=str(held.browse_id),
    )
    browse_id = held.browse_id
    await session.flush()
    return await _renew(session, held.token_hash, **_NOBODY), browse_id


async def end_for(session: AsyncSession, user_id: uuid.UUID) -> None:
    """End every look into an account, and every look that its owner takes: they are deleted, or become or cease to be
    an administrator."""
    for whose in (BrowserSession.browse_user_id, BrowserSession.user_id):
        await session.execute(
            update(BrowserSession)
            .where(whose == user_id, BrowserSession.browse_user_id.is_not(None))
            .values(browse_ends_at=clock.now())
        )


async def ends_at(session: AsyncSession, token: str) -> datetime:
    """When a look that has just begun ends."""
    statement = select(BrowserSession.browse_ends_at).where(BrowserSession.token_hash == hash_token(token))
    until = (await session.scalars(statement)).one()
    if until is None:
        raise Conflict(NOT_BROWSING)
    return until


async def describe(session: AsyncSession, viewer: Viewer) -> BrowseAs | None:
    """Who browses as the viewer, and until when; None in one's own account."""
    if viewer.admin_id is None:
        return None
    statement = (
        select(User.name, BrowserSession.browse_ends_at)
        .join(BrowserSession, BrowserSession.user_id == User.id)
        .where(BrowserSession.token_hash == viewer.session_hash)
    )
    row = (await session.execute(statement)).one_or_none()
    if row is None or row.browse_ends_at is None:
        return None
    return BrowseAs(admin_name=row.name, ends_at=row.browse_ends_at, may_change=viewer.may_change)


_NOBODY: dict[str, object] = {
    "browse_id": None,
    "browse_user_id": None,
    "browse_ends_at": None,
    "browse_may_change": False,
}


async def _renew(session: AsyncSession, session_hash: str, **values: object) -> str:
    """Give a session a new cookie and these values. Raises `NotSignedIn` when it has just ended."""
    token = new_token()
    statement = (
        update(BrowserSession)
        .where(BrowserSession.token_hash == session_hash)
        .values(token_hash=hash_token(token), **values)
        .returning(BrowserSession.user_id)
    )
    if (await session.scalars(statement, execution_options={"synchronize_session": False})).one_or_none() is None:
        raise NotSignedIn
    return token
