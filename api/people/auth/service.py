from __future__ import annotations

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.auth.emails import login_email
from api.people.auth.passwords import hash_password, is_outdated, password_matches
from api.people.auth.schemas import NewPassword
from api.people.auth.weak_passwords import WEAK, is_weak
from api.people.users.models import User
from api.platform.http.errors import Invalid, TooManyRequests
from cluster.wording.message import Message

EMAIL_TAKEN = Message("auth.email_taken", "The email has already been taken.")
WRONG_LOGIN = Message("auth.wrong_login", "These credentials do not match our records.")
PASSWORDS_DIFFER = Message("auth.passwords_differ", "The password confirmation does not match.")


def check_password(wanted: NewPassword, *, name: str, email: str) -> None:
    """Raise `Invalid` where password and confirmation differ, or the password is weak for this person."""
    if wanted.password != wanted.password_confirmation:
        raise Invalid.field("password", PASSWORDS_DIFFER)
    if is_weak(wanted.password, name=name, email=email):
        raise Invalid.field("password", WEAK)


async def register(session: AsyncSession, *, name: str, email: str, password_hash: str) -> User:
    """Make an account. Raises `Invalid` when the e-mail, in its normal form, has one already."""
    user = User(name=name, email=email, password_hash=password_hash)
    session.add(user)
    try:
        await session.flush()
    except IntegrityError:
        raise Invalid.field("email", EMAIL_TAKEN) from None
    return user


async def find_login(session: AsyncSession, email: str) -> User | None:
    return (await session.scalars(select(User).where(User.email == login_email(email)))).one_or_none()


async def check_login(user: User | None, password: str) -> User:
    """The user, if the password matches. An unknown account takes the same time and gets the same error."""
    matches = await password_matches(password, user.password_hash if user else None)
    if user is None or not matches:
        raise Invalid.field("email", WRONG_LOGIN)
    return user


async def renewed_hash(user: User, password: str) -> str | None:
    """A hash with today's parameters if the user's has older ones. None also while too many others wait for a hash."""
    if not is_outdated(user.password_hash):
        return None
    try:
        return await hash_password(password)
    except TooManyRequests:
        return None


async def store_hash(session: AsyncSession, user: User, password_hash: str) -> None:
    """Replace the hash, unless the password has changed in the meantime."""
    await session.execute(
        update(User)
        .where(User.id == user.id, User.password_hash == user.password_hash)
        .values(password_hash=password_hash)
    )
