"""Links that show that mail to an address reaches its owner.

A link is signed over the account, the address and its end, so it needs no row and serves only that address.
"""

from __future__ import annotations

import hashlib
import hmac
import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.account.errors import LinkExpired
from api.people.account.limits import VERIFY_HOURS
from api.people.account.passwords import forget_resets
from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.auth.service import EMAIL_TAKEN
from api.people.membership.domains import require_domains
from api.people.users.models import User
from api.platform.db import clock
from api.platform.http.errors import Invalid
from api.platform.mail.messages import VerifyEmail
from api.platform.mail.outgoing import send_later
from api.platform.settings import ApiSettings

STAMP_DIGITS = 12


async def send_link(session: AsyncSession, settings: ApiSettings, user: User) -> None:
    """Send the link for the address that waits to be verified: the new one, or else the account's own."""
    email = user.pending_email or user.email
    ends_at = (await session.scalars(select(clock.now(VERIFY_HOURS * 3600)))).one()
    stamp = str(int(ends_at.timestamp()))
    link = f"{settings.base_url}/email/verification/{user.id}/{stamp}/{_sign(settings, user.id, email, stamp)}"
    send_later(session, VerifyEmail(to=email, locale=user.locale, name=user.name, link=link, hours=VERIFY_HOURS))


async def verify(session: AsyncSession, settings: ApiSettings, user_id: str, hash: str, *, network: str) -> User:
    """Take an address as verified. `hash` is the rest of the link's path. Raises `LinkExpired` unless it fits.

    A link that was opened before succeeds again while it fits the account: mail programs open links too.
    """
    user = await _account(session, user_id)
    stamp, _, signature = hash.strip("/").partition("/")
    if user is None or not await _is_ahead(session, stamp):
        raise LinkExpired
    if _fits(settings, user, user.email, stamp, signature):
        if user.email_verified_at is None:
            user.email_verified_at = await _now(session)
            _record(session, AuditAction.EMAIL_VERIFIED, user, network)
        return user
    if user.pending_email is None or not _fits(settings, user, user.pending_email, stamp, signature):
        raise LinkExpired
    await require_domains(session, user, user.pending_email)
    now = await _now(session)
    before, user.email, user.pending_email = user.email, user.pending_email, None
    user.email_verified_at = now
    try:
        await session.flush()
    except IntegrityError:
        raise Invalid.field("email", EMAIL_TAKEN) from None
    # Their links went to the old address.
    await forget_resets(session, user.id)
    _record(session, AuditAction.EMAIL_CHANGED, user, network, before=before, after=user.email)
    return user


async def _account(session: AsyncSession, user_id: str) -> User | None:
    try:
        wanted = uuid.UUID(user_id)
    except ValueError:
        return None
    statement = select(User).where(User.id == wanted, User.deleted_at.is_(None)).with_for_update()
    return (await session.scalars(statement)).one_or_none()


async def _now(session: AsyncSession) -> datetime:
    now: datetime = (await session.scalars(select(clock.now()))).one()
    return now


async def _is_ahead(session: AsyncSession, stamp: str) -> bool:
    is_number = stamp.isascii() and stamp.isdigit() and len(stamp) <= STAMP_DIGITS
    return is_number and int(stamp) > (await _now(session)).timestamp()


def _fits(settings: ApiSettings, user: User, email: str, stamp: str, signature: str) -> bool:
    expected = _sign(settings, user.id, email, stamp)
    return hmac.compare_digest(signature.encode("utf-8", "replace"), expected.encode())


def _sign(settings: ApiSettings, user_id: uuid.UUID, email: str, stamp: str) -> str:
    signed = f"verify-email\n{user_id}\n{stamp}\n{email}"
    return hmac.new(settings.signing_key.encode(), signed.encode(), hashlib.sha256).hexdigest()


def _record(session: AsyncSession, action: AuditAction, user: User, network: str, **details: Any) -> None:
    record(session, action, actor_id=user.id, actor_email=user.email, subject_id=user.id, network=network, **details)
