"""Passkeys: a sign-in that the device has verified by fingerprint, face or PIN, so it counts as both factors."""

from __future__ import annotations

import ipaddress
import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import structlog
from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from api.people.auth.sessions import hash_token
from api.people.passkeys.models import ChallengeUse, PasskeyChallenge
from api.people.users.models import User
from api.people.users.passkeys import Passkey
from api.platform.db import clock
from api.platform.db.upsert import put
from api.platform.http.errors import Conflict, Invalid
from cluster.wording.message import Message

NAME = "Sagascript"
PASSKEYS_MAX = 20
CHALLENGE_S = 300
CREDENTIAL_BYTES_MAX = 20_000

NOT_HERE = Message(
    "passkeys.not_here",
    "Passkeys need a name such as localhost in the address of the page, not a number. Open the page by its name.",
)
REFUSED = Message("passkeys.refused", "This passkey could not be checked. Try again, or sign in another way.")
UNKNOWN = Message("passkeys.unknown", "This passkey belongs to no account here. Sign in another way, and add it again.")
TOO_MANY = Message("passkeys.too_many", "You have {count} passkeys, and no more fit. Remove one.", count=PASSKEYS_MAX)
NONE = Message("passkeys.none", "Your account has no passkey. Show in another way that it is you.")
KNOWN = Message("passkeys.known", "This passkey is in use already.")

log = structlog.get_logger(__name__)


class PasskeyRefused(Invalid):
    code = "passkey_refused"
    message = REFUSED


def relying_party(origin: str) -> str | None:
    """The name to which passkeys of pages at this origin belong; None at an IP address, which cannot have any."""
    host = urlsplit(origin).hostname or ""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host or None
    return None


async def begin_adding(session: AsyncSession, user: User, *, browser: str, origin: str) -> dict[str, Any]:
    """The options for `navigator.credentials.create`. Raises `Conflict`."""
    party = _party(origin)
    held = await passkeys_of(session, user.id)
    if len(held) >= PASSKEYS_MAX:
        raise Conflict(TOO_MANY)
    options = generate_registration_options(
        rp_id=party,
        rp_name=NAME,
        user_id=user.id.bytes,
        user_name=user.email,
        user_display_name=user.name,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(each.credential_id)) for each in held],
    )
    await _note(session, browser, options.challenge, ChallengeUse.ADD, user.id)
    return _as_json(options)


async def add(
    session: AsyncSession, user_id: uuid.UUID, credential: Mapping[str, Any], name: str, *, browser: str, origin: str
) -> Passkey:
    """Keep a new passkey. Raises `PasskeyRefused` where it does not sign what this browser was given."""
    challenge = await _take(session, browser, ChallengeUse.ADD, user_id)
    try:
        verified = verify_registration_response(
            credential=_bounded(credential),
            expected_challenge=challenge,
            expected_rp_id=_party(origin),
            expected_origin=origin,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, TypeError, KeyError) as error:
        raise _refusal("add", error) from None
    passkey = Passkey(
        user_id=user_id,
        credential_id=bytes_to_base64url(verified.credential_id),
        public_key=verified.credential_public_key,
        sign_count=verified.sign_count,
        name=name,
    )
    session.add(passkey)
    try:
        await session.flush()
    except IntegrityError:
        raise Conflict(KNOWN) from None
    return passkey


async def begin_sign_in(session: AsyncSession, *, browser: str, origin: str) -> dict[str, Any]:
    """The options for `navigator.credentials.get`. They name nobody: the device lists whose passkeys it has."""
    options = generate_authentication_options(
        rp_id=_party(origin), user_verification=UserVerificationRequirement.REQUIRED
    )
    await _note(session, browser, options.challenge, ChallengeUse.SIGN_IN, None)
    return _as_json(options)


async def begin_confirming(session: AsyncSession, user_id: uuid.UUID, *, browser: str, origin: str) -> dict[str, Any]:
    """The options for `navigator.credentials.get`, with this person's passkeys alone. Raises `Conflict`."""
    held = await passkeys_of(session, user_id)
    if not held:
        raise Conflict(NONE)
    options = generate_authentication_options(
        rp_id=_party(origin),
        user_verification=UserVerificationRequirement.REQUIRED,
        allow_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(each.credential_id)) for each in held],
    )
    await _note(session, browser, options.challenge, ChallengeUse.CONFIRM, user_id)
    return _as_json(options)


