"""Open a session for somebody who has shown who they are."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import Request

from api.people.account.deletion import restore_account, restore_until
from api.people.account.errors import AccountInBin, Suspended
from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.auth import session_ends, sessions
from api.people.auth.address import client_network, device_of
from api.people.auth.cookies import session_cookie
from api.people.users.models import User
from api.platform.db.base import utc_now
from api.platform.jobs.outbox import end_connections
from api.platform.settings import ApiSettings


async def open_session(
    session: AsyncSession,
    settings: ApiSettings,
    request: Request,
    user: User,
    *,
    session_id: uuid.UUID | None = None,
    provider: str | None = None,
) -> str:
    """Sign somebody in and return the cookie value. Whoever was signed in in this browser is signed out.

    `provider` is the name of the identity provider or passkey that vouched for them, for the log of the account. Raises
    `Suspended`.
    """
    if user.suspended_at is not None:
        raise Suspended
    cookie = request.cookies.get(session_cookie(settings), "")
    end_connections(session, [*await session_ends.end(session, cookie), *await session_ends.end_expired(session)])
    about: dict[str, Any] = {} if provider is None else {"provider": provider}
    record(
        session,
        AuditAction.SIGNED_IN if provider is None else AuditAction.SIGNED_IN_WITH,
        actor_id=user.id,
        actor_email=user.email,
        subject_id=user.id,
        network=client_network(request),
        **about,
    )
    session_id = session_id or uuid.uuid4()
    shortest = await session_ends.shortest_of(session, user.id)
    if shortest is not None:
        end_connections(session, [session_id], at=utc_now() + shortest)
    hours, hours_max = settings.session_hours, settings.session_hours_max
    return await sessions.start(
        session,
        user_id=user.id,
        hours=min(hours, hours_max) if hours_max else hours,
        device=device_of(request),
        session_id=session_id,
    )


async def require_not_deleted(session: AsyncSession, user: User, *, restore: bool, network: str | None = None) -> None:
    """Restore a deleted account if the person wants that. Raises `AccountInBin` when nobody asked for it."""
    if user.deleted_at is None:
        return
    if not restore:
        raise AccountInBin(restore_until(user.deleted_at).date())
    await restore_account(session, user, actor_id=user.id, network=network)
