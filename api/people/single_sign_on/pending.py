"""A sign-in that waits for something only the owner of an account can give.

The provider has vouched for the person; what it said travels through the browser encrypted, and serves that browser
alone until its next sign-in.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from cryptography.fernet import InvalidToken

from api.people.auth import sessions
from api.people.single_sign_on.errors import StaleSignIn
from api.people.single_sign_on.journey import Person
from api.people.single_sign_on.limits import PENDING_S
from api.platform.sealing import seal, unseal
from api.platform.settings import ApiSettings

PURPOSE = b"sagascript pending sign-ins"


@dataclass(frozen=True, slots=True)
class Pending:
    provider: str
    person: Person


def hold(settings: ApiSettings, pending: Pending, *, browser: str) -> str:
    """The token of a pending sign-in for the browser with this session cookie."""
    groups = None if pending.person.groups is None else sorted(pending.person.groups)
    content: dict[str, Any] = {
        "browser": sessions.hash_token(browser),
        "provider": pending.provider,
        "person": {**asdict(pending.person), "groups": groups},
    }
    return seal(settings, PURPOSE, json.dumps(content))


def resume(settings: ApiSettings, token: str, provider: str, *, browser: str) -> Pending:
    """Raises `StaleSignIn` for a token that is old, or another browser's or provider's."""
    try:
        content = json.loads(unseal(settings, PURPOSE, token, within_s=PENDING_S))
    except InvalidToken:
        raise StaleSignIn from None
    if content["browser"] != sessions.hash_token(browser) or content["provider"] != provider:
        raise StaleSignIn
    person = content["person"]
    groups = person.pop("groups")
    return Pending(provider=provider, person=Person(**person, groups=None if groups is None else frozenset(groups)))
