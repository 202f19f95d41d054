"""The identity providers of this installation: those of the settings, and those that administrators have added."""

from __future__ import annotations

from collections.abc import Sequence

import structlog
from cryptography.fernet import InvalidToken
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.providers.models import ProviderRow
from api.people.providers.provider import Provider
from api.people.providers.settings_entries import ProviderEntry, entries_of_settings
from api.platform.http.errors import NotFound
from api.platform.sealing import seal, unseal
from api.platform.settings import ApiSettings
from cluster.wording.message import Message

PURPOSE = b"sagascript secrets of identity providers"

log = structlog.get_logger(__name__)

NO_PROVIDER = Message(
    "providers.none", "There is no such way to sign in any more. Go back to the sign-in page and choose another."
)


async def all_providers(session: AsyncSession, settings: ApiSettings) -> Sequence[ProviderEntry]:
    """Every provider by name, also those that are off."""
    fixed = entries_of_settings(settings)
    slugs = {entry.provider.slug for entry in fixed}
    rows = (await session.scalars(select(ProviderRow))).all()
    added = [_known(settings, row) for row in rows if row.slug not in slugs]
    return sorted([*fixed, *added], key=lambda entry: (entry.provider.name.casefold(), entry.provider.slug))


async def enabled(session: AsyncSession, settings: ApiSettings) -> Sequence[ProviderEntry]:
    return [entry for entry in await all_providers(session, settings) if entry.is_enabled]


async def provider_of(session: AsyncSession, settings: ApiSettings, slug: str) -> ProviderEntry:
    """Raises `NotFound` where there is none, or it is off."""
    for entry in await enabled(session, settings):
        if entry.provider.slug == slug:
            return entry
    raise NotFound(NO_PROVIDER)


async def binding(session: AsyncSession, settings: ApiSettings, email: str) -> Provider | None:
    """The provider that people of this address have to use."""
    for entry in await enabled(session, settings):
        if entry.provider.binds(email):
            return entry.provider
    return None


def sealed_secret(settings: ApiSettings, secret: str | None) -> str | None:
    return None if secret is None else seal(settings, PURPOSE, secret)


def _known(settings: ApiSettings, row: ProviderRow) -> ProviderEntry:
    provider = Provider.model_validate(row.described)
    try:
        secret = None if row.secret is None else unseal(settings, PURPOSE, row.secret)
    except InvalidToken:
        # Another key than SAGASCRIPT_DATA_KEY encrypted it: an administrator has to enter it again.
        log.warning("providers.secret_unreadable", provider=row.slug)
        return ProviderEntry(provider, None, is_enabled=False, is_configured=False)
    return ProviderEntry(provider, secret, is_enabled=row.is_enabled, is_configured=False)
