"""A copy of one's data, and the key to what a browser keeps of it."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from api.people.account.browser_key import browser_key
from api.people.account.export.contents import contents
from api.people.account.limits import EXPORT
from api.people.account.schemas import BrowserKey
from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth.attempts import SharedAttempts
from api.people.auth.viewer import Registered
from api.platform.http.downloads import attachment
from api.platform.http.envelope import Data
from api.platform.http.errors import Forbidden, error_responses
from api.platform.http.state import State
from api.platform.http.zip_stream import zip_stream

FILENAME = "sagascript-data.zip"
FROM_HERE = frozenset({"same-origin", "none"})
"""`Sec-Fetch-Site` of our own pages, and of an address that somebody types."""

router = APIRouter(prefix="/api/user", tags=["account"])


@router.get("/export", response_class=StreamingResponse, responses=error_responses(401, 403, 429))
async def export_data(
    request: Request, viewer: Registered, state: State, attempts: SharedAttempts
) -> StreamingResponse:
    """A ZIP file with the profile, the list of files, all captions and AI texts, tags, glossary and account log."""
    if request.headers.get("sec-fetch-site", "same-origin") not in FROM_HERE:
        raise Forbidden
    await attempts.add(state.database, (EXPORT, str(viewer.user_id)))
    async with state.database.write() as session:
        record_for(session, viewer, AuditAction.DATA_EXPORTED)
    headers = {"Content-Disposition": attachment(FILENAME), "Cache-Control": "no-store"}
    entries = contents(state.database, viewer.user_id)
    return StreamingResponse(zip_stream(entries), media_type="application/zip", headers=headers)


@router.get("/browser-key", responses=error_responses(401, 403))
async def get_browser_key(response: Response, viewer: Registered, state: State) -> Data[BrowserKey]:
    """The key with which this person's browsers encrypt unsaved text at the end of a session."""
    response.headers["Cache-Control"] = "no-store"
    return Data(data=BrowserKey(key=browser_key(state.settings, viewer.user_id)))
