"""Secrets of endpoints, and signatures as the Standard Webhooks specification describes them.

A message is signed over `id.timestamp.body` with HMAC-SHA256. While two secrets are valid, it has two signatures.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable

from api.platform import sealing
from api.platform.settings import ApiSettings

PREFIX = "whsec_"
SECRET_BYTES = 32
PURPOSE = b"sagascript webhook secrets"


def new_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def seal(settings: ApiSettings, secret: str) -> str:
    """The form in which the database holds a secret."""
    return sealing.seal(settings, PURPOSE, secret)


def unseal(settings: ApiSettings, sealed: str) -> str:
    """Raises `cryptography.fernet.InvalidToken` for a secret that another key encrypted."""
    return sealing.unseal(settings, PURPOSE, sealed)


def signatures(secrets_: Iterable[str], message_id: str, timestamp: int, body: bytes) -> str:
    """The value of `webhook-signature`."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return " ".join(f"v1,{_signature(secret, signed)}" for secret in secrets_)


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
