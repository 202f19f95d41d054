"""The key with which a browser encrypts what its person has not saved yet when their session ends there.

The browser forgets the key with the session, so nobody else at that browser can read the text; the person gets the same
key again when they sign in.
"""

from __future__ import annotations

import base64
import uuid

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from api.platform.settings import ApiSettings

PURPOSE = b"sagascript unsaved text "


def browser_key(settings: ApiSettings, user_id: uuid.UUID) -> str:
    """256 bits for AES, in base64."""
    derived = HKDF(SHA256(), length=32, salt=None, info=PURPOSE + user_id.bytes).derive(settings.sealing_key.encode())
    return base64.b64encode(derived).decode()
