"""Sign out here and at the provider: from here (RP-Initiated Logout), and from there (Back- and Front-Channel)."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from urllib.parse import urlencode, urlsplit

from cryptography.fernet import InvalidToken
from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.auth import sessions
from api.people.providers.models import ProviderSession
from api.people.providers.provider import Provider
from api.people.single_sign_on.errors import ProviderAway, ProviderRefused
from api.people.single_sign_on.journey import Person
from api.people.single_sign_on.metadata import ProviderMetadata
from api.people.users.models import BrowserSession
from api.platform.jobs.outbox import end_connections
from api.platform.sealing import seal, unseal
from api.platform.settings import ApiSettings

PURPOSE = b"sagascript ID tokens"


def provider_session(settings: ApiSettings, provider: Provider, person: Person) -> ProviderSession:
    """What to remember of the provider's session; the caller says of which session of ours."""
    return ProviderSession(
        provider=provider.slug,
        issuer=person.issuer,
        subject=person.subject,
        sid=person.sid,
        id_token=seal(settings, PURPOSE, person.id_token),
    )


async def provider_session_of(session: AsyncSession, cookie: str) -> ProviderSession | None:
    statement = (
        select(ProviderSession)
        .join(BrowserSession, BrowserSession.id == ProviderSession.session_id)
        .where(BrowserSession.token_hash == sessions.hash_token(cookie))
    )
    return (await session.scalars(statement)).one_or_none()


async def sign_out_address(
    settings: ApiSettings, published: ProviderMetadata, provider: Provider, held: ProviderSession, *, origin: str
) -> str | None:
    """Where the provider ends its session and sends the browser back to us. None where it cannot, or need not."""
    try:
        metadata = await published.of(provider) if provider.ends_session else None
    except (ProviderAway, ProviderRefused):
        return None
    if metadata is None or metadata.end_session_endpoint is None or held.issuer != metadata.issuer:
        return None
    values = {"client_id": provider.client_id, "post_logout_redirect_uri": f"{origin}/login"}
    # Where another key encrypted it, the provider asks the person instead.
    with suppress(InvalidToken):
        values["id_token_hint"] = unseal(settings, PURPOSE, held.id_token)
    separator = "&" if urlsplit(metadata.end_session_endpoint).query else "?"
    return f"{metadata.end_session_endpoint}{separator}{urlencode(values)}"


async def end_sessions_of(session: AsyncSession, slug: str) -> None:
    """End the sessions that a provider began, when nobody signs in with it any more."""
    ids = select(ProviderSession.session_id).where(ProviderSession.provider == slug)
    ended = delete(BrowserSession).where(BrowserSession.id.in_(ids)).returning(BrowserSession.id)
    end_connections(session, (await session.scalars(ended)).all())


async def end_by_provider(
    session: AsyncSession, provider: Provider, *, sid: str | None, subject: str | None, network: str
) -> int:
    """End the sessions that began with a provider's session, or with all of a person's. Returns how many ended."""
    which: list[ColumnElement[bool]] = [ProviderSession.issuer == provider.issuer]
    if sid is not None:
        which.append(ProviderSession.sid == sid)
    if subject is not None:
        which.append(ProviderSession.subject == subject)
    if len(which) == 1:
        return 0
    ids = select(ProviderSession.session_id).where(*which)
    ended = (
        await session.execute(
            delete(BrowserSession)
            .where(BrowserSession.id.in_(ids))
            .returning(BrowserSession.id, BrowserSession.user_id)
        )
    ).tuples()
    rows = ended.all()
    end_connections(session, [session_id for session_id, _ in rows])
    for user_id, count in Counter(user_id for _, user_id in rows).items():
        record(
            session,
            AuditAction.PROVIDER_SIGNED_OUT,
            actor_id=None,
            subject_id=user_id,
            network=network,
            provider=provider.name,
            count=count,
        )
    return len(rows)
