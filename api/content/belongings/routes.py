"""Files into a team and out of it, and a copy of one's data."""

from __future__ import annotations

import uuid

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from api.content.belongings import moving
from api.content.belongings.export.contents import contents
from api.people.account.limits import EXPORT
from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth.attempts import SharedAttempts
from api.people.auth.viewer import Registered, SignedIn
from api.people.membership import queries
from api.people.membership.schemas import MovedFiles, TeamFiles
from api.platform.http.downloads.names import attachment
from api.platform.http.downloads.zip_stream import zip_stream
from api.platform.http.envelope import Data
from api.platform.http.errors import Forbidden, error_responses
from api.platform.http.state import State, WriteSession

FILENAME = "sagascript-data.zip"
FROM_HERE = frozenset({"same-origin", "none"})
"""`Sec-Fetch-Site` of our own pages, and of an address that somebody types."""

teams = APIRouter(prefix="/api/teams", tags=["teams"])
account = APIRouter(prefix="/api/user", tags=["account"])


@teams.post("/{team_id}/files", responses=error_responses(401, 402, 403, 404, 419, 422))
async def move_into_team(
    team_id: uuid.UUID, body: TeamFiles, viewer: SignedIn, session: WriteSession
) -> Data[MovedFiles]:
    """Give files to the team, from oneself or from another team. All or none."""
    return Data(data=MovedFiles(moved=await moving.move(session, viewer, body.ids, team_id)))


@teams.delete("/{team_id}/files", responses=error_responses(401, 402, 403, 404, 419, 422))
async def move_out_of_team(
    team_id: uuid.UUID, body: TeamFiles, viewer: SignedIn, session: WriteSession
) -> Data[MovedFiles]:
    """Make files of the team, and of one's other teams, one's own. All or none.

    Editors may take what they added, owners everything.
    """
    await queries.require_member(session, viewer, team_id)
    return Data(data=MovedFiles(moved=await moving.move(session, viewer, body.ids, None)))


@account.get("/export", response_class=StreamingResponse, responses=error_responses(401, 403, 429))
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
