"""Sign in with an identity provider, and sign out with it."""

from __future__ import annotations

import uuid
from typing import Annotated, cast

from fastapi import APIRouter, Depends, Form, Query, Request, Response
from fastapi.responses import JSONResponse

from api.people.access.belongings import SharedBelongings
from api.people.account import sign_out
from api.people.auth.address import client_network, page_origin
from api.people.auth.attempts import LOGIN_ACCOUNT, LOGIN_ADDRESS, LOGIN_PAIR, SharedAttempts
from api.people.auth.cookies import clear_session_cookies, session_cookie, set_session_cookies
from api.people.auth.viewer import NoForgery
from api.people.providers.models import Purpose
from api.people.providers.registry import enabled, provider_of
from api.people.single_sign_on import journey
from api.people.single_sign_on.errors import ProviderRefused
from api.people.single_sign_on.limits import ANSWER_ADDRESS, LOGOUT_TOKEN, SIGN_OUT_ADDRESS, START_ADDRESS
from api.people.single_sign_on.metadata import ProviderMetadata
from api.people.single_sign_on.pending import resume
from api.people.single_sign_on.schemas import (
    GoTo,
    ProviderAnswer,
    ProviderChoice,
    SignInProof,
    SignInResult,
)
from api.people.single_sign_on.service import SignedIn, SignOn
from api.people.single_sign_on.sign_out import end_by_provider, provider_session_of, sign_out_address
from api.people.single_sign_on.tokens import TOKEN_MAX, read_logout_token
from api.platform.http.envelope import Data
from api.platform.http.errors import ApiError, NotFound, TooManyRequests, error_responses
from api.platform.http.state import AppState, ReadSession, State

router = APIRouter(tags=["sign-in"])


async def _metadata(request: Request) -> ProviderMetadata:
    return cast(ProviderMetadata, request.app.state.provider_metadata)


SharedMetadata = Annotated[ProviderMetadata, Depends(_metadata)]
"""What the web process knows of the providers, for routes."""


@router.get("/api/sign-in/providers")
async def list_providers(state: State, session: ReadSession) -> Data[list[ProviderChoice]]:
    """The providers with which people can sign in here, for the page where they choose."""
    entry = await enabled(session, state.settings)
    return Data(data=[ProviderChoice(slug=each.provider.slug, name=each.provider.name) for each in entry])


@router.post("/api/sign-in/{slug}", dependencies=[NoForgery], responses=error_responses(404, 419, 422, 429, 503))
async def start_sign_in(
    slug: str,
    request: Request,
    state: State,
    attempts: SharedAttempts,
    metadata: SharedMetadata,
) -> Data[GoTo]:
    """Begin to sign in: the page sends the browser to `url`, and the provider sends it back to `/sign-in/{slug}`."""
    await attempts.add(state.database, (START_ADDRESS, client_network(request)))
    return await send_away(slug, request, state, metadata, Purpose.SIGN_IN)


async def send_away(
    slug: str,
    request: Request,
    state: AppState,
    metadata: ProviderMetadata,
    purpose: Purpose,
    user_id: uuid.UUID | None = None,
) -> Data[GoTo]:
    """Where the page sends the browser for this purpose; `user_id` is the account that is signed in, if one must be."""
    async with state.database.read() as session:
        entry = await provider_of(session, state.settings, slug)
    published = await metadata.of(entry.provider)
    async with state.database.write() as session:
        url = await journey.begin(
            session,
            published,
            entry,
            browser=request.cookies.get(session_cookie(state.settings), ""),
            origin=page_origin(request, state.settings),
            purpose=purpose,
            user_id=user_id,
        )
    return Data(data=GoTo(url=url))


@router.post(
    "/api/sign-in/{slug}/answer",
    dependencies=[NoForgery],
    responses=error_responses(404, 409, 419, 422, 429, 503),
)
async def take_answer(
    slug: str,
    body: ProviderAnswer,
    request: Request,
    response: Response,
    state: State,
    attempts: SharedAttempts,
    metadata: SharedMetadata,
    belongings: SharedBelongings,
) -> Data[SignInResult]:
    """Go on with what the provider sent the browser back with. It is taken once, from the browser that began."""
    await attempts.add(state.database, (ANSWER_ADDRESS, client_network(request)))
    cookie = request.cookies.get(session_cookie(state.settings), "")
    async with state.database.write() as session:
        entry = await provider_of(session, state.settings, slug)
        begun = await journey.take(session, slug, body.state, browser=cookie)
    person = await journey.redeem(metadata, entry, begun, body)
    done = await SignOn(state, request, belongings, entry).go_on(begun, person)
    return _answer(response, state, done)


