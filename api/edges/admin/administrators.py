"""Administrators as the command line makes and unmakes them. The entries name no actor: whoever has the machine."""

from __future__ import annotations

from sqlalchemy import select

from api.edges.admin.users.service import require_another_admin
from api.people.account.sign_out import sign_out_everywhere
from api.people.account.suspension import resume
from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.auth import browse_as
from api.people.auth.passwords import hash_password
from api.people.auth.service import find_login, register
from api.people.auth.weak_passwords import WEAK, is_weak
from api.people.second_factor import service as second_factor
from api.people.users.models import User
from api.platform.db.base import utc_now
from api.platform.db.engine import Database
from api.platform.http.errors import Conflict, NotFound
from api.platform.http.limits import PASSWORD_MIN
from api.platform.mail.messages import SecondFactorChanged
from api.platform.mail.outgoing import send_later
from cluster.wording.message import Message

NO_ACCOUNT = Message("admin.no_account", "There is no account with this address.")
NOT_AN_ADMIN = Message("admin.not_an_admin", "This account is not an administrator.")
DELETED = Message("admin.deleted", "This account is deleted. Its owner can restore it by signing in.")
TOO_SHORT = Message("admin.too_short", "The password must have at least {count} characters.", count=PASSWORD_MIN)
BY_COMMAND = "command line"


def refusal_of(password: str, name: str, email: str) -> str | None:
    """Why this password cannot be used; None if it can."""
    if len(password) < PASSWORD_MIN:
        return TOO_SHORT
    return WEAK if is_weak(password, name=name, email=email) else None


async def find(database: Database, email: str) -> User | None:
    async with database.read() as session:
        return await find_login(session, email)


async def make(database: Database, email: str, name: str, password: str) -> None:
    """Make an account that is an administrator."""
    password_hash = await hash_password(password)
    async with database.write() as session:
        user = await register(session, name=name, email=email, password_hash=password_hash)
        user.is_admin = True
        user.email_verified_at = utc_now()
        record(session, AuditAction.USER_CREATED, actor_id=None, subject_id=user.id, by=BY_COMMAND)
        record(session, AuditAction.USER_PROMOTED, actor_id=None, subject_id=user.id, by=BY_COMMAND)


async def promote(database: Database, email: str) -> None:
    """Make an existing account an administrator. Raises `NotFound` or `Conflict`."""
    async with database.write() as session:
        user = await find_login(session, email)
        if user is None:
            raise NotFound(NO_ACCOUNT)
        if user.deleted_at is not None:
            raise Conflict(DELETED)
        if not user.is_admin:
            user.is_admin = True
            await browse_as.end_for(session, user.id)
            record(session, AuditAction.USER_PROMOTED, actor_id=None, subject_id=user.id, by=BY_COMMAND)


async def turn_off_second_factor(database: Database, email: str) -> None:
    """For an administrator who has lost their app or passkeys. Raises `NotFound`, or `Conflict` where it is off."""
    async with database.write() as session:
        user = await find_login(session, email)
        if user is None:
            raise NotFound(NO_ACCOUNT)
        await second_factor.give_up(session, user)
        await sign_out_everywhere(session, user.id)
        record(session, AuditAction.SECOND_FACTOR_RESET, actor_id=None, subject_id=user.id, by=BY_COMMAND)
        send_later(session, SecondFactorChanged(to=user.email, locale=user.locale, name=user.name, is_on=False))


async def let_in_again(database: Database, email: str) -> None:
    """Turn an account on again that a provider or an administrator has turned off. Raises `NotFound`."""
    async with database.write() as session:
        user = await find_login(session, email)
        if user is None:
            raise NotFound(NO_ACCOUNT)
        await resume(session, user, by=BY_COMMAND)


async def demote(database: Database, email: str) -> None:
    """Take an administrator's rights. Raises `NotFound`, or `Conflict` for the last one."""
    async with database.write() as session:
        user = await find_login(session, email)
        if user is None:
            raise NotFound(NO_ACCOUNT)
        if not user.is_admin:
            raise Conflict(NOT_AN_ADMIN)
        await require_another_admin(session, user.id)
        user.is_admin = False
        await browse_as.end_for(session, user.id)
        record(session, AuditAction.USER_DEMOTED, actor_id=None, subject_id=user.id, by=BY_COMMAND)


async def everyone(database: Database) -> list[tuple[str, str]]:
    """Address and name of every administrator."""
    async with database.read() as session:
        statement = select(User.email, User.name).where(User.is_admin, User.deleted_at.is_(None)).order_by(User.email)
        return [row.tuple() for row in (await session.execute(statement)).all()]
