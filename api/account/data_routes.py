"""A copy of one's data."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from api.account.export.contents import contents
from api.account.limits import EXPORT
from api.audit.actions import AuditAction
from api.audit.service import record_for
from api.auth.attempts import SharedAttempts
from api.auth.viewer import Registered
from api.http.downloads import attachment
from api.http.errors import Forbidden, error_responses
from api.http.state import State
from api.http.zip_stream import zip_stream

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
