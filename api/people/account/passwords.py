"""Set a password: by a link from a mail, or in the settings."""

from __future__ import annotations

import secrets
import uuid
from urllib.parse import quote

from sqlalchemy import delete, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.belongings import Belongings
from api.people.account.errors import LinkExpired
from api.people.account.limits import RESET_MINUTES
from api.people.account.locales import Locale
from api.people.account.models import PasswordReset
from api.people.account.sign_out import sign_out_everywhere
from api.people.api_keys.service import revoke_all
from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.auth import sessions
from api.people.auth.emails import login_email
from api.people.auth.service import find_login
from api.people.auth.viewer import Viewer
from api.people.providers.models import Identity
from api.people.second_factor import service as second_factor
from api.people.users.models import NO_PASSWORD, User
from api.people.users.passkeys import Passkey, has_passkeys
from api.people.users.restrictions import is_locked
from api.platform.db import clock
from api.platform.db.base import utc_now
from api.platform.http.errors import Conflict
from api.platform.jobs.models import OutboxMessage
from api.platform.mail.messages import PasswordChanged, ResetPassword
from api.platform.mail.outgoing import MAIL, send_later, stamped
from api.platform.settings import ApiSettings
from cluster.wording.message import Message

NO_PASSWORD_LEFT = Message("account.no_password_left", "Your account has no password any more.")
PASSKEY_FIRST = Message("account.passkey_first", "Add a passkey first, or you could not sign in any more.")
TOKEN_BYTES = 32
NOBODY = uuid.UUID(int=0)


async def start_reset(session: AsyncSession, settings: ApiSettings, user: User, *, minutes: int = RESET_MINUTES) -> str:
    """A link with which somebody chooses a password for this account, once. Older links stop working."""
    return await _new_link(session, settings, user.id, user.email, minutes)


async def forgot(session: AsyncSession, settings: ApiSettings, email: str) -> None:
    """Send a link to an account of this address.

    An address without an account takes the same statements: its row has no account, and its mail counts as sent.
    """
    user = await find_login(session, email)
    if user is not None and is_locked(settings, user):
        user = None
    to = login_email(email)
    link = await _new_link(session, settings, None if user is None else user.id, to, RESET_MINUTES)
    mail = ResetPassword(
        to=to,
        locale=Locale.EN if user is None else user.locale,
        name="" if user is None else user.name,
        link=link,
        minutes=RESET_MINUTES,
    )
    session.add(OutboxMessage(topic=MAIL, payload=stamped(mail), published_at=utc_now() if user is None else None))


async def account_of(session: AsyncSession, token: str, email: str) -> User:
    """The account whose password a link may set. Raises `LinkExpired`."""
    statement = (
        select(User)
        .join(PasswordReset, PasswordReset.user_id == User.id)
        .where(
            PasswordReset.token_hash == sessions.hash_token(token),
            PasswordReset.expires_at > clock.now(),
            User.email == login_email(email),
        )
    )
    user = (await session.scalars(statement)).one_or_none()
    if user is None:
        raise LinkExpired
    return user


async def reset(
    session: AsyncSession, token: str, user_id: uuid.UUID, password_hash: str, *, code: str, network: str
) -> None:
    """Set the password, use the link up, and sign the person out everywhere. Raises `LinkExpired` for the second use.

    Whoever has removed the password gives a recovery `code` too. Raises `Invalid` for the field.

    The link came by mail, so it verifies the address too. Where nobody had verified it, somebody else may have made the
    account for this address: what they added to get in without the password goes. A second factor stays, because a mail
    alone must not get around it.
    """
    spent = delete(PasswordReset).where(
        PasswordReset.token_hash == sessions.hash_token(token),
        PasswordReset.user_id == user_id,
        PasswordReset.expires_at > clock.now(),
    )
    if (await session.scalar(spent.returning(PasswordReset.token_hash))) is None:
        raise LinkExpired
    user = await session.get_one(User, user_id, with_for_update=True)
    if await second_factor.guards_reset(session, user):
        await second_factor.take_recovery_code(session, user, code)
    if user.email_verified_at is None:
        await session.execute(delete(Identity).where(Identity.user_id == user.id))
        await session.execute(delete(Passkey).where(Passkey.user_id == user.id))
        await revoke_all(session, user.id)
        user.email_verified_at = utc_now()
    await _set(session, user, password_hash, AuditAction.PASSWORD_RESET, network)
    await sign_out_everywhere(session, user.id)


async def change(
    session: AsyncSession, belongings: Belongings, viewer: Viewer, password_hash: str, *, network: str
) -> str:
    """Set the password of somebody who is signed in and sign them out elsewhere. Returns the browser's new cookie.

    Uploads that this browser is sending continue.
    """
    user = await session.get_one(User, viewer.user_id, with_for_update=True)
    await _set(session, user, password_hash, AuditAction.PASSWORD_CHANGED, network)
    await sign_out_everywhere(session, user.id, but=viewer.session_id)
    token = await sessions.rename(session, viewer.session_hash or "")
    await belongings.continue_uploads(session, viewer.session_hash, sessions.hash_token(token))
    return token


async def remove(session: AsyncSession, viewer: Viewer, *, network: str) -> list[str]:
    """Sign in with passkeys alone from now on. Returns the recovery codes with which a mail may set a password again;
    none where there is an app, whose codes stay.

    Everybody else who is signed in to the account is signed out. Raises `Conflict` where no passkey is left.
    """
    user = await session.get_one(User, viewer.user_id, with_for_update=True)
    if user.password_hash == NO_PASSWORD:
        raise Conflict(NO_PASSWORD_LEFT)
    if not await has_passkeys(session, user.id):
        raise Conflict(PASSKEY_FIRST)
    await _set(session, user, NO_PASSWORD, AuditAction.PASSWORD_REMOVED, network)
    await sign_out_everywhere(session, user.id, but=viewer.session_id)
    if user.second_factor_at is not None:
        return []
    return await second_factor.new_recovery_codes(session, user.id)


async def forget_resets(session: AsyncSession, user_id: uuid.UUID) -> None:
    """Make the links that were sent for an account useless."""
    await session.execute(delete(PasswordReset).where(PasswordReset.user_id == user_id))


async def _set(session: AsyncSession, user: User, password_hash: str, action: AuditAction, network: str) -> None:
    user.password_hash = password_hash
    await forget_resets(session, user.id)
    await second_factor.trust_no_browser(session, user.id)
    await second_factor.forget_waiting(session, user.id)
    is_gone = password_hash == NO_PASSWORD
    if not is_gone and user.second_factor_at is None:
        await second_factor.forget_recovery_codes(session, user.id)
    send_later(session, PasswordChanged(to=user.email, locale=user.locale, name=user.name, is_gone=is_gone))
    record(session, action, actor_id=user.id, actor_email=user.email, subject_id=user.id, network=network)


async def _new_link(
    session: AsyncSession, settings: ApiSettings, user_id: uuid.UUID | None, email: str, minutes: int
) -> str:
    token = secrets.token_urlsafe(TOKEN_BYTES)
    is_old = PasswordReset.expires_at < clock.now()
    await session.execute(delete(PasswordReset).where(or_(PasswordReset.user_id == (user_id or NOBODY), is_old)))
    session.add(
        PasswordReset(token_hash=sessions.hash_token(token), user_id=user_id, expires_at=clock.now(minutes * 60))
    )
    await session.flush()
    return f"{settings.base_url}/reset/{token}/{quote(email, safe='')}"
