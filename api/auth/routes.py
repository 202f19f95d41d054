"""Register, sign in, sign out and the anti-forgery cookie."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from api.auth import service, sessions
from api.auth.address import client_network
from api.auth.attempts import LOGIN_ACCOUNT, LOGIN_ADDRESS, LOGIN_PAIR, REGISTER_ADDRESS, SharedAttempts
from api.auth.cookies import clear_session_cookies, session_cookie, set_session_cookies
from api.auth.emails import login_email
from api.auth.passwords import hash_password
from api.auth.schemas import Login, Registration
from api.auth.viewer import NoForgery
from api.http.envelope import Data
from api.http.errors import Invalid, error_responses
from api.http.state import State
from api.users import queries
from api.users.demo_account import DEMO_LOCKED, is_locked
from api.users.schemas import UserOut

router = APIRouter(tags=["auth"])


@router.get("/sanctum/csrf-cookie", status_code=204)
async def csrf_cookie(request: Request, response: Response, state: State) -> None:
    token = request.cookies.get(session_cookie(state.settings))
    signed_in = False
    if token:
        async with state.database.read() as session:
            signed_in = await sessions.find(session, token) is not None
    token = token or sessions.new_token()
    set_session_cookies(response, state.settings, token=token, authenticated=signed_in)


@router.post("/register", status_code=201, dependencies=[NoForgery], responses=error_responses(419, 422, 429))
async def register(
    body: Registration, request: Request, response: Response, state: State, attempts: SharedAttempts
) -> Data[UserOut]:
    service.check_registration(body)
    await attempts.add(state.database, (REGISTER_ADDRESS, client_network(request)))
    password_hash = await hash_password(body.password)
    async with state.database.write() as session:
        user = await service.register(session, name=body.name, email=body.email, password_hash=password_hash)
        await sessions.end(session, request.cookies[session_cookie(state.settings)])
        token = await sessions.start(session, user_id=user.id, hours=state.settings.session_hours)
        answer = await queries.describe(session, user, state.settings)
    set_session_cookies(response, state.settings, token=token, authenticated=True)
    return Data(data=answer)


@router.post("/login", dependencies=[NoForgery], responses=error_responses(419, 422, 429))
async def login(
    body: Login, request: Request, response: Response, state: State, attempts: SharedAttempts
) -> Data[UserOut]:
    address, account = client_network(request), login_email(body.email)
    pair = (LOGIN_PAIR, f"{address} {account}")
    await attempts.add(state.database, (LOGIN_ADDRESS, address), (LOGIN_ACCOUNT, account), pair)
    async with state.database.read() as session:
        account_user = await service.find_login(session, body.email)
    if account_user is not None and is_locked(state.settings, account_user):
        raise Invalid.field("email", DEMO_LOCKED)
    user = await service.check_login(account_user, body.password)
    renewed = await service.renewed_hash(user, body.password)
    async with state.database.write() as session:
        await attempts.clear(session, *pair)
        if renewed is not None:
            await service.store_hash(session, user, renewed)
        await sessions.end(session, request.cookies[session_cookie(state.settings)])
        token = await sessions.start(session, user_id=user.id, hours=state.settings.session_hours)
        answer = await queries.describe(session, user, state.settings)
    set_session_cookies(response, state.settings, token=token, authenticated=True)
    return Data(data=answer)


@router.post("/api/user/logout", status_code=204, dependencies=[NoForgery], responses=error_responses(419))
async def logout(request: Request, response: Response, state: State) -> None:
    async with state.database.write() as session:
        await sessions.end(session, request.cookies[session_cookie(state.settings)])
    clear_session_cookies(response, state.settings)
