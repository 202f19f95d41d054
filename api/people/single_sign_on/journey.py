"""Send a browser to a provider, and take what it comes back with: the authorization code flow with PKCE."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx2
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.auth import sessions
from api.people.auth.emails import normal_email
from api.people.providers.models import Purpose, SignInRequest
from api.people.providers.settings_entries import ProviderEntry
from api.people.single_sign_on.errors import NOT_ANEW, REFUSED, ProviderRefused, StaleSignIn
from api.people.single_sign_on.limits import REQUEST_S
from api.people.single_sign_on.metadata import (
    Metadata,
    ProviderMetadata,
    away,
    client_options,
    fetch_json,
    log,
    untrusted,
)
from api.people.single_sign_on.schemas import ProviderAnswer
from api.people.single_sign_on.tokens import LEEWAY_S, read_id_token
from api.platform.db import clock
from api.platform.http.limits import EMAIL_MAX, PERSON_NAME_MAX
from api.platform.http.text import clean_line

LOGGED_MAX = 200
"""Letters of what a browser brings that reach the log."""
AUTH_METHODS = ("client_secret_basic", "client_secret_post")


@dataclass(frozen=True, slots=True)
class Journey:
    """What we keep while a browser is away: the row of `sign_in_requests`, spent."""

    purpose: Purpose
    user_id: uuid.UUID | None
    nonce: str
    verifier: str
    redirect_uri: str
    begun_at: datetime


@dataclass(frozen=True, slots=True)
class Person:
    """Whom a provider vouches for. `groups` is None where it says that they are too many to list."""

    issuer: str
    subject: str
    email: str | None
    is_email_verified: bool
    name: str
    groups: frozenset[str] | None
    sid: str | None
    id_token: str


async def begin(
    session: AsyncSession,
    metadata: Metadata,
    entry: ProviderEntry,
    *,
    browser: str,
    origin: str,
    purpose: Purpose,
    user_id: uuid.UUID | None,
) -> str:
    """Note the journey of a browser, whose session cookie is `browser`, and return the address to send it to."""
    state, nonce, verifier = (secrets.token_urlsafe(size) for size in (32, 32, 48))
    redirect_uri = f"{origin}/sign-in/{entry.provider.slug}"
    session.add(
        SignInRequest(
            state_hash=sessions.hash_token(state),
            browser_hash=sessions.hash_token(browser),
            provider=entry.provider.slug,
            purpose=purpose,
            user_id=user_id,
            nonce=nonce,
            verifier=verifier,
            redirect_uri=redirect_uri,
            created_at=clock.now(),
            expires_at=clock.now(REQUEST_S),
        )
    )
    anew = {"prompt": "login", "max_age": 0} if purpose is Purpose.CONFIRM else {}
    async with _client(entry, metadata, redirect_uri) as client:
        address, _ = client.create_authorization_url(
            metadata.authorization_endpoint, state=state, code_verifier=verifier, nonce=nonce, **anew
        )
    return str(address)


async def take(session: AsyncSession, provider: str, state: str, *, browser: str) -> Journey:
    """Use up the journey of this state. Raises `StaleSignIn` for one that is old, used, or another browser's."""
    spent = (
        delete(SignInRequest)
        .where(
            SignInRequest.state_hash == sessions.hash_token(state),
            SignInRequest.browser_hash == sessions.hash_token(browser),
            SignInRequest.provider == provider,
            SignInRequest.expires_at > clock.now(),
        )
        .returning(SignInRequest)
    )
    row = (await session.scalars(spent)).one_or_none()
    if row is None:
        raise StaleSignIn
    return Journey(
        purpose=row.purpose,
        user_id=row.user_id,
        nonce=row.nonce,
        verifier=row.verifier,
        redirect_uri=row.redirect_uri,
        begun_at=row.created_at,
    )


