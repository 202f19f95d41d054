"""Register, sign in, and what people reach by a link in a mail."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from api.people.account import passwords, sign_in, verification
from api.people.account.errors import MUST_USE, MustUseProvider
from api.people.account.free_minutes import give_free_minutes
from api.people.account.limits import (
    FORGOT_ADDRESS,
    FORGOT_MAIL,
    FORGOT_MAILS,
    RESET_ADDRESS,
    VERIFY_ADDRESS,
    VERIFY_MAIL,
    VERIFY_MAILS,
)
from api.people.account.locales import locale_of
from api.people.account.schemas import ForgotPassword, ResetRequest, SignIn, VerificationLink, VerifiedOut
from api.people.auth import service
from api.people.auth.address import client_network
from api.people.auth.attempts import LOGIN_ACCOUNT, LOGIN_ADDRESS, LOGIN_PAIR, REGISTER_ADDRESS, SharedAttempts
from api.people.auth.cookies import session_cookie, set_session_cookies, trusted_cookie
from api.people.auth.emails import login_email
from api.people.auth.passwords import hash_password
from api.people.auth.schemas import Registration
from api.people.auth.viewer import NoForgery, Registered
from api.people.providers.registry import binding
from api.people.second_factor import service as second_factor
from api.people.second_factor.errors import CodeNeeded
from api.people.second_factor.limits import CODE_ACCOUNT
from api.people.users import queries
from api.people.users.models import User
from api.people.users.restrictions import DEMO_LOCKED, is_locked
from api.people.users.schemas import UserOut
from api.platform.http.envelope import Data
from api.platform.http.errors import Invalid, error_responses
from api.platform.http.state import AppState, State
from cluster.wording.message import Message

ALREADY_VERIFIED = Message("account.already_verified", "Your email address is confirmed already.")

router = APIRouter(tags=["account"])


@router.post("/register", status_code=201, dependencies=[NoForgery], responses=error_responses(419, 422, 429))
async def register(
    body: Registration, request: Request, response: Response, state: State, attempts: SharedAttempts
) -> Data[UserOut]:
    service.check_password(body, name=body.name, email=body.email)
    await attempts.add(state.database, (REGISTER_ADDRESS, client_network(request)))
    await refuse_bound(state, body.email)
    password_hash = await hash_password(body.password)
    async with state.database.write() as session:
        user = await service.register(session, name=body.name, email=body.email, password_hash=password_hash)
        user.locale = locale_of(request)
        await give_free_minutes(session, state.settings, user)
        await verification.send_link(session, state.settings, user)
        token = await sign_in.open_session(session, state.settings, request, user)
        answer = await queries.describe(session, user, state.settings)
    # The next mail must wait for its minute.
    await attempts.add(state.database, (VERIFY_MAIL, str(user.id)))
    set_session_cookies(response, state.settings, token=token, authenticated=True)
    return Data(data=answer)


@router.post("/login", dependencies=[NoForgery], responses=error_responses(409, 419, 422, 429))
async def login(
    body: SignIn, request: Request, response: Response, state: State, attempts: SharedAttempts
) -> Data[UserOut]:
    address, account = client_network(request), login_email(body.email)
    pair = (LOGIN_PAIR, f"{address} {account}")
    await attempts.add(state.database, (LOGIN_ADDRESS, address), (LOGIN_ACCOUNT, account), pair)
    await refuse_bound(state, body.email)
    async with state.database.read() as session:
        account_user = await service.find_login(session, body.email)
    if account_user is not None and is_locked(state.settings, account_user):
        raise Invalid.field("email", DEMO_LOCKED)
    known = await service.check_login(account_user, body.password)
    renewed = await service.renewed_hash(known, body.password)
    browser = request.cookies.get(session_cookie(state.settings), "")
    trusted = request.cookies.get(trusted_cookie(state.settings), "")
    async with state.database.write() as session:
        await attempts.clear(session, *pair)
        if renewed is not None:
            await service.store_hash(session, known, renewed)
        needs_code = await second_factor.is_on(session, known.id) and not await second_factor.is_trusted(
            session, known.id, trusted
        )
        if needs_code:
            await second_factor.wait_for_code(session, known.id, browser, restore=body.restore)
    if needs_code:
        raise CodeNeeded
    async with state.database.write() as session:
        user = await session.get_one(User, known.id)
        await sign_in.require_not_deleted(session, user, restore=body.restore, network=address)
        token = await sign_in.open_session(session, state.settings, request, user)
        answer = await queries.describe(session, user, state.settings)
    set_session_cookies(response, state.settings, token=token, authenticated=True)
    return Data(data=answer)


async def refuse_bound(state: AppState, email: str) -> None:
    """Refuse the addresses that have to use an identity provider, whether or not they have an account."""
    async with state.database.read() as session:
        provider = await binding(session, state.settings, email)
    if provider is not None:
        raise MustUseProvider(MUST_USE(domain=email.rpartition("@")[2].lower(), provider=provider.name))


@router.post("/forgot-password", status_code=204, dependencies=[NoForgery], responses=error_responses(419, 422, 429))
async def forgot_password(body: ForgotPassword, request: Request, state: State, attempts: SharedAttempts) -> None:
    """Send a link that sets a new password. The answer does not say whether the address has an account."""
    limits = (FORGOT_ADDRESS, client_network(request)), (FORGOT_MAIL, body.email), (FORGOT_MAILS, body.email)
    await attempts.add(state.database, *limits)
    async with state.database.write() as session:
        await passwords.forgot(session, state.settings, body.email)


@router.post("/reset-password", status_code=204, dependencies=[NoForgery], responses=error_responses(419, 422, 429))
async def reset_password(body: ResetRequest, request: Request, state: State, attempts: SharedAttempts) -> None:
    """Set a new password by a link from a mail, and sign out everywhere."""
    network = client_network(request)
    await attempts.add(state.database, (RESET_ADDRESS, network))
    async with state.database.read() as session:
        user = await passwords.account_of(session, body.token, body.email)
    if body.code:
        await attempts.add(state.database, (CODE_ACCOUNT, str(user.id)))
    service.check_password(body, name=user.name, email=user.email)
    password_hash = await hash_password(body.password)
    async with state.database.write() as session:
        await passwords.reset(session, body.token, user.id, password_hash, code=body.code, network=network)


@router.post("/api/email/verify", dependencies=[NoForgery], responses=error_responses(419, 422, 429))
async def verify_email(
    body: VerificationLink, request: Request, state: State, attempts: SharedAttempts
) -> Data[VerifiedOut]:
    """Confirm an address by the link from its mail, also in a browser where nobody is signed in."""
    network = client_network(request)
    await attempts.add(state.database, (VERIFY_ADDRESS, network))
    async with state.database.write() as session:
        user = await verification.verify(session, state.settings, body.id, body.hash, network=network)
        return Data(data=VerifiedOut(email=user.email))


@router.post("/api/email/verify/resend", status_code=204, responses=error_responses(401, 422, 429))
async def resend_verification(viewer: Registered, state: State, attempts: SharedAttempts) -> None:
    """Send the link again, to a new address if one waits to be confirmed."""
    async with state.database.read() as session:
        user = await session.get_one(User, viewer.user_id)
    if user.email_verified_at is not None and user.pending_email is None:
        raise Invalid(ALREADY_VERIFIED)
    await attempts.add(state.database, (VERIFY_MAIL, str(user.id)), (VERIFY_MAILS, str(user.id)))
    async with state.database.write() as session:
        await verification.send_link(session, state.settings, await session.get_one(User, viewer.user_id))
