"""A second factor: an authenticator app with recovery codes, and browsers that are trusted for a while."""

from __future__ import annotations

import base64
import secrets
import time
import uuid
from dataclasses import dataclass

import pyotp
from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.auth.sessions import hash_token, new_token
from api.people.providers.models import Identity
from api.people.second_factor.errors import IS_OFF, IS_ON, NOT_BEGUN, RECOVERY_CODE_NEEDED, WRONG_CODE, CodeStale
from api.people.second_factor.limits import (
    RECOVERY_BYTES,
    RECOVERY_CODES,
    STEP_S,
    STEPS_AROUND,
    TRUSTED_DAYS,
    WAITING_S,
)
from api.people.second_factor.models import AuthenticatorApp, RecoveryCode, TrustedBrowser, WaitingSignIn
from api.people.users.models import NO_PASSWORD, User
from api.platform.db import clock
from api.platform.db.upsert import put
from api.platform.http.errors import Conflict, Invalid
from api.platform.sealing import seal, unseal
from api.platform.settings import ApiSettings

PURPOSE = b"sagascript authenticator apps"
ISSUER = "Sagascript"
TRUSTED_S = TRUSTED_DAYS * 24 * 3600


@dataclass(frozen=True, slots=True)
class NewApp:
    """`secret` in base32, for typing; `address` is what the QR code holds."""

    secret: str
    address: str


async def is_on(session: AsyncSession, user_id: uuid.UUID) -> bool:
    """Whether an account asks for a code."""
    return await session.scalar(select(User.second_factor_at).where(User.id == user_id)) is not None


async def require_on(session: AsyncSession, user_id: uuid.UUID) -> None:
    """Raises `Conflict` for an account that asks for no code."""
    if not await is_on(session, user_id):
        raise Conflict(IS_OFF)


async def begin(session: AsyncSession, settings: ApiSettings, user: User) -> NewApp:
    """A new secret, which counts once a code of it is entered. Raises `Conflict` where one is on already."""
    if user.second_factor_at is not None:
        raise Conflict(IS_ON)
    app = await session.get(AuthenticatorApp, user.id)
    secret = pyotp.random_base32()
    if app is None:
        app = AuthenticatorApp(user_id=user.id)
        session.add(app)
    app.secret = seal(settings, PURPOSE, secret)
    app.last_step = 0
    return NewApp(secret, pyotp.TOTP(secret).provisioning_uri(name=user.email, issuer_name=ISSUER))


async def confirm(session: AsyncSession, settings: ApiSettings, user: User, code: str) -> list[str]:
    """Turn the new app on by its first code. Returns the recovery codes, which nobody sees again.

    Raises `Invalid` for a wrong code, `Conflict` where none was begun.
    """
    if user.second_factor_at is not None:
        raise Conflict(IS_ON)
    app = await session.get(AuthenticatorApp, user.id)
    if app is None:
        raise Conflict(NOT_BEGUN)
    if not await _take_app_code(session, settings, app, code):
        raise Invalid.field("code", WRONG_CODE)
    user.second_factor_at = (await session.scalars(select(clock.now()))).one()
    return await new_recovery_codes(session, user.id)


async def take_code(session: AsyncSession, settings: ApiSettings, user_id: uuid.UUID, code: str) -> None:
    """Use up a code of the app, or a recovery code. Raises `Invalid` for any other."""
    app = await session.get(AuthenticatorApp, user_id)
    if app is None or not await is_on(session, user_id):
        raise Conflict(IS_OFF)
    if await _take_app_code(session, settings, app, code) or await _take_recovery_code(session, user_id, code):
        return
    raise Invalid.field("code", WRONG_CODE)


async def new_recovery_codes(session: AsyncSession, user_id: uuid.UUID) -> list[str]:
    """Fresh codes; those from before are worth nothing."""
    await forget_recovery_codes(session, user_id)
    codes = [_recovery_code() for _ in range(RECOVERY_CODES)]
    session.add_all(RecoveryCode(user_id=user_id, code_hash=hash_token(_plain(code))) for code in codes)
    return codes


async def recovery_codes_left(session: AsyncSession, user_id: uuid.UUID) -> int:
    return (
        await session.scalar(select(func.count()).select_from(RecoveryCode).where(RecoveryCode.user_id == user_id))
    ) or 0


async def guards_reset(session: AsyncSession, user: User) -> bool:
    """Whether a mail alone sets no password, because its owner has removed it.

    With an app, the sign-in after it asks for a code.
    """
    if user.second_factor_at is not None or user.password_hash != NO_PASSWORD:
        return False
    return await recovery_codes_left(session, user.id) > 0


async def take_recovery_code(session: AsyncSession, user: User, code: str) -> None:
    """Use one up. Raises `Invalid` for any other."""
    if not await _take_recovery_code(session, user.id, code):
        raise Invalid.field("code", WRONG_CODE if code else RECOVERY_CODE_NEEDED)


async def forget_recovery_codes(session: AsyncSession, user_id: uuid.UUID) -> None:
    await session.execute(delete(RecoveryCode).where(RecoveryCode.user_id == user_id))


