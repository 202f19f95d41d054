from __future__ import annotations

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.auth.emails import login_email
from api.auth.passwords import hash_password, is_outdated, password_matches
from api.auth.schemas import Registration
from api.auth.weak_passwords import WEAK, is_weak
from api.http.errors import Invalid, TooManyRequests
from api.users.models import User

EMAIL_TAKEN = "The email has already been taken."
WRONG_LOGIN = "These credentials do not match our records."
PASSWORDS_DIFFER = "The password confirmation does not match."


def check_registration(registration: Registration) -> None:
    """Raises `Invalid` where the fields do not fit each other."""
    if registration.password != registration.password_confirmation:
        raise Invalid.field("password", PASSWORDS_DIFFER)
    if is_weak(registration.password, name=registration.name, email=registration.email):
        raise Invalid.field("password", WEAK)


async def register(session: AsyncSession, *, name: str, email: str, password_hash: str) -> User:
    """Make an account; a second one for the same e-mail, in its normal form, is refused."""
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
    """The user when the password fits. An unknown account takes the same time and gets the same answer."""
    matches = await password_matches(password, user.password_hash if user else None)
    if user is None or not matches:
        raise Invalid.field("email", WRONG_LOGIN)
    return user


async def renewed_hash(user: User, password: str) -> str | None:
    """The hash with today's parameters when the user's is older; None also while too many others wait for theirs."""
    if not is_outdated(user.password_hash):
        return None
    try:
        return await hash_password(password)
    except TooManyRequests:
        return None


async def store_hash(session: AsyncSession, user: User, password_hash: str) -> None:
    """Replace the hash unless the password was changed meanwhile."""
    await session.execute(
        update(User)
        .where(User.id == user.id, User.password_hash == user.password_hash)
        .values(password_hash=password_hash)
    )
