"""The anti-forgery token: signed, bound to the browser's session, sent back in a header by the page.

Behaves as Laravel Sanctum's: `GET /sanctum/csrf-cookie` sets `XSRF-TOKEN`, the page returns it URL-decoded in
`X-XSRF-TOKEN`. It is signed over the session cookie, so a token set by a sibling domain does not match.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from urllib.parse import unquote

XSRF_COOKIE = "XSRF-TOKEN"
XSRF_HEADER = "X-XSRF-TOKEN"


def make_csrf_token(key: str, session_token: str) -> str:
    nonce = secrets.token_urlsafe(12)
    return f"{nonce}.{_sign(key, nonce, session_token)}"


def csrf_token_fits(key: str, session_token: str, header: str) -> bool:
    nonce, _, signature = unquote(header).partition(".")
    # As bytes: `compare_digest` raises for text beyond ASCII.
    expected = _sign(key, nonce, session_token).encode()
    return bool(signature) and hmac.compare_digest(signature.encode("utf-8", "replace"), expected)


def _sign(key: str, nonce: str, session_token: str) -> str:
    return hmac.new(key.encode(), f"{nonce}:{session_token}".encode("utf-8", "replace"), hashlib.sha256).hexdigest()
