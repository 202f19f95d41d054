"""Change accounts: their profile, who is an administrator."""

from __future__ import annotations

import uuid

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.edges.admin.users.queries import find
from api.edges.admin.users.schemas import UserChange
from api.people.audit.actions import AuditAction
from api.people.audit.service import Acting, record_for
from api.people.auth import browse_as
from api.people.auth.service import EMAIL_TAKEN
from api.people.companies.models import CustomerDetails
from api.people.companies.personal_numbers import seal
from api.people.users.models import User
from api.people.users.queries import has_other_admin
from api.platform.db.base import utc_now
from api.platform.http.errors import Conflict, Invalid
from api.platform.settings import ApiSettings
from cluster.wording.message import Message

LAST_ADMIN = Message("admin.last_admin", "This is the only administrator. Make somebody else one first.")
DELETED = Message("admin.service_deleted", "This account is deleted. Restore it first.")


async def change(
    session: AsyncSession, settings: ApiSettings, viewer: Acting, user_id: uuid.UUID, wanted: UserChange
) -> User:
    """Change what is given. The entry names the fields, never a personal number."""
    user = await find(session, user_id, hold=True)
    if user.deleted_at is not None:
        raise Conflict(DELETED)
    fields = []
    for name in ("name", "email", "locale"):
        value = getattr(wanted, name)
        if value is not None and value != getattr(user, name):
            setattr(user, name, value)
            fields.append(name)
    if wanted.email_verified is not None and wanted.email_verified != (user.email_verified_at is not None):
        user.email_verified_at = utc_now() if wanted.email_verified else None
        fields.append("email_verified")
    # Before the details: reading them would send the email that somebody else has.
    await flush(session)
    fields += await note_details(session, settings, user.id, contact=wanted.contact, ssn=wanted.ssn)
    if fields:
        record_for(session, viewer, AuditAction.USER_UPDATED, subject_id=user.id, fields=fields)
    return user


async def note_details(
    session: AsyncSession, settings: ApiSettings, user_id: uuid.UUID, *, contact: str | None, ssn: str | None
) -> list[str]:
    """Store what is given; empty text removes it. Returns the fields that changed."""
    if contact is None and ssn is None:
        return []
    details = await session.get(CustomerDetails, user_id)
    if details is None:
        details = CustomerDetails(user_id=user_id)
        session.add(details)
    fields = []
    if contact is not None and (contact or None) != details.contact:
        details.contact = contact or None
        fields.append("contact")
    if ssn is not None and (ssn or details.sealed_ssn):
        details.sealed_ssn = seal(settings, ssn) if ssn else None
        fields.append("ssn")
    return fields


async def set_admin(session: AsyncSession, viewer: Acting, user_id: uuid.UUID, is_admin: bool) -> User:
    """Give or take an administrator's rights. Raises `Conflict` for the last one."""
    user = await find(session, user_id, hold=True)
    if user.deleted_at is not None:
        raise Conflict(DELETED)
    if user.is_admin == is_admin:
        return user
    if not is_admin:
        await require_another_admin(session, user.id)
    user.is_admin = is_admin
    # Nobody browses as an administrator, and nobody else browses.
    await browse_as.end_for(session, user.id)
    action = AuditAction.USER_PROMOTED if is_admin else AuditAction.USER_DEMOTED
    record_for(session, viewer, action, subject_id=user.id)
    return user


async def require_another_admin(session: AsyncSession, user_id: uuid.UUID) -> None:
    """Raise `Conflict` if nobody else is an administrator."""
    if not await has_other_admin(session, user_id):
        raise Conflict(LAST_ADMIN)


async def flush(session: AsyncSession) -> None:
    try:
        await session.flush()
    except IntegrityError:
        raise Invalid.field("email", EMAIL_TAKEN) from None
