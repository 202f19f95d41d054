"""Check that a call of the HTTP API is signed with our secret, and that the signature covers all of it."""

from __future__ import annotations

import hmac
import json
import time
from typing import Any

from starlette.requests import Request

from api.platform.http.limits import BODY_BYTES_MAX
from api.platform.realtime.relay.subscriptions import Application
from api.platform.realtime.signing import AUTH_VERSION, body_md5, sign_call

MAX_CLOCK_DIFFERENCE_S = 600
MAX_STAMP_DIGITS = 20


class CallRefused(Exception):
    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers


async def signed_body(request: Request, mine: Application) -> dict[str, Any]:
    """The JSON object of a POST, {} for a GET. Raises `CallRefused` when the call is invalid or not signed by us."""
    # The Python library ends users' connections without an id in the path. Then the signed key names the application.
    if request.path_params.get("app_id", mine.app_id) != mine.app_id:
        raise CallRefused(404, "There is no application of this id.")
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > BODY_BYTES_MAX:
            raise CallRefused(413, "The body is too large.")
    _check_signature(request, bytes(body), key=mine.key, secret=mine.secret)
    if request.method == "GET":
        return {}
    try:
        parsed = json.loads(bytes(body))
    except (ValueError, RecursionError):
        raise CallRefused(400, "The body is not JSON.") from None
    if not isinstance(parsed, dict):
        raise CallRefused(400, "The body is not a JSON object.")
    return parsed


def _check_signature(request: Request, body: bytes, *, key: str, secret: str) -> None:
    query = dict(request.query_params)
    given = query.pop("auth_signature", "")
    expected = sign_call(secret, method=request.method, path=request.url.path, query=query)
    if not hmac.compare_digest(given.encode(), expected.encode()) or query.get("auth_key") != key:
        raise CallRefused(401, "The signature does not fit. Check the key and the secret.")
    is_body_signed = query.get("body_md5", "" if body else body_md5(body)) == body_md5(body)
    if query.get("auth_version") != AUTH_VERSION or not is_body_signed:
        raise CallRefused(401, "The signature does not cover this body.")
    stamp = query.get("auth_timestamp", "")
    # Longer numbers do not fit into the clock's float.
    is_number = stamp.isascii() and stamp.isdigit() and len(stamp) <= MAX_STAMP_DIGITS
    if not is_number or abs(time.time() - int(stamp)) > MAX_CLOCK_DIFFERENCE_S:
        raise CallRefused(401, "The call is too old. Check the clocks of both servers.")
