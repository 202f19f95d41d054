"""The key to what a browser keeps of somebody's data."""

from __future__ import annotations

from fastapi import APIRouter, Response

from api.people.account.browser_key import browser_key
from api.people.account.schemas import BrowserKey
from api.people.auth.viewer import Registered
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import State

router = APIRouter(prefix="/api/user", tags=["account"])


@router.get("/browser-key", responses=error_responses(401, 403))
async def get_browser_key(response: Response, viewer: Registered, state: State) -> Data[BrowserKey]:
    """The key with which this person's browsers encrypt unsaved text at the end of a session."""
    response.headers["Cache-Control"] = "no-store"
    return Data(data=BrowserKey(key=browser_key(state.settings, viewer.user_id)))
