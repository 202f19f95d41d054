"""The second factor in the settings, and the code after the password."""

from __future__ import annotations

import asyncio
from typing import Annotated

import segno
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from api.people.account import sign_in
from api.people.account.proof import require_proof
from api.people.account.sign_out import sign_out_everywhere
from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth import sessions
from api.people.auth.address import client_network
from api.people.auth.attempts import SharedAttempts
from api.people.auth.cookies import session_cookie, set_session_cookies, set_trusted_cookie
from api.people.auth.viewer import NoForgery, Registered
from api.people.second_factor import service
from api.people.second_factor.errors import CodeStale
from api.people.second_factor.limits import CODE_ACCOUNT, CODE_LENGTH_MAX
from api.people.users import queries
from api.people.users.models import User
from api.people.users.schemas import UserOut
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.limits import PASSWORD_MAX
from api.platform.http.state import ReadSession, State
from api.platform.mail.messages import SecondFactorChanged
from api.platform.mail.outgoing import send_later

Code = Annotated[str, Field(min_length=1, max_length=CODE_LENGTH_MAX)]

router = APIRouter(tags=["account"])


class SecondFactorOut(BaseModel):
    """`trusted_browsers` need no code for now."""

    is_on: bool
    recovery_codes: int
    trusted_browsers: int


class PasswordProof(BaseModel):
    """`password` of the account; empty where it has none."""

    password: str = Field("", max_length=PASSWORD_MAX)


class NewAppOut(BaseModel):
    """`secret` for typing, `picture` the same as a QR code: the address of an SVG in the form of a data URI."""

    secret: str
    picture: str


class CodeIn(BaseModel):
    """A code of the app, or a recovery code."""

    code: Code


class SignInCode(CodeIn):
    """`trust`: ask this browser for no code for 30 days."""

    trust: bool = False


class RecoveryCodesOut(BaseModel):
    """Shown once."""

    codes: list[str]


@router.post("/login/code", dependencies=[NoForgery], responses=error_responses(409, 419, 422, 429))
async def sign_in_with_code(
    body: SignInCode, request: Request, response: Response, state: State, attempts: SharedAttempts
) -> Data[UserOut]:
    """Give the code that a sign-in waits for, in the browser in which the password was given."""
    browser = request.cookies.get(session_cookie(state.settings), "")
    async with state.database.read() as session:
        user_id = (await service.waiting(session, browser)).user_id
    await attempts.add(state.database, (CODE_ACCOUNT, str(user_id)))
    async with state.database.write() as session:
        waiting = await service.waiting(session, browser)
        if waiting.user_id != user_id:
            raise CodeStale
        await service.take_code(session, state.settings, user_id, body.code)
        user = await session.get_one(User, user_id)
        await sign_in.require_not_deleted(session, user, restore=waiting.restore, network=client_network(request))
        await session.delete(waiting)
        token = await sign_in.open_session(session, state.settings, request, user)
        await session.flush()
        await sessions.confirm(session, sessions.hash_token(token))
        trusted = await service.trust(session, user_id) if body.trust else None
        await attempts.clear(session, CODE_ACCOUNT, str(user_id))
        answer = await queries.describe(session, user, state.settings)
    set_session_cookies(response, state.settings, token=token, authenticated=True)
    if trusted is not None:
        set_trusted_cookie(response, state.settings, trusted)
    return Data(data=answer)


@router.get("/api/user/second-factor", responses=error_responses(401))
async def second_factor(viewer: Registered, session: ReadSession) -> Data[SecondFactorOut]:
    return Data(
        data=SecondFactorOut(
            is_on=await service.is_on(session, viewer.user_id),
            recovery_codes=await service.recovery_codes_left(session, viewer.user_id),
            trusted_browsers=await service.trusted_browsers(session, viewer.user_id),
        )
    )


