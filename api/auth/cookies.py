"""The three cookies of a browser: the session (hidden from scripts), the anti-forgery token and the `auth` flag."""

from __future__ import annotations

import json
from urllib.parse import quote

from fastapi import Response

from api.auth.csrf import XSRF_COOKIE, make_csrf_token
from api.settings import ApiSettings

SESSION_COOKIE = "sagascript_session"
AUTH_COOKIE = "auth"


def set_session_cookies(response: Response, settings: ApiSettings, *, token: str, authenticated: bool) -> None:
    seconds = settings.session_hours * 3600
    flag = quote(json.dumps({"authenticated": authenticated}))
    csrf = make_csrf_token(settings.signing_key, token)
    secure = settings.is_https
    response.set_cookie(SESSION_COOKIE, token, max_age=seconds, httponly=True, samesite="lax", secure=secure)
    response.set_cookie(XSRF_COOKIE, quote(csrf), max_age=seconds, samesite="lax", secure=secure)
    response.set_cookie(AUTH_COOKIE, flag, max_age=seconds, samesite="lax", secure=secure)


def clear_session_cookies(response: Response) -> None:
    for name in (SESSION_COOKIE, XSRF_COOKIE, AUTH_COOKIE):
        response.delete_cookie(name)
