"""ID tokens and logout tokens: signed by the provider's key, for us, now, and for this very sign-in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry
from joserfc.jwt import ClaimsOption

from api.people.providers.provider import Provider
from api.people.single_sign_on.metadata import ProviderMetadata, untrusted

LEEWAY_S = 60
"""How far the provider's clock may be from ours."""
LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"
TOKEN_MAX = 100_000


async def read_id_token(
    published: ProviderMetadata, provider: Provider, token: object, *, nonce: str, access_token: str | None
) -> Mapping[str, Any]:
    """The claims of an ID token (OpenID Connect Core, 3.1.3.7). Raises `ProviderRefused`."""
    claims, header = await _signed(published, provider, token)
    params = {"nonce": nonce, "client_id": provider.client_id, "access_token": access_token}
    checked = CodeIDToken(claims, header, dict(_expected(provider)), params)
    try:
        checked.validate(leeway=LEEWAY_S)
    except (JoseError, TypeError, ValueError) as error:
        raise untrusted(provider, "id_token", error) from None
    if not isinstance(claims["sub"], str) or not 0 < len(claims["sub"]) <= 255:
        raise untrusted(provider, "id_token", "sub")
    return claims


async def read_logout_token(published: ProviderMetadata, provider: Provider, token: object) -> Mapping[str, Any]:
    """The claims of a logout token (OpenID Connect Back-Channel Logout, 2.6). Raises `ProviderRefused`."""
    claims, _ = await _signed(published, provider, token)
    needed: ClaimsOption = {"essential": True}
    rules = jwt.JWTClaimsRegistry(
        leeway=LEEWAY_S, iat=needed, jti=needed, exp=needed, events=needed, **_expected(provider)
    )
    try:
        rules.validate(dict(claims))
    except (JoseError, TypeError, ValueError) as error:
        raise untrusted(provider, "logout_token", error) from None
    events = claims.get("events")
    names_whom = isinstance(claims.get("sid"), str) or isinstance(claims.get("sub"), str)
    # An ID token is no logout token, although the same key signed it.
    if not isinstance(events, dict) or LOGOUT_EVENT not in events or "nonce" in claims or not names_whom:
        raise untrusted(provider, "logout_token", "claims")
    return claims


class _Expected(TypedDict):
    iss: ClaimsOption
    aud: ClaimsOption


def _expected(provider: Provider) -> _Expected:
    return {
        "iss": {"essential": True, "value": provider.issuer},
        "aud": {"essential": True, "value": provider.client_id},
    }


async def _signed(
    published: ProviderMetadata, provider: Provider, token: object
) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """Claims and header of a token that one of the provider's keys has signed."""
    if not isinstance(token, str) or len(token) > TOKEN_MAX:
        raise untrusted(provider, "token", "length")
    metadata = await published.of(provider)
    registry = JWSRegistry(algorithms=sorted(metadata.algorithms), strict_check_header=False)
    keys = await published.keys(provider)
    try:
        try:
            decoded = _decode(token, keys, registry)
        except (InvalidKeyIdError, JoseError):
            # The provider may have changed its keys.
            newer = await published.keys(provider, without=keys)
            if newer is keys:
                raise
            decoded = _decode(token, newer, registry)
    except (JoseError, TypeError, ValueError, KeyError) as error:
        raise untrusted(provider, "signature", error) from None
    return decoded.claims, dict(decoded.header)


def _decode(token: str, keys: KeySet, registry: JWSRegistry) -> jwt.Token:
    return jwt.decode(token, keys, registry=registry)