async def redeem(
    all_metadata: ProviderMetadata, entry: ProviderEntry, journey: Journey, answer: ProviderAnswer
) -> Person:
    """Whom the provider's answer is about. Raises `ProviderRefused` or `ProviderAway`."""
    provider = entry.provider
    metadata = await all_metadata.of(provider)
    # Another provider's answer must not be redeemed here (RFC 9207).
    if answer.iss != provider.issuer if answer.iss is not None else metadata.names_issuer:
        raise untrusted(provider, "answer", f"iss {answer.iss}")
    if answer.error is not None or answer.code is None:
        why = {name: clean_line(text or "")[:LOGGED_MAX] for name, text in answer.reasons().items()}
        log.info("single_sign_on.refused", provider=provider.slug, **why)
        raise ProviderRefused(REFUSED(provider=provider.name))
    token = await _exchange(entry, metadata, journey, answer.code)
    access_token = token.get("access_token")
    claims = await read_id_token(
        all_metadata, provider, token.get("id_token"), nonce=journey.nonce, access_token=access_token
    )
    if journey.purpose is Purpose.CONFIRM:
        _require_anew(entry, journey, claims)
    if metadata.userinfo_endpoint and access_token and not {"email", provider.groups_claim} <= claims.keys():
        more = await fetch_json(provider, metadata.userinfo_endpoint, token=str(access_token))
        # It could be another person's (OpenID Connect Core, 5.3.2).
        if more.get("sub") != claims["sub"]:
            raise untrusted(provider, "userinfo", "sub")
        if claims.get("email") not in (None, more.get("email")):
            # It says of another address whether that is confirmed.
            more = {name: value for name, value in more.items() if name != "email_verified"}
        claims = {**more, **claims}
    return _person(entry, claims, str(token["id_token"]))


async def _exchange(entry: ProviderEntry, metadata: Metadata, journey: Journey, code: str) -> Mapping[str, Any]:
    provider = entry.provider
    async with _client(entry, metadata, journey.redirect_uri) as client:
        try:
            token: Mapping[str, Any] = await client.fetch_token(
                metadata.token_endpoint,
                grant_type="authorization_code",
                code=code,
                code_verifier=journey.verifier,
            )
        except httpx2.HTTPError as error:
            raise away(provider, type(error).__name__, metadata.token_endpoint) from None
        except (AuthlibBaseError, ValueError) as error:
            raise untrusted(provider, "code", error) from None
    return token


def _client(entry: ProviderEntry, metadata: Metadata, redirect_uri: str) -> AsyncOAuth2Client:
    method = next((name for name in AUTH_METHODS if name in metadata.token_auth_methods), AUTH_METHODS[0])
    return AsyncOAuth2Client(
        client_id=entry.provider.client_id,
        client_secret=entry.secret,
        token_endpoint_auth_method="none" if entry.secret is None else method,
        scope=entry.provider.scopes,
        redirect_uri=redirect_uri,
        code_challenge_method="S256",
        **client_options(),
    )


def _require_anew(entry: ProviderEntry, journey: Journey, claims: Mapping[str, Any]) -> None:
    """A provider may answer from a session of its own, without a question: that proves nothing about who sits here."""
    at = claims.get("auth_time")
    if not isinstance(at, int | float) or at < journey.begun_at.timestamp() - LEEWAY_S:
        raise ProviderRefused(NOT_ANEW(provider=entry.provider.name))


def _person(entry: ProviderEntry, claims: Mapping[str, Any], id_token: str) -> Person:
    email = claims.get("email")
    try:
        address = normal_email(email) if isinstance(email, str) and len(email) <= EMAIL_MAX else None
    except ValueError:
        address = None
    called = next((text for name in ("name", "preferred_username") if isinstance(text := claims.get(name), str)), "")
    sid = claims.get("sid")
    return Person(
        issuer=entry.provider.issuer,
        subject=claims["sub"],
        email=address,
        is_email_verified=claims.get("email_verified") is True or entry.provider.trusts_email,
        name=clean_line(called)[:PERSON_NAME_MAX].strip() or (address or "").partition("@")[0],
        groups=_groups(entry, claims),
        sid=sid if isinstance(sid, str) and len(sid) <= 255 else None,
        id_token=id_token,
    )


def _groups(entry: ProviderEntry, claims: Mapping[str, Any]) -> frozenset[str] | None:
    """A claim that is missing means no groups: whoever was taken out of the last one must lose its rights.

    A provider with too many to list names the claim in `_claim_names` instead (OpenID Connect Core, 5.6.2).
    """
    name = entry.provider.groups_claim
    if name not in claims and name in (claims.get("_claim_names") or {}):
        log.warning("single_sign_on.groups_elsewhere", provider=entry.provider.slug)
        return None
    value = claims[name] if name in claims else _within(claims, name.split("."))
    listed = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return frozenset(each for each in listed if isinstance(each, str))


def _within(claims: Mapping[str, Any], path: Sequence[str]) -> Any:
    """A value inside objects: Keycloak has the roles of a realm at `realm_access.roles`."""
    value: Any = claims
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
