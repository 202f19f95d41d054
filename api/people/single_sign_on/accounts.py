"""Which account a provider's person is: one that is linked, a new one, or one that its owner links after a proof."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.account.free_minutes import give_free_minutes
from api.people.account.verification import send_link
from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.auth.service import find_login, register
from api.people.providers.models import Identity
from api.people.providers.provider import Provider
from api.people.single_sign_on.errors import NO_ACCOUNT, NO_EMAIL, OTHER_DOMAIN, TAKEN
from api.people.single_sign_on.journey import Person
from api.people.users.models import NO_PASSWORD, User
from api.platform.db import clock
from api.platform.db.base import utc_now
from api.platform.http.errors import Conflict, Invalid
from api.platform.mail.messages import IdentityLinked
from api.platform.mail.outgoing import send_later
from api.platform.settings import ApiSettings


async def linked_account(session: AsyncSession, person: Person) -> User | None:
    """The account of this person, also a deleted one."""
    statement = (
        select(User)
        .join(Identity, Identity.user_id == User.id)
        .where(Identity.issuer == person.issuer, Identity.subject == person.subject)
    )
    return (await session.scalars(statement)).one_or_none()


async def note_use(session: AsyncSession, person: Person) -> None:
    identity = await _identity(session, person)
    if identity is not None:
        identity.used_at = (await session.scalars(select(clock.now()))).one()
        identity.email = person.email


def require_served(provider: Provider, person: Person) -> str:
    """The person's address, if the provider may vouch for it. Raises `Invalid`."""
    if person.email is None:
        raise Invalid(NO_EMAIL(provider=provider.name))
    if not provider.serves(person.email):
        raise Invalid(OTHER_DOMAIN(provider=provider.name, email=person.email))
    return person.email


async def account_with_address(session: AsyncSession, provider: Provider, person: Person) -> User | None:
    """The account that has this person's address. Nothing links the two yet: the address may have changed hands."""
    return await find_login(session, require_served(provider, person))


async def make_account(
    session: AsyncSession, settings: ApiSettings, provider: Provider, person: Person, *, locale: str, network: str
) -> User:
    """A new account without a password. Raises `Invalid` where the provider makes none, or the address has one."""
    email = require_served(provider, person)
    if not provider.makes_accounts:
        raise Invalid(NO_ACCOUNT(email=email, provider=provider.name))
    user = await register(session, name=person.name, email=email, password_hash=NO_PASSWORD)
    user.locale = locale
    if person.is_email_verified:
        user.email_verified_at = utc_now()
    else:
        await send_link(session, settings, user)
    await give_free_minutes(session, settings, user)
    record(
        session,
        AuditAction.USER_CREATED,
        actor_id=user.id,
        actor_email=user.email,
        subject_id=user.id,
        network=network,
        by=provider.name,
    )
    await link(session, provider, person, user, network=network, is_new=True)
    return user


async def link(
    session: AsyncSession, provider: Provider, person: Person, user: User, *, network: str, is_new: bool = False
) -> None:
    """Let this person sign in to an account. Raises `Conflict` where they sign in to another one.

    The owner gets a mail: it is a new way into their account.
    """
    known = await _identity(session, person)
    if known is not None:
        if known.user_id != user.id:
            raise Conflict(TAKEN(provider=provider.name))
        return
    session.add(
        Identity(
            user_id=user.id,
            issuer=person.issuer,
            subject=person.subject,
            provider=provider.slug,
            email=person.email,
            used_at=clock.now(),
        )
    )
    try:
        await session.flush()
    except IntegrityError:
        raise Conflict(TAKEN(provider=provider.name)) from None
    if is_new:
        return
    record(
        session,
        AuditAction.IDENTITY_LINKED,
        actor_id=user.id,
        actor_email=user.email,
        subject_id=user.id,
        network=network,
        provider=provider.name,
    )
    send_later(session, IdentityLinked(to=user.email, locale=user.locale, name=user.name, provider=provider.name))


async def _identity(session: AsyncSession, person: Person) -> Identity | None:
    statement = select(Identity).where(Identity.issuer == person.issuer, Identity.subject == person.subject)
    return (await session.scalars(statement)).one_or_none()