@router.post(
    "/api/sign-in/{slug}/proof",
    dependencies=[NoForgery],
    responses=error_responses(404, 409, 419, 422, 429),
)
async def give_proof(
    slug: str,
    body: SignInProof,
    request: Request,
    response: Response,
    state: State,
    attempts: SharedAttempts,
    belongings: SharedBelongings,
) -> Data[SignInResult]:
    """Give what a sign-in waits for: the password of the account that has the address, or the wish to restore it."""
    cookie = request.cookies.get(session_cookie(state.settings), "")
    pending = resume(state.settings, body.token, slug, browser=cookie)
    address, account = client_network(request), pending.person.email or ""
    # The same counters as those of the sign-in page: this is another way to guess a password.
    pair = (LOGIN_PAIR, f"{address} {account}")
    await attempts.add(state.database, (LOGIN_ADDRESS, address), (LOGIN_ACCOUNT, account), pair)
    async with state.database.read() as session:
        entry = await provider_of(session, state.settings, slug)
    sign_on = SignOn(state, request, belongings, entry)
    if body.restore:
        done = await sign_on.restore(pending)
    else:
        done = await sign_on.prove(pending, body.password or "", body.code or "", attempts)
    async with state.database.write() as session:
        await attempts.clear(session, *pair)
    return _answer(response, state, done)


def _answer(response: Response, state: AppState, done: SignedIn) -> Data[SignInResult]:
    if done.cookie is not None:
        set_session_cookies(response, state.settings, token=done.cookie, authenticated=True)
    return Data(data=done.result)


@router.post(
    "/api/user/logout",
    status_code=204,
    tags=["account"],
    dependencies=[NoForgery],
    responses={200: {"model": Data[GoTo]}, **error_responses(419)},
)
async def logout(request: Request, state: State, metadata: SharedMetadata) -> Response:
    """Sign out here. With 200, the page sends the browser to `url`, where the provider ends its own session too."""
    cookie = request.cookies.get(session_cookie(state.settings), "")
    url = await _sign_out_address(request, state, metadata, cookie)
    async with state.database.write() as session:
        await sign_out.close_session(session, state.settings, request)
    response = Response(status_code=204) if url is None else JSONResponse(Data(data=GoTo(url=url)).model_dump())
    clear_session_cookies(response, state.settings)
    return response


async def _sign_out_address(request: Request, state: AppState, metadata: ProviderMetadata, cookie: str) -> str | None:
    async with state.database.read() as session:
        held = await provider_session_of(session, cookie)
        if held is None:
            return None
        try:
            entry = await provider_of(session, state.settings, held.provider)
        except NotFound:
            return None
    origin = page_origin(request, state.settings)
    return await sign_out_address(state.settings, metadata, entry.provider, held, origin=origin)


class BadLogout(ApiError):
    """The status that the specification wants (OpenID Connect Back-Channel Logout, 2.8)."""

    status_code = 400


@router.post("/api/sign-in/{slug}/back-channel-logout", responses=error_responses(400, 404, 422, 429, 503))
async def back_channel_logout(
    slug: str,
    request: Request,
    response: Response,
    state: State,
    attempts: SharedAttempts,
    metadata: SharedMetadata,
    logout_token: Annotated[str, Form(max_length=TOKEN_MAX)],
) -> None:
    """The provider says that one of its sessions is over, or that a person has to be signed out everywhere."""
    response.headers["Cache-Control"] = "no-store"
    await attempts.add(state.database, (SIGN_OUT_ADDRESS, client_network(request)))
    async with state.database.read() as session:
        entry = await provider_of(session, state.settings, slug)
    try:
        claims = await read_logout_token(metadata, entry.provider, logout_token)
        await attempts.add(state.database, (LOGOUT_TOKEN, f"{entry.provider.issuer} {claims['jti']}"))
    except (ProviderRefused, TooManyRequests) as error:
        raise BadLogout(error.message) from None
    async with state.database.write() as session:
        await end_by_provider(
            session,
            entry.provider,
            sid=claims.get("sid"),
            subject=claims.get("sub"),
            network=client_network(request),
        )


@router.get("/api/sign-in/{slug}/front-channel-logout", responses=error_responses(404, 422, 429))
async def front_channel_logout(
    slug: str,
    request: Request,
    response: Response,
    state: State,
    attempts: SharedAttempts,
    iss: Annotated[str, Query(max_length=500)],
    sid: Annotated[str, Query(min_length=1, max_length=255)],
) -> None:
    """The same, in a frame of the provider's page, which cannot send our cookies: `sid` names the session alone."""
    response.headers["Cache-Control"] = "no-store"
    await attempts.add(state.database, (SIGN_OUT_ADDRESS, client_network(request)))
    async with state.database.read() as session:
        entry = await provider_of(session, state.settings, slug)
    if iss != entry.provider.issuer:
        return
    async with state.database.write() as session:
        await end_by_provider(session, entry.provider, sid=sid, subject=None, network=client_network(request))
