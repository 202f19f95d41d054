"""Make an account, delete and restore it, and let its owner choose a password."""

from __future__ import annotations

import uuid

from sqlalchemy.ext.asyncio import AsyncSession

from api.edges.admin.users.contracts import agree
from api.edges.admin.users.queries import find
from api.edges.admin.users.schemas import NewUser
from api.edges.admin.users.service import DELETED, note_details, require_another_admin
from api.people.access.belongings import Belongings
from api.people.account.deletion import delete_account, restore_account
from api.people.account.passwords import start_reset
from api.people.account.sign_out import sign_out_everywhere
from api.people.account.suspension import resume, suspend
from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth import browse_as
from api.people.auth import service as registrations
from api.people.auth.passwords import hash_password
from api.people.auth.viewer import Viewer
from api.people.auth.weak_passwords import WEAK, is_weak
from api.people.second_factor import service as second_factor
from api.people.users.models import NO_PASSWORD, User
from api.platform.db.base import utc_now
from api.platform.http.errors import Conflict, Invalid
from api.platform.jobs.job_type import JobTypes
from api.platform.mail.messages import SecondFactorChanged, Welcome
from api.platform.mail.outgoing import send_later
from api.platform.settings import ApiSettings
from cluster.wording.message import Message

WELCOME_MINUTES = 3 * 24 * 60
NOT_YOURSELF = Message("admin.not_yourself", "You cannot turn your own account off.")
OWN_ACCOUNT = Message("admin.own_account", "Delete your own account in its settings.")
LINK_MINUTES = 24 * 60


async def hash_of(wanted: NewUser) -> str:
    """Before the transaction: a hash takes 30 ms. Raises `Invalid` for a weak password."""
    if wanted.password is None:
        return NO_PASSWORD
    if is_weak(wanted.password, name=wanted.name, email=wanted.email):
        raise Invalid.field("password", WEAK)
    return await hash_password(wanted.password)


async def create(
    session: AsyncSession, settings: ApiSettings, viewer: Viewer, wanted: NewUser, password_hash: str
) -> User:
    """Make an account with a contract. Raises `Invalid` when the address has an account.

    With a password the administrator vouches for the address. Without one a link in the welcome mail verifies it.
    """
    user = await registrations.register(session, name=wanted.name, email=wanted.email, password_hash=password_hash)
    user.locale = wanted.locale
    await note_details(session, settings, user.id, contact=wanted.contact or "", ssn=wanted.ssn or "")
    record_for(session, viewer, AuditAction.USER_CREATED, subject_id=user.id)
    await agree(session, viewer, user.id, wanted)
    if password_hash != NO_PASSWORD:
        user.email_verified_at = utc_now()
        return user
    link = await start_reset(session, settings, user, minutes=WELCOME_MINUTES)
    send_later(session, Welcome(to=user.email, locale=user.locale, name=user.name, link=link, minutes=WELCOME_MINUTES))
    return user


async def remove(
    session: AsyncSession, types: JobTypes, belongings: Belongings, viewer: Viewer, user_id: uuid.UUID
) -> None:
    """Delete an account so that it can be restored."""
    user = await find(session, user_id, hold=True)
    if user.id == viewer.user_id:
        raise Conflict(OWN_ACCOUNT)
    if user.deleted_at is not None:
        return
    if user.is_admin:
        await require_another_admin(session, user.id)
    await browse_as.end_for(session, user.id)
    await delete_account(session, types, belongings, user, actor_id=viewer.user_id, network=viewer.network)


async def restore(session: AsyncSession, viewer: Viewer, user_id: uuid.UUID) -> User:
    user = await find(session, user_id, hold=True)
    if user.deleted_at is not None:
        await restore_account(session, user, actor_id=viewer.user_id, network=viewer.network)
    return user


async def send_link(session: AsyncSession, settings: ApiSettings, viewer: Viewer, user_id: uuid.UUID) -> User:
    """Mail the owner a link to choose a password."""
    user = await find(session, user_id, hold=True)
    if user.deleted_at is not None:
        raise Conflict(DELETED)
    link = await start_reset(session, settings, user, minutes=LINK_MINUTES)
    send_later(session, Welcome(to=user.email, locale=user.locale, name=user.name, link=link, minutes=LINK_MINUTES))
    record_for(session, viewer, AuditAction.USER_RESET_SENT, subject_id=user.id)
    return user


async def turn_off_second_factor(session: AsyncSession, viewer: Viewer, user_id: uuid.UUID) -> User:
    """For somebody who has lost their app or passkeys, and their recovery codes. They get a mail.

    Raises `Conflict` where it is off.
    """
    user = await find(session, user_id, hold=True)
    await second_factor.give_up(session, user)
    await sign_out_everywhere(session, user.id)
    record_for(session, viewer, AuditAction.SECOND_FACTOR_RESET, subject_id=user.id)
    send_later(session, SecondFactorChanged(to=user.email, locale=user.locale, name=user.name, is_on=False))
    return user


async def turn(session: AsyncSession, viewer: Viewer, user_id: uuid.UUID, *, is_on: bool) -> User:
    """Let the owner in no more, or again. Raises `Conflict` for one's own account and the last administrator."""
    user = await find(session, user_id, hold=True)
    if user.id == viewer.user_id:
        raise Conflict(NOT_YOURSELF)
    admin = (await session.get_one(User, viewer.user_id)).name
    if is_on:
        await resume(session, user, by=admin)
    else:
        await suspend(session, user, by=admin)
    return user


async def sign_out(session: AsyncSession, viewer: Viewer, user_id: uuid.UUID) -> User:
    """Sign the owner out in every browser."""
    user = await find(session, user_id, hold=True)
    await sign_out_everywhere(session, user.id)
    record_for(session, viewer, AuditAction.USER_SIGNED_OUT, subject_id=user.id)
    return user
