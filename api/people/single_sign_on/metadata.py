"""What a provider publishes about itself: addresses and keys, by OpenID Connect Discovery.

Kept in the memory of each web process. Keys are read again when a token names one that is not among them.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import httpx2
import structlog
from joserfc.errors import JoseError
from joserfc.jwk import KeySet, import_key

from api.people.providers.provider import Provider
from api.people.single_sign_on.errors import AWAY, UNTRUSTED, ProviderAway, ProviderRefused
from api.platform.settings import LOOPBACK

log = structlog.get_logger(__name__)

ANSWER_WITHIN_S = 5.0
BYTES_MAX = 1_000_000
KEPT_S = 3600.0
KEYS_AGAIN_S = 30.0
"""An unknown key has them read again at most this often: anybody can name one."""
PROVIDERS_MAX = 200
ALGORITHMS = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"}
)
"""Signatures that need the provider's private key. The keys of the others (`HS256`) are known to both sides."""
KEY_TYPES = frozenset({"RSA", "EC", "OKP"})
DEFAULT_ALGORITHM = "RS256"


class TooLong(httpx2.TransportError):
    """A provider sends more than anything of its kind holds."""


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        length = 0
        async for part in self._stream:
            length += len(part)
            if length > BYTES_MAX:
                raise TooLong("too long")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bound(answer: httpx2.Response) -> None:
    # Packed, a megabyte could become a thousand.
    if "content-encoding" in answer.headers:
        raise TooLong("packed")
    assert isinstance(answer.stream, httpx2.AsyncByteStream)
    answer.stream = _Bounded(answer.stream)


@cache
def client_options() -> Mapping[str, Any]:
    """How we call a provider: it may not keep us waiting, send us elsewhere, or send more than a megabyte.

    The certificates that we trust are read once: that takes 20 ms, during which the process answers nobody.
    """
    return {
        "timeout": ANSWER_WITHIN_S,
        "follow_redirects": False,
        "headers": {"Accept-Encoding": "identity"},
        "event_hooks": {"response": [_bound]},
        "verify": httpx2.create_ssl_context(),
    }


@dataclass(slots=True)
class Metadata:
    """Of one issuer. `algorithms`: those of ours with which it signs ID tokens."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None
    end_session_endpoint: str | None
    algorithms: frozenset[str]
    names_issuer: bool
    """Whether its answers name the issuer (RFC 9207)."""
    token_auth_methods: frozenset[str]
    read_at: float
    keys: KeySet | None = None
    keys_at: float = field(default=0.0)


class ProviderMetadata:
    """The metadata of all providers, as one web process knows it."""

    def __init__(self) -> None:
        self._known: dict[str, Metadata] = {}

    async def of(self, provider: Provider) -> Metadata:
        """Raises `ProviderAway`, or `ProviderRefused` where what it publishes cannot be used."""
        known = self._known.get(provider.issuer)
        if known is not None and time.monotonic() - known.read_at < KEPT_S:
            return known
        address = provider.issuer.rstrip("/") + "/.well-known/openid-configuration"
        read = _read(provider, await fetch_json(provider, address))
        if len(self._known) >= PROVIDERS_MAX:
            self._known.clear()
        self._known[provider.issuer] = read
        return read

    async def keys(self, provider: Provider, *, without: KeySet | None = None) -> KeySet:
        """The provider's keys. `without`: keys that lack one that a token names, so read them again if that is due."""
        metadata = await self.of(provider)
        now = time.monotonic()
        is_due = metadata.keys is without and now - metadata.keys_at >= KEYS_AGAIN_S
        if metadata.keys is None or is_due or now - metadata.keys_at >= KEPT_S:
            document = await fetch_json(provider, metadata.jwks_uri)
            try:
                metadata.keys = _keys(document)
            except (JoseError, AttributeError, KeyError, TypeError, ValueError) as error:
                raise untrusted(provider, "keys", error) from None
            metadata.keys_at = now
        return metadata.keys


async def fetch_json(provider: Provider, address: str, *, token: str | None = None) -> Mapping[str, Any]:
    """A JSON object from one of the provider's addresses. It may not send us elsewhere, nor more than a megabyte."""
    headers = {"Accept": "application/json"} | ({} if token is None else {"Authorization": f"Bearer {token}"})
    try:
        async with httpx2.AsyncClient(**client_options()) as client:
            answer = await client.get(address, headers=headers)
    except httpx2.HTTPError as error:
        raise away(provider, type(error).__name__, address) from None
    if answer.status_code != httpx2.codes.OK:
        raise away(provider, f"status {answer.status_code}", address)
    try:
        document = answer.json()
    except ValueError as error:
        raise untrusted(provider, "no JSON", error) from None
    if not isinstance(document, dict):
        raise untrusted(provider, "no object", address)
    return document


def untrusted(provider: Provider, what: str, why: object) -> ProviderRefused:
    """The refusal of something that a provider sent, which the log names."""
    log.warning("single_sign_on.untrusted", provider=provider.slug, what=what, why=str(why)[:300])
    return ProviderRefused(UNTRUSTED(provider=provider.name))


def away(provider: Provider, what: str, address: str) -> ProviderAway:
    log.warning("single_sign_on.away", provider=provider.slug, what=what, address=address)
    return ProviderAway(AWAY(provider=provider.name))


def _read(provider: Provider, document: Mapping[str, Any]) -> Metadata:
    # Another issuer's document would let it speak for this one (OpenID Connect Discovery, 4.3).
    if document.get("issuer") != provider.issuer:
        raise untrusted(provider, "issuer", document.get("issuer"))
    algorithms = ALGORITHMS & {
        str(name) for name in document.get("id_token_signing_alg_values_supported") or [DEFAULT_ALGORITHM]
    }
    if not algorithms:
        raise untrusted(provider, "algorithms", document.get("id_token_signing_alg_values_supported"))
    return Metadata(
        issuer=provider.issuer,
        authorization_endpoint=_address(provider, document, "authorization_endpoint"),
        token_endpoint=_address(provider, document, "token_endpoint"),
        jwks_uri=_address(provider, document, "jwks_uri"),
        userinfo_endpoint=_optional(provider, document, "userinfo_endpoint"),
        end_session_endpoint=_optional(provider, document, "end_session_endpoint"),
        algorithms=algorithms,
        names_issuer=document.get("authorization_response_iss_parameter_supported") is True,
        token_auth_methods=frozenset(
            str(name) for name in document.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        ),
        read_at=time.monotonic(),
    )


def _optional(provider: Provider, document: Mapping[str, Any], name: str) -> str | None:
    return _address(provider, document, name) if document.get(name) else None


def _address(provider: Provider, document: Mapping[str, Any], name: str) -> str:
    address = document.get(name)
    parts = urlsplit(address) if isinstance(address, str) else None
    is_safe = parts is not None and (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK))
    if not is_safe:
        raise untrusted(provider, name, address)
    assert isinstance(address, str)
    return address


def _keys(document: Mapping[str, Any]) -> KeySet:
    """The keys with which it may sign. Whoever knows a symmetric one could sign in anybody's name."""
    signing = [key for key in document["keys"] if key.get("kty") in KEY_TYPES and key.get("use", "sig") == "sig"]
    return KeySet([import_key(key) for key in signing])
