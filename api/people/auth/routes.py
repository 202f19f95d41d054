"""The anti-forgery cookie. Sign-in is in `api.people.account`, which also sends mail and keeps the account log."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from api.people.auth import sessions
from api.people.auth.cookies import session_cookie, set_session_cookies
from api.platform.http.state import State

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
