"""Secrets of endpoints, and signatures as the Standard Webhooks specification describes them.

A message is signed over `id.timestamp.body` with HMAC-SHA256. While two secrets are valid, it has two signatures.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from api.platform.settings import ApiSettings

PREFIX = "whsec_"
SECRET_BYTES = 32
PURPOSE = b"sagascript webhook secrets"


def new_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def seal(settings: ApiSettings, secret: str) -> str:
    """The form in which the database holds a secret."""
    return _fernet(settings).encrypt(secret.encode()).decode()


def unseal(settings: ApiSettings, sealed: str) -> str:
    """Raises `cryptography.fernet.InvalidToken` for a secret that another key encrypted."""
    return _fernet(settings).decrypt(sealed.encode()).decode()


def signatures(secrets_: Iterable[str], message_id: str, timestamp: int, body: bytes) -> str:
    """The value of `webhook-signature`."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return " ".join(f"v1,{_signature(secret, signed)}" for secret in secrets_)


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def _fernet(settings: ApiSettings) -> Fernet:
    derived = HKDF(SHA256(), length=32, salt=None, info=PURPOSE).derive(settings.sealing_key.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