async def confirm(
    session: AsyncSession, user_id: uuid.UUID, credential: Mapping[str, Any], *, browser: str, origin: str
) -> None:
    """Check that one of this person's passkeys has signed what this browser was given. Raises `PasskeyRefused`."""
    challenge = await _take(session, browser, ChallengeUse.CONFIRM, user_id)
    held = await _verify(session, credential, challenge, origin)
    if held.user_id != user_id:
        raise _refusal("confirm", "a passkey of somebody else")


async def signer(session: AsyncSession, credential: Mapping[str, Any], *, browser: str, origin: str) -> Passkey:
    """The passkey that has signed what this browser was given. Raises `PasskeyRefused`."""
    challenge = await _take(session, browser, ChallengeUse.SIGN_IN, None)
    return await _verify(session, credential, challenge, origin)


async def _verify(session: AsyncSession, credential: Mapping[str, Any], challenge: bytes, origin: str) -> Passkey:
    wanted = credential.get("id")
    held = (
        await session.scalars(select(Passkey).where(Passkey.credential_id == str(wanted)).with_for_update())
    ).one_or_none()
    if held is None:
        raise PasskeyRefused(UNKNOWN)
    try:
        verified = verify_authentication_response(
            credential=_bounded(credential),
            expected_challenge=challenge,
            expected_rp_id=_party(origin),
            expected_origin=origin,
            credential_public_key=held.public_key,
            credential_current_sign_count=held.sign_count,
            require_user_verification=True,
        )
        handle = credential["response"].get("userHandle")
        named = None if handle is None else base64url_to_bytes(handle)
    except (WebAuthnException, ValueError, TypeError, KeyError, AttributeError) as error:
        raise _refusal("sign in", error) from None
    if named is not None and named != held.user_id.bytes:
        raise _refusal("sign in", "another user handle")
    held.sign_count = verified.new_sign_count
    held.used_at = (await session.scalars(select(clock.now()))).one()
    return held


async def passkeys_of(session: AsyncSession, user_id: uuid.UUID) -> Sequence[Passkey]:
    statement = select(Passkey).where(Passkey.user_id == user_id).order_by(Passkey.created_at, Passkey.id)
    return (await session.scalars(statement)).all()


async def count_of(session: AsyncSession, user_id: uuid.UUID) -> int:
    return await session.scalar(select(func.count()).select_from(Passkey).where(Passkey.user_id == user_id)) or 0


async def _note(
    session: AsyncSession, browser: str, challenge: bytes, used_for: ChallengeUse, user_id: uuid.UUID | None
) -> None:
    values = {
        "challenge": challenge,
        "used_for": used_for,
        "user_id": user_id,
        "expires_at": clock.now(CHALLENGE_S),
    }
    await put(session, PasskeyChallenge, {"browser_hash": hash_token(browser)}, values)


async def _take(session: AsyncSession, browser: str, used_for: ChallengeUse, user_id: uuid.UUID | None) -> bytes:
    """The challenge of this browser, which it may answer once."""
    spent = (
        delete(PasskeyChallenge)
        .where(
            PasskeyChallenge.browser_hash == hash_token(browser),
            PasskeyChallenge.used_for == used_for,
            PasskeyChallenge.user_id.is_(None) if user_id is None else PasskeyChallenge.user_id == user_id,
            PasskeyChallenge.expires_at > clock.now(),
        )
        .returning(PasskeyChallenge.challenge)
    )
    challenge = await session.scalar(spent)
    if challenge is None:
        raise _refusal("challenge", "none, old or used")
    return challenge


def _party(origin: str) -> str:
    party = relying_party(origin)
    if party is None:
        raise Conflict(NOT_HERE)
    return party


def _bounded(credential: Mapping[str, Any]) -> dict[str, Any]:
    if len(json.dumps(credential)) > CREDENTIAL_BYTES_MAX:
        raise ValueError("long")
    return dict(credential)


def _as_json(options: Any) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(options_to_json(options))
    return read


def _refusal(what: str, why: object) -> PasskeyRefused:
    log.warning("passkeys.refused", what=what, why=str(why)[:300])
    return PasskeyRefused()
