"""Files into a team and out of it, and a copy of what a person or a team has."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from api.content.belongings import moving
from api.content.belongings.export.contents import of_account, of_whole_team
from api.people.access.owned import TEAM_OWNERS
from api.people.account.limits import EXPORT
from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth.attempts import SharedAttempts
from api.people.auth.viewer import Registered, SignedIn
from api.people.membership import queries
from api.people.membership.announcement import record_in
from api.people.membership.schemas import MovedFiles, TeamFiles
from api.people.teams.models import Team
from api.platform.http.downloads.names import attachment
from api.platform.http.downloads.zip_stream import Entry, zip_stream
from api.platform.http.envelope import Data
from api.platform.http.errors import Forbidden, error_responses
from api.platform.http.state import State, WriteSession

FILENAME = "sagascript-data.zip"
TEAM_FILENAME = "sagascript-team.zip"
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


@teams.get(
    "/{team_id}/export", response_class=StreamingResponse, responses=error_responses(401, 402, 403, 404, 422, 429)
)
async def export_team(
    team_id: uuid.UUID, request: Request, viewer: SignedIn, state: State, attempts: SharedAttempts
) -> StreamingResponse:
    """A ZIP file with all that the team has but the media: for its owners."""
    _require_here(request)
    async with state.database.read() as session:
        await queries.require_member(session, viewer, team_id)
    if viewer.teams.get(team_id) not in TEAM_OWNERS:
        raise Forbidden
    await attempts.add(state.database, (EXPORT, str(viewer.user_id)))
    async with state.database.write() as session:
        record_in(session, viewer, AuditAction.TEAM_EXPORTED, await session.get_one(Team, team_id))
    return _zip(of_whole_team(state.database, team_id), TEAM_FILENAME)


@account.get("/export", response_class=StreamingResponse, responses=error_responses(401, 403, 429))
async def export_data(
    request: Request, viewer: Registered, state: State, attempts: SharedAttempts
) -> StreamingResponse:
    """A ZIP file with the profile, the list of files, all captions and AI texts, tags, glossary and account log."""
    _require_here(request)
    await attempts.add(state.database, (EXPORT, str(viewer.user_id)))
    async with state.database.write() as session:
        record_for(session, viewer, AuditAction.DATA_EXPORTED)
    return _zip(of_account(state.database, viewer.user_id), FILENAME)


def _require_here(request: Request) -> None:
    """Another site's link must not spend somebody's few copies an hour."""
    if request.headers.get("sec-fetch-site", "same-origin") not in FROM_HERE:
        raise Forbidden


def _zip(entries: AsyncIterator[Entry], filename: str) -> StreamingResponse:
    headers = {"Content-Disposition": attachment(filename), "Cache-Control": "no-store"}
    return StreamingResponse(zip_stream(entries), media_type="application/zip", headers=headers)
