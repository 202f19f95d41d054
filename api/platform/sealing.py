"""Encrypt secrets for the database (Fernet: AES-128-CBC and HMAC-SHA256), with a key of its own for each purpose."""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from api.platform.settings import ApiSettings


def seal(settings: ApiSettings, purpose: bytes, text: str) -> str:
    """The encrypted form of a text."""
    return _fernet(settings, purpose).encrypt(text.encode()).decode()


def unseal(settings: ApiSettings, purpose: bytes, sealed: str, *, within_s: int | None = None) -> str:
    """The text. Raises `cryptography.fernet.InvalidToken` for another key or purpose, or if older than `within_s`."""
    return _fernet(settings, purpose).decrypt(sealed.encode("utf-8", "replace"), ttl=within_s).decode()


def _fernet(settings: ApiSettings, purpose: bytes) -> Fernet:
    # The key of the settings has any form and length.
    derived = HKDF(SHA256(), length=32, salt=None, info=purpose).derive(settings.sealing_key.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
