"""The three cookies of a browser: the session (hidden from scripts), the anti-forgery token and the `auth` flag.

The session's row in the database says when it ends. The cookies of a signed-in browser only have to last longer than
that, so their age promises nothing.
"""

from __future__ import annotations

import json
from urllib.parse import quote

from fastapi import Response

from api.people.auth.csrf import XSRF_COOKIE, make_csrf_token
from api.platform.settings import ApiSettings

SESSION_COOKIE = "sagascript_session"
AUTH_COOKIE = "auth"
TRUSTED_COOKIE = "sagascript_trusted"
"""Of a browser that need give no code (`api/people/second_factor`), whoever signs in there next."""
LONGEST_S = 400 * 24 * 3600
"""Browsers keep no cookie for longer (RFC 6265bis, 5.5)."""


def session_cookie(settings: ApiSettings) -> str:
    """The session cookie's name. With https its prefix makes browsers reject one that a sibling domain has set."""
    return f"__Host-{SESSION_COOKIE}" if settings.is_https else SESSION_COOKIE


def set_session_cookies(response: Response, settings: ApiSettings, *, token: str, authenticated: bool) -> None:
    seconds = LONGEST_S if authenticated else settings.session_hours * 3600
    flag = quote(json.dumps({"authenticated": authenticated}))
    csrf = make_csrf_token(settings.signing_key, token)
    secure = settings.is_https
    response.set_cookie(session_cookie(settings), token, max_age=seconds, httponly=True, samesite="lax", secure=secure)
    response.set_cookie(XSRF_COOKIE, quote(csrf), max_age=seconds, samesite="lax", secure=secure)
    response.set_cookie(AUTH_COOKIE, flag, max_age=seconds, samesite="lax", secure=secure)


def trusted_cookie(settings: ApiSettings) -> str:
    return f"__Host-{TRUSTED_COOKIE}" if settings.is_https else TRUSTED_COOKIE


def set_trusted_cookie(response: Response, settings: ApiSettings, token: str) -> None:
    """The row in the database says how long the browser is trusted. A sign-out leaves it."""
    secure = settings.is_https
    response.set_cookie(
        trusted_cookie(settings), token, max_age=LONGEST_S, httponly=True, samesite="lax", secure=secure
    )


def clear_session_cookies(response: Response, settings: ApiSettings) -> None:
    # Browsers ignore a __Host- cookie without `Secure`, even one that deletes.
    secure = settings.is_https
    response.delete_cookie(session_cookie(settings), secure=secure, httponly=True, samesite="lax")
    for name in (XSRF_COOKIE, AUTH_COOKIE):
        response.delete_cookie(name, secure=secure, samesite="lax")
