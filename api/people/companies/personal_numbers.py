"""Personal numbers, encrypted where they are stored and shown only by their last digits."""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from api.platform.settings import ApiSettings

LAST_DIGITS = 4
DOTS = "••••"
PURPOSE = b"sagascript personal numbers"


def seal(settings: ApiSettings, number: str) -> str:
    """The encrypted form (Fernet: AES-128-CBC and HMAC-SHA256)."""
    return _fernet(settings).encrypt(number.encode()).decode()


def mask(settings: ApiSettings, sealed: str | None) -> str | None:
    """`•••• 1234`; only dots where the number is short or was encrypted with another key. None for no number."""
    if sealed is None:
        return None
    try:
        number = _fernet(settings).decrypt(sealed.encode()).decode()
    except InvalidToken:
        return DOTS
    digits = "".join(letter for letter in number if letter.isalnum())
    return f"{DOTS} {digits[-LAST_DIGITS:]}" if len(digits) > 2 * LAST_DIGITS - 2 else DOTS


def _fernet(settings: ApiSettings) -> Fernet:
    # The key has any form and length, and may serve other purposes.
    derived = HKDF(SHA256(), length=32, salt=None, info=PURPOSE).derive(settings.sealing_key.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
