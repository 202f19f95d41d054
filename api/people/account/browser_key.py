"""The key with which a browser encrypts what its person has not saved yet when their session ends there.

The browser forgets the key with the session, so nobody else at that browser can read the text; the person gets the same
key again when they sign in.
"""

from __future__ import annotations

import base64
import uuid

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from fastapi import APIRouter, Response

from api.people.account.schemas import BrowserKey
from api.people.auth.viewer import Registered
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import State
from api.platform.settings import ApiSettings

PURPOSE = b"sagascript unsaved text "

router = APIRouter(prefix="/api/user", tags=["account"])


def browser_key(settings: ApiSettings, user_id: uuid.UUID) -> str:
    """256 bits for AES, in base64."""
    derived = HKDF(SHA256(), length=32, salt=None, info=PURPOSE + user_id.bytes).derive(settings.sealing_key.encode())
    return base64.b64encode(derived).decode()


@router.get("/browser-key", responses=error_responses(401, 403))
async def get_browser_key(response: Response, viewer: Registered, state: State) -> Data[BrowserKey]:
    """The key with which this person's browsers encrypt unsaved text at the end of a session."""
    response.headers["Cache-Control"] = "no-store"
    return Data(data=BrowserKey(key=browser_key(state.settings, viewer.user_id)))
