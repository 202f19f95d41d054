"""The two signatures of the Pusher protocol: on a channel subscription and on a call of the HTTP API."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping

SOCKET_ID = re.compile(r"[0-9]{1,20}\.[0-9]{1,20}")
CHANNEL_NAME = re.compile(r"[A-Za-z0-9_\-=@,.;]{1,200}")
"""Neither may contain a colon, which separates the parts of the signed text."""

AUTH_VERSION = "1.0"


def hmac_hex(secret: str, text: str) -> str:
    return hmac.new(secret.encode(), text.encode(errors="replace"), hashlib.sha256).hexdigest()


def sign_channel(key: str, secret: str, *, socket_id: str, channel: str, channel_data: str | None = None) -> str:
    """The `auth` value that lets one socket subscribe to one channel. Presence channels sign the user too."""
    signed = f"{socket_id}:{channel}" if channel_data is None else f"{socket_id}:{channel}:{channel_data}"
    return f"{key}:{hmac_hex(secret, signed)}"


def channel_auth_fits(
    auth: str, key: str, secret: str, *, socket_id: str, channel: str, channel_data: str | None = None
) -> bool:
    expected = sign_channel(key, secret, socket_id=socket_id, channel=channel, channel_data=channel_data)
    return hmac.compare_digest(auth.encode(errors="replace"), expected.encode())


def user_auth_fits(auth: str, key: str, secret: str, *, socket_id: str, user_data: str) -> bool:
    """Whether the `auth` value lets the socket sign in as the user."""
    expected = f"{key}:{hmac_hex(secret, f'{socket_id}::user::{user_data}')}"
    return hmac.compare_digest(auth.encode(errors="replace"), expected.encode())


def sign_call(secret: str, *, method: str, path: str, query: Mapping[str, str]) -> str:
    """The `auth_signature` of a call with these query parameters, which exclude the signature itself."""
    pairs = "&".join(f"{name}={value}" for name, value in sorted((k.lower(), v) for k, v in query.items()))
    return hmac_hex(secret, f"{method}\n{path}\n{pairs}")


def body_md5(body: bytes) -> str:
    """The protocol requires MD5. The signature over it is what protects the body."""
    return hashlib.md5(body, usedforsecurity=False).hexdigest()
