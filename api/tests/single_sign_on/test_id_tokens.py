"""ID tokens that are forged, or meant for somebody or something else. Nobody is signed in by any of them.

After OpenID Connect Core, 3.1.3.7.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from api.testing.browser import Browser
from api.testing.identity.signing_in import assert_nobody, sign_in_with
from api.testing.identity.stand_in import CLIENT, FromNow, StandInProvider


@pytest.mark.parametrize(
    "attack",
    [
        StandInProvider.unsigned,
        StandInProvider.by_public_key,
        StandInProvider.by_client_secret,
        StandInProvider.by_another_key,
        StandInProvider.with_its_own_key,
        StandInProvider.changed_afterwards,
    ],
    ids=lambda attack: attack.__name__,
)
async def test_a_forged_id_token(
    attack: Callable[[StandInProvider, dict[str, Any], dict[str, Any]], str],
    visitor: Browser,
    provider: StandInProvider,
) -> None:
    provider.sign = lambda header, claims: attack(provider, header, claims)
    answer = await sign_in_with(visitor, provider, "ada")
    assert answer.status_code == 422
    assert "could not be trusted" in answer.json()["message"]
    await assert_nobody(visitor)


@pytest.mark.long
@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.example"},
        {"iss": None},
        {"aud": "another-client"},
        {"aud": [CLIENT, "another-client"]},
        {"aud": [CLIENT, "another-client"], "azp": "another-client"},
        {"aud": None},
        {"exp": 1},
        {"exp": FromNow(-90)},
        {"exp": None},
        {"iat": FromNow(3600)},
        {"iat": None},
        {"nbf": FromNow(3600)},
        {"nonce": "of another sign-in"},
        {"nonce": None},
        {"sub": None},
        {"sub": ""},
        {"sub": 7},
        {"sub": "a" * 256},
        {"at_hash": "of another access token"},
    ],
    ids=str,
)
async def test_an_id_token_for_somebody_or_something_else(
    claims: dict[str, Any], visitor: Browser, provider: StandInProvider
) -> None:
    provider.claims = claims
    answer = await sign_in_with(visitor, provider, "ada")
    assert answer.status_code == 422
    await assert_nobody(visitor)


@pytest.mark.long
@pytest.mark.parametrize(
    "token", [None, "", 7, "a.b.c", "ey" * 60_000], ids=["none", "empty", "number", "text", "long"]
)
async def test_something_else_than_an_id_token(token: Any, visitor: Browser, provider: StandInProvider) -> None:
    provider.sign = lambda _header, _claims: token
    assert (await sign_in_with(visitor, provider, "ada")).status_code == 422
    await assert_nobody(visitor)


async def test_clocks_may_differ_by_less_than_a_minute(visitor: Browser, provider: StandInProvider) -> None:
    provider.claims = {"iat": FromNow(30), "exp": FromNow(-1)}
    assert (await sign_in_with(visitor, provider, "ada")).status_code == 200