@router.post("/api/user/second-factor", status_code=201, responses=error_responses(401, 409, 419, 422, 429))
async def begin_second_factor(
    body: PasswordProof, viewer: Registered, state: State, attempts: SharedAttempts
) -> Data[NewAppOut]:
    """Begin to add an authenticator app. It counts once a code of it is entered."""
    await require_proof(state, attempts, viewer, body.password, field="password")
    async with state.database.write() as session:
        user = await session.get_one(User, viewer.user_id, with_for_update=True)
        new = await service.begin(session, state.settings, user)
    return Data(data=NewAppOut(secret=new.secret, picture=await asyncio.to_thread(_qr_code, new.address)))


def _qr_code(text: str) -> str:
    return str(segno.make(text, error="m").svg_data_uri(scale=5, border=3, light="white"))


@router.put("/api/user/second-factor", responses=error_responses(401, 409, 419, 422, 429))
async def confirm_second_factor(
    body: CodeIn, viewer: Registered, state: State, attempts: SharedAttempts
) -> Data[RecoveryCodesOut]:
    """Turn the app on with its first code. The answer holds the recovery codes, which nobody sees again."""
    await attempts.add(state.database, (CODE_ACCOUNT, str(viewer.user_id)))
    async with state.database.write() as session:
        user = await session.get_one(User, viewer.user_id, with_for_update=True)
        codes = await service.confirm(session, state.settings, user, body.code)
        await attempts.clear(session, CODE_ACCOUNT, str(viewer.user_id))
        record_for(session, viewer, AuditAction.SECOND_FACTOR_ON)
        send_later(session, SecondFactorChanged(to=user.email, locale=user.locale, name=user.name, is_on=True))
        await sessions.confirm(session, viewer.session_hash or "")
        # Whoever signed in elsewhere did so without a code.
        await sign_out_everywhere(session, viewer.user_id, but=viewer.session_id)
    return Data(data=RecoveryCodesOut(codes=codes))


@router.post("/api/user/second-factor/confirm", status_code=204, responses=error_responses(401, 409, 419, 422, 429))
async def confirm_by_code(body: CodeIn, viewer: Registered, state: State, attempts: SharedAttempts) -> None:
    """Show once more who one is, before what cannot be undone. It counts for ten minutes."""
    await attempts.add(state.database, (CODE_ACCOUNT, str(viewer.user_id)))
    async with state.database.write() as session:
        await service.take_code(session, state.settings, viewer.user_id, body.code)
        await attempts.clear(session, CODE_ACCOUNT, str(viewer.user_id))
        await sessions.confirm(session, viewer.session_hash or "")


@router.post("/api/user/second-factor/recovery-codes", responses=error_responses(401, 409, 419, 422, 429))
async def replace_recovery_codes(
    body: PasswordProof, viewer: Registered, state: State, attempts: SharedAttempts
) -> Data[RecoveryCodesOut]:
    """Make new recovery codes; those from before are worth nothing."""
    await require_proof(state, attempts, viewer, body.password, field="password")
    async with state.database.write() as session:
        # Locked, or two calls would leave twenty codes.
        await session.get_one(User, viewer.user_id, with_for_update=True)
        await service.require_on(session, viewer.user_id)
        codes = await service.new_recovery_codes(session, viewer.user_id)
        record_for(session, viewer, AuditAction.RECOVERY_CODES_MADE)
    return Data(data=RecoveryCodesOut(codes=codes))


@router.delete("/api/user/second-factor/browsers", status_code=204, responses=error_responses(401, 419))
async def trust_no_browser(viewer: Registered, state: State) -> None:
    """Ask every browser for a code again at its next sign-in."""
    async with state.database.write() as session:
        await service.trust_no_browser(session, viewer.user_id)


@router.delete("/api/user/second-factor", status_code=204, responses=error_responses(401, 409, 419, 422, 429))
async def turn_off_second_factor(
    body: PasswordProof, viewer: Registered, state: State, attempts: SharedAttempts
) -> None:
    """Ask for no code any more. It takes the password and, within the last ten minutes, a code."""
    await require_proof(state, attempts, viewer, body.password, field="password")
    async with state.database.write() as session:
        user = await session.get_one(User, viewer.user_id, with_for_update=True)
        await service.turn_off(session, user)
        record_for(session, viewer, AuditAction.SECOND_FACTOR_OFF)
        send_later(session, SecondFactorChanged(to=user.email, locale=user.locale, name=user.name, is_on=False))
