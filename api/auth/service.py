from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.auth.passwords import password_matches
from api.auth.schemas import Registration
from api.http.errors import Invalid
from api.users.models import User

EMAIL_TAKEN = "The email has already been taken."
WRONG_LOGIN = "These credentials do not match our records."
PASSWORDS_DIFFER = "The password confirmation does not match."


def check_registration(registration: Registration) -> None:
    if not registration.name.strip():
        raise Invalid.field("name", "The name is required.")
    if registration.password != registration.password_confirmation:
        raise Invalid.field("password", PASSWORDS_DIFFER)


async def register(session: AsyncSession, *, name: str, email: str, password_hash: str) -> User:
    """Make an account. `email` may come in any case; a second account for it is refused."""
    user = User(name=name.strip(), email=email.strip().lower(), password_hash=password_hash)
    session.add(user)
    try:
        await session.flush()
    except IntegrityError:
        raise Invalid.field("email", EMAIL_TAKEN) from None
    return user


async def find_login(session: AsyncSession, email: str) -> User | None:
    return (await session.scalars(select(User).where(User.email == email.strip().lower()))).one_or_none()


async def check_login(user: User | None, password: str) -> User:
    """The user when the password fits. An unknown account takes the same time and gets the same answer."""
    matches = await password_matches(password, user.password_hash if user else None)
    if user is None or not matches:
        raise Invalid.field("email", WRONG_LOGIN)
    return user
