"""Personal numbers, encrypted where they are stored and shown only by their last digits."""

from __future__ import annotations

from cryptography.fernet import InvalidToken

from api.platform import sealing
from api.platform.settings import ApiSettings

LAST_DIGITS = 4
DOTS = "••••"
PURPOSE = b"sagascript personal numbers"


def seal(settings: ApiSettings, number: str) -> str:
    return sealing.seal(settings, PURPOSE, number)


def mask(settings: ApiSettings, sealed: str | None) -> str | None:
    """`•••• 1234`; only dots where the number is short or was encrypted with another key. None for no number."""
    if sealed is None:
        return None
    try:
        number = sealing.unseal(settings, PURPOSE, sealed)
    except InvalidToken:
        return DOTS
    digits = "".join(letter for letter in number if letter.isalnum())
    return f"{DOTS} {digits[-LAST_DIGITS:]}" if len(digits) > 2 * LAST_DIGITS - 2 else DOTS
