"""People whom a provider adds, changes and turns off."""

from __future__ import annotations

import unicodedata
import uuid

from scim2_models import InvalidValueException, NotFoundException, UniquenessException
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.account.free_minutes import give_free_minutes
from api.people.account.suspension import resume, suspend
from api.people.account.verification import send_link
from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.auth.emails import normal_email
from api.people.auth.service import find_login, register
from api.people.providers.provider import Provider
from api.people.providers.provisioned import ProvisionedPerson
from api.people.provisioning.resources import User, described
from api.people.users.models import NO_PASSWORD
from api.people.users.models import User as Account
from api.people.users.restrictions import DEMO_EMAIL
from api.platform.db.base import utc_now
from api.platform.http.errors import Conflict
from api.platform.http.limits import PERSON_NAME_MAX
from api.platform.http.text import clean_line
from api.platform.settings import ApiSettings

KEY_MAX = 300
NO_ADDRESS = "Give the person an e-mail address, as the primary one of emails or as userName."
OTHER_DOMAIN = "The provider may not vouch for {email}: its domains do not include this one."
OTHER_OWNER = "The account {email} is not this provider's: name the domain in the provider's settings to take it over."
SAME_NAME = "There is a person with the userName {name} already."
SAME_ADDRESS = "There is a person with the address {email} already."
TOO_LONG = "userName and externalId take at most {most} letters."


async def person(session: AsyncSession, provider: Provider, person_id: str, *, hold: bool = False) -> ProvisionedPerson:
    """Raises `NotFoundException`."""
    try:
        key = uuid.UUID(person_id)
    except ValueError:
        raise NotFoundException(detail="There is no such person.") from None
    mine = select(ProvisionedPerson).where(ProvisionedPerson.id == key, ProvisionedPerson.provider == provider.slug)
    row = (await session.scalars(mine.with_for_update() if hold else mine)).one_or_none()
    if row is None:
        raise NotFoundException(detail="There is no such person.")
    return row


async def add(session: AsyncSession, settings: ApiSettings, provider: Provider, wanted: User) -> ProvisionedPerson:
    """Add a person with a new account, or with the one that has their address where that is the provider's to give.

    Raises a `SCIMException`.
    """
    key = name_key(wanted)
    await _require_new(session, provider, key, besides=None)
    email = _address(provider, wanted)
    account = await find_login(session, email)
    made = account is None
    if account is None:
        account = await register(session, name=_shown_name(wanted, email), email=email, password_hash=NO_PASSWORD)
        # Whoever names a domain as the provider's says that its addresses are known.
        if provider.domains or provider.trusts_email:
            account.email_verified_at = utc_now()
        else:
            await send_link(session, settings, account)
        await give_free_minutes(session, settings, account)
        record(session, AuditAction.USER_CREATED, actor_id=None, subject_id=account.id, by=provider.name)
    elif not provider.domains or account.email == DEMO_EMAIL:
        raise UniquenessException(detail=OTHER_OWNER.format(email=email))
    row = ProvisionedPerson(
        provider=provider.slug,
        user_id=account.id,
        name_key=key,
        external_id=wanted.external_id,
        described=described(wanted),
        made_account=made,
    )
    taken = select(ProvisionedPerson.id).where(
        ProvisionedPerson.provider == provider.slug, ProvisionedPerson.user_id == account.id
    )
    if await session.scalar(taken) is not None:
        raise UniquenessException(detail=SAME_ADDRESS.format(email=email))
    session.add(row)
    await _turn(session, provider, account, is_active=wanted.active is not False)
    await session.flush()
    return row


async def change(session: AsyncSession, provider: Provider, row: ProvisionedPerson, wanted: User) -> None:
    """Give a person the attributes of `wanted`. Raises a `SCIMException`."""
    key = name_key(wanted)
    if key != row.name_key:
        await _require_new(session, provider, key, besides=row.id)
    email = _address(provider, wanted)
    account = await session.get_one(Account, row.user_id, with_for_update=True)
    if email != account.email:
        # Another way into somebody's own account is theirs to choose.
        if not row.made_account or await find_login(session, email) is not None:
            raise UniquenessException(detail=OTHER_OWNER.format(email=email))
        record(
            session,
            AuditAction.EMAIL_CHANGED,
            actor_id=None,
            subject_id=account.id,
            before=account.email,
            after=email,
            by=provider.name,
        )
        account.email = email
    if row.made_account:
        account.name = _shown_name(wanted, email)
    row.name_key, row.external_id, row.described = key, wanted.external_id, described(wanted)
    await _turn(session, provider, account, is_active=wanted.active is not False)
    await session.flush()


async def remove(session: AsyncSession, provider: Provider, row: ProvisionedPerson) -> None:
    """Forget a person, whose account stays turned off with everything in it."""
    account = await session.get_one(Account, row.user_id, with_for_update=True)
    await _turn(session, provider, account, is_active=False)
    await session.delete(row)
    await session.flush()


async def _turn(session: AsyncSession, provider: Provider, account: Account, *, is_active: bool) -> None:
    try:
        if is_active:
            await resume(session, account, by=provider.name)
        else:
            await suspend(session, account, by=provider.name)
    except Conflict as refused:
        raise InvalidValueException(detail=str(refused.message)) from None


async def _require_new(session: AsyncSession, provider: Provider, key: str, *, besides: uuid.UUID | None) -> None:
    same = select(ProvisionedPerson.id).where(
        ProvisionedPerson.provider == provider.slug, ProvisionedPerson.name_key == key
    )
    found = await session.scalar(same)
    if found is not None and found != besides:
        raise UniquenessException(detail=SAME_NAME.format(name=key))


def name_key(wanted: User) -> str:
    """The form in which two user names are one: RFC 7643 (4.1.1) compares them without case."""
    key = key_of(wanted.user_name or "")
    if not key or len(key) > KEY_MAX or len(wanted.external_id or "") > KEY_MAX:
        raise InvalidValueException(detail=TOO_LONG.format(most=KEY_MAX))
    return key


def key_of(name: str) -> str:
    return unicodedata.normalize("NFC", clean_line(name)).casefold()


def _address(provider: Provider, wanted: User) -> str:
    emails = wanted.emails or []
    chosen = next((each for each in emails if each.primary), emails[0] if emails else None)
    text = wanted.user_name if chosen is None or chosen.value is None else chosen.value
    try:
        email = normal_email(text or "")
    except ValueError:
        raise InvalidValueException(detail=NO_ADDRESS) from None
    if not provider.serves(email):
        raise InvalidValueException(detail=OTHER_DOMAIN.format(email=email))
    return email


def _shown_name(wanted: User, email: str) -> str:
    name = wanted.name
    parts = [] if name is None else [name.given_name or "", name.family_name or ""]
    formatted = None if name is None else name.formatted
    texts = (wanted.display_name, formatted, " ".join(filter(None, parts)), email)
    return next(cleaned for text in texts if (cleaned := clean_line(text or "")))[:PERSON_NAME_MAX]
