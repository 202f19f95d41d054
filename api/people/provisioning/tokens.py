"""The token of a provider's calls: made by an administrator, shown once."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.auth.sessions import hash_token, new_token
from api.people.providers.provisioned import ProvisioningToken
from api.people.providers.registry import provider_of
from api.people.providers.settings_entries import ProviderEntry
from api.platform.db import clock
from api.platform.db.engine import Database
from api.platform.db.upsert import put
from api.platform.http.errors import NotFound
from api.platform.settings import ApiSettings

MARK = "sgp_"
USED_EVERY_S = 300.0
"""How exactly the last use is stored."""


async def make_token(session: AsyncSession, provider: str) -> str:
    """A new token; the one from before is worth nothing."""
    token = MARK + new_token()
    values = {"token_hash": hash_token(token), "created_at": clock.now(), "used_at": None}
    await put(session, ProvisioningToken, {"provider": provider}, values)
    return token


async def end_token(session: AsyncSession, provider: str) -> bool:
    """Returns whether there was one."""
    ended = (
        delete(ProvisioningToken).where(ProvisioningToken.provider == provider).returning(ProvisioningToken.provider)
    )
    return await session.scalar(ended) is not None


async def tokens_of(session: AsyncSession) -> dict[str, tuple[datetime, datetime | None]]:
    """When the token of each provider was made, and used last."""
    statement = select(ProvisioningToken.provider, ProvisioningToken.created_at, ProvisioningToken.used_at)
    return {provider: (made, used) for provider, made, used in (await session.execute(statement)).tuples()}


async def entry_of_token(database: Database, settings: ApiSettings, token: str) -> ProviderEntry | None:
    """The provider whose token this is. None for any other token, and while the provider is off."""
    is_due = ProvisioningToken.used_at.is_(None) | (ProvisioningToken.used_at < clock.now(-USED_EVERY_S))
    async with database.read() as session:
        statement = select(ProvisioningToken.provider, is_due).where(ProvisioningToken.token_hash == hash_token(token))
        found = (await session.execute(statement)).tuples().one_or_none()
        if found is None:
            return None
        slug, has_to_be_noted = found
        try:
            entry = await provider_of(session, settings, slug)
        except NotFound:
            return None
    if has_to_be_noted:
        used = update(ProvisioningToken).where(ProvisioningToken.provider == slug).values(used_at=clock.now())
        async with database.write() as session:
            await session.execute(used)
    return entry