async def give_up(session: AsyncSession, user: User) -> None:
    """For somebody who has lost everything: no app, no recovery codes. Raises `Conflict` where there is neither."""
    if user.second_factor_at is None and not await guards_reset(session, user):
        raise Conflict(IS_OFF)
    user.second_factor_at = None
    for table in (AuthenticatorApp, RecoveryCode, WaitingSignIn, TrustedBrowser):
        await session.execute(delete(table).where(table.user_id == user.id))


async def turn_off(session: AsyncSession, user: User) -> None:
    """Remove the app, and what trusted browsers hold. Raises `Conflict` where it is off.

    The recovery codes go with it, unless passkeys are all that is left: then they guard the link by mail.
    """
    if user.second_factor_at is None:
        raise Conflict(IS_OFF)
    user.second_factor_at = None
    linked = await session.scalar(select(Identity.id).where(Identity.user_id == user.id).limit(1))
    if user.password_hash != NO_PASSWORD or linked is not None:
        await forget_recovery_codes(session, user.id)
    for table in (AuthenticatorApp, WaitingSignIn, TrustedBrowser):
        await session.execute(delete(table).where(table.user_id == user.id))


async def trust(session: AsyncSession, user_id: uuid.UUID) -> str:
    """Ask this browser for no code for a while. Returns its cookie value."""
    token = new_token()
    session.add(TrustedBrowser(token_hash=hash_token(token), user_id=user_id, expires_at=clock.now(TRUSTED_S)))
    return token


async def is_trusted(session: AsyncSession, user_id: uuid.UUID, token: str) -> bool:
    statement = select(TrustedBrowser.user_id).where(
        TrustedBrowser.token_hash == hash_token(token), TrustedBrowser.expires_at > clock.now()
    )
    return bool(token) and await session.scalar(statement) == user_id


async def trusted_browsers(session: AsyncSession, user_id: uuid.UUID) -> int:
    """How many browsers need no code."""
    statement = select(func.count()).where(TrustedBrowser.user_id == user_id, TrustedBrowser.expires_at > clock.now())
    return await session.scalar(statement) or 0


async def trust_no_browser(session: AsyncSession, user_id: uuid.UUID) -> None:
    await session.execute(delete(TrustedBrowser).where(TrustedBrowser.user_id == user_id))


async def wait_for_code(session: AsyncSession, user_id: uuid.UUID, browser: str, *, restore: bool) -> None:
    """Note that the password was right in the browser with this session cookie."""
    values = {"user_id": user_id, "restore": restore, "expires_at": clock.now(WAITING_S)}
    await put(session, WaitingSignIn, {"browser_hash": hash_token(browser)}, values)


async def waiting(session: AsyncSession, browser: str) -> WaitingSignIn:
    """The sign-in that waits in this browser. Raises `CodeStale`."""
    statement = select(WaitingSignIn).where(
        WaitingSignIn.browser_hash == hash_token(browser), WaitingSignIn.expires_at > clock.now()
    )
    found = (await session.scalars(statement)).one_or_none()
    if found is None:
        raise CodeStale
    return found


async def forget_waiting(session: AsyncSession, user_id: uuid.UUID) -> None:
    """After a new password: whoever knew the old one must not go on with it."""
    await session.execute(delete(WaitingSignIn).where(WaitingSignIn.user_id == user_id))


async def _take_app_code(session: AsyncSession, settings: ApiSettings, app: AuthenticatorApp, code: str) -> bool:
    digits = "".join(code.split())
    if not (digits.isascii() and digits.isdigit()):
        return False
    step = _step_of(unseal(settings, PURPOSE, app.secret), digits)
    if step is None:
        return False
    # One statement, so that of two calls with the same code one alone gets in.
    taken = (
        update(AuthenticatorApp)
        .where(AuthenticatorApp.user_id == app.user_id, AuthenticatorApp.last_step < step)
        .values(last_step=step)
        .returning(AuthenticatorApp.user_id)
    )
    return await session.scalar(taken) is not None


def _step_of(secret: str, digits: str) -> int | None:
    """The time step to which a code belongs, or None."""
    totp, now = pyotp.TOTP(secret), int(time.time()) // STEP_S
    steps = range(now - STEPS_AROUND, now + STEPS_AROUND + 1)
    return next((step for step in steps if secrets.compare_digest(totp.at(step * STEP_S), digits)), None)


async def _take_recovery_code(session: AsyncSession, user_id: uuid.UUID, code: str) -> bool:
    used = (
        delete(RecoveryCode)
        .where(RecoveryCode.user_id == user_id, RecoveryCode.code_hash == hash_token(_plain(code)))
        .returning(RecoveryCode.id)
    )
    return await session.scalar(used) is not None


def _recovery_code() -> str:
    """64 random bits as 13 letters and digits, in groups that can be read out."""
    text = base64.b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode().rstrip("=").lower()
    return f"{text[:4]}-{text[4:8]}-{text[8:]}"


def _plain(code: str) -> str:
    return "".join(letter for letter in code.lower() if letter.isalnum())
