"""Passkeys: to sign in with, and in the settings."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, StringConstraints
from sqlalchemy import select

from api.people.account import sign_in
from api.people.account.errors import LastWay
from api.people.account.limits import PASSWORD_CHECK
from api.people.account.proof import require_proof
from api.people.account.routes import refuse_bound
from api.people.account.second_factor_routes import PasswordProof
from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth import sessions
from api.people.auth.address import client_network, page_origin
from api.people.auth.attempts import LOGIN_ADDRESS, SharedAttempts
from api.people.auth.cookies import session_cookie, set_session_cookies
from api.people.auth.viewer import NoForgery, Registered
from api.people.passkeys import service
from api.people.providers.models import Identity
from api.people.users import queries
from api.people.users.models import NO_PASSWORD, User
from api.people.users.passkeys import Passkey
from api.people.users.restrictions import DEMO_LOCKED, is_locked
from api.people.users.schemas import UserOut
from api.platform.http.envelope import Data
from api.platform.http.errors import Invalid, NotFound, error_responses
from api.platform.http.state import AppState, ReadSession, State
from api.platform.http.text import CLEAN_LINE
from api.platform.mail.messages import PasskeyAdded
from api.platform.mail.outgoing import send_later
from cluster.wording.message import Message

GONE = Message("account.passkey_gone", "This passkey was removed already.")

router = APIRouter(tags=["account"])

Credential = dict[str, Any]
"""A `PublicKeyCredential` as its `toJSON()` writes it (WebAuthn 3)."""


class PasskeyOptions(BaseModel):
    """What the page gives to `navigator.credentials`, in the JSON form of WebAuthn 3."""

    options: dict[str, Any]


class PasskeyProof(BaseModel):
    credential: Credential


class PasskeyAnswer(PasskeyProof):
    """`restore` takes a deleted account back."""

    restore: bool = False


class NewPasskey(BaseModel):
    name: Annotated[str, StringConstraints(min_length=1, max_length=60), CLEAN_LINE]
    credential: Credential


class PasskeyOut(BaseModel):
    id: uuid.UUID
    name: str
    created_at: datetime
    used_at: datetime | None


class PasskeysOut(BaseModel):
    """`can_add`: pages at this address can have passkeys."""

    passkeys: list[PasskeyOut]
    can_add: bool


@router.post("/login/passkey/options", dependencies=[NoForgery], responses=error_responses(409, 419, 422, 429))
async def passkey_options(request: Request, state: State, attempts: SharedAttempts) -> Data[PasskeyOptions]:
    """Begin to sign in with a passkey, as the only factor: the device verifies the person."""
    await attempts.add(state.database, (LOGIN_ADDRESS, client_network(request)))
    async with state.database.write() as session:
        options = await service.begin_sign_in(
            session, browser=_browser(request, state), origin=page_origin(request, state.settings)
        )
    return Data(data=PasskeyOptions(options=options))


@router.post("/login/passkey", dependencies=[NoForgery], responses=error_responses(409, 419, 422, 429))
async def sign_in_with_passkey(
    body: PasskeyAnswer, request: Request, response: Response, state: State, attempts: SharedAttempts
) -> Data[UserOut]:
    network = client_network(request)
    await attempts.add(state.database, (LOGIN_ADDRESS, network))
    async with state.database.write() as session:
        passkey = await service.signer(
            session, body.credential, browser=_browser(request, state), origin=page_origin(request, state.settings)
        )
        user = await session.get_one(User, passkey.user_id)
        email, name = user.email, passkey.name
        if is_locked(state.settings, user):
            raise Invalid(DEMO_LOCKED)
    await refuse_bound(state, email)
    async with state.database.write() as session:
        user = await session.get_one(User, user.id)
        await sign_in.require_not_deleted(session, user, restore=body.restore, network=network)
        token = await sign_in.open_session(session, state.settings, request, user, provider=name)
        await session.flush()
        await sessions.confirm(session, sessions.hash_token(token))
        answer = await queries.describe(session, user, state.settings)
    set_session_cookies(response, state.settings, token=token, authenticated=True)
    return Data(data=answer)


@router.get("/api/user/passkeys", responses=error_responses(401))
async def list_passkeys(viewer: Registered, request: Request, state: State, session: ReadSession) -> Data[PasskeysOut]:
    held = await service.passkeys_of(session, viewer.user_id)
    can_add = service.relying_party(page_origin(request, state.settings)) is not None
    return Data(data=PasskeysOut(passkeys=[_describe(each) for each in held], can_add=can_add))


@router.post("/api/user/passkeys/options", responses=error_responses(401, 409, 419, 422, 429))
async def begin_passkey(
    body: PasswordProof, viewer: Registered, request: Request, state: State, attempts: SharedAttempts
) -> Data[PasskeyOptions]:
    """Begin to add a passkey: it is a new way into the account."""
    await require_proof(state, attempts, viewer, body.password, field="password")
    async with state.database.write() as session:
        user = await session.get_one(User, viewer.user_id)
        options = await service.begin_adding(
            session, user, browser=_browser(request, state), origin=page_origin(request, state.settings)
        )
    return Data(data=PasskeyOptions(options=options))


@router.post("/api/user/passkeys", status_code=201, responses=error_responses(401, 409, 419, 422))
async def add_passkey(body: NewPasskey, viewer: Registered, request: Request, state: State) -> Data[PasskeyOut]:
    """Add the passkey that the device has made. The owner gets a mail."""
    async with state.database.write() as session:
        passkey = await service.add(
            session,
            viewer.user_id,
            body.credential,
            body.name,
            browser=_browser(request, state),
            origin=page_origin(request, state.settings),
        )
        record_for(session, viewer, AuditAction.PASSKEY_ADDED, name=body.name)
        user = await session.get_one(User, viewer.user_id)
        send_later(session, PasskeyAdded(to=user.email, locale=user.locale, name=user.name, passkey=body.name))
        return Data(data=_describe(passkey))


@router.post("/api/user/passkeys/confirm/options", responses=error_responses(401, 409, 419, 422, 429))
async def begin_confirming(
    viewer: Registered, request: Request, state: State, attempts: SharedAttempts
) -> Data[PasskeyOptions]:
    """Begin to show with a passkey that it is you."""
    await attempts.add(state.database, (PASSWORD_CHECK, str(viewer.user_id)))
    async with state.database.write() as session:
        options = await service.begin_confirming(
            session,
            viewer.user_id,
            browser=_browser(request, state),
            origin=page_origin(request, state.settings),
        )
    return Data(data=PasskeyOptions(options=options))


@router.post("/api/user/passkeys/confirm", status_code=204, responses=error_responses(401, 409, 419, 422))
async def confirm_by_passkey(body: PasskeyProof, viewer: Registered, request: Request, state: State) -> None:
    """Show once more who one is, before what cannot be undone. It counts for ten minutes."""
    async with state.database.write() as session:
        await service.confirm(
            session,
            viewer.user_id,
            body.credential,
            browser=_browser(request, state),
            origin=page_origin(request, state.settings),
        )
        await sessions.confirm(session, viewer.session_hash or "")


@router.delete(
    "/api/user/passkeys/{passkey_id}", status_code=204, responses=error_responses(401, 404, 409, 419, 422, 429)
)
async def remove_passkey(
    passkey_id: uuid.UUID, body: PasswordProof, viewer: Registered, state: State, attempts: SharedAttempts
) -> None:
    await require_proof(state, attempts, viewer, body.password, field="password")
    async with state.database.write() as session:
        held = await service.passkeys_of(session, viewer.user_id)
        passkey = next((each for each in held if each.id == passkey_id), None)
        if passkey is None:
            raise NotFound(GONE)
        user = await session.get_one(User, viewer.user_id, with_for_update=True)
        linked = await session.scalar(select(Identity.id).where(Identity.user_id == user.id).limit(1))
        if user.password_hash == NO_PASSWORD and len(held) == 1 and linked is None:
            raise LastWay
        await session.delete(passkey)
        record_for(session, viewer, AuditAction.PASSKEY_REMOVED, name=passkey.name)


def _browser(request: Request, state: AppState) -> str:
    return request.cookies.get(session_cookie(state.settings), "")


def _describe(passkey: Passkey) -> PasskeyOut:
    return PasskeyOut(id=passkey.id, name=passkey.name, created_at=passkey.created_at, used_at=passkey.used_at)
