"""Files into a team and out of it, and the team's account log."""

from __future__ import annotations

import uuid
from typing import Annotated

from fastapi import APIRouter, Query

from api.people.audit import queries as audit
from api.people.audit.actors import actor_of
from api.people.audit.queries import LogFilter
from api.people.audit.sentences import sentence
from api.people.auth.viewer import SignedIn
from api.people.membership import files, queries
from api.people.membership.schemas import MovedFiles, TeamFiles, TeamLogEntry
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.paging import Page, PageQuery, page_of
from api.platform.http.state import ReadSession, WriteSession

router = APIRouter(prefix="/api/teams", tags=["teams"])


@router.post("/{team_id}/files", responses=error_responses(401, 402, 403, 404, 419, 422))
async def move_into_team(
    team_id: uuid.UUID, body: TeamFiles, viewer: SignedIn, session: WriteSession
) -> Data[MovedFiles]:
    """Give files to the team, from oneself or from another team. All or none."""
    return Data(data=MovedFiles(moved=await files.move(session, viewer, body.ids, team_id)))


@router.delete("/{team_id}/files", responses=error_responses(401, 402, 403, 404, 419, 422))
async def move_out_of_team(
    team_id: uuid.UUID, body: TeamFiles, viewer: SignedIn, session: WriteSession
) -> Data[MovedFiles]:
    """Make files of the team, and of one's other teams, one's own. All or none.

    Editors may take what they added, owners everything.
    """
    await queries.require_member(session, viewer, team_id)
    return Data(data=MovedFiles(moved=await files.move(session, viewer, body.ids, None)))


@router.get("/{team_id}/log", responses=error_responses(401, 404, 422))
async def team_log(
    team_id: uuid.UUID, query: Annotated[PageQuery, Query()], viewer: SignedIn, session: ReadSession
) -> Page[TeamLogEntry]:
    """What members and support did in the team, the newest first."""
    await queries.require_member(session, viewer, team_id)
    wanted = LogFilter(team_id=team_id)
    statement = audit.log_statement(wanted).offset(query.offset).limit(query.size)
    entries = [
        TeamLogEntry(
            id=entry.id,
            at=entry.at,
            action=entry.action,
            sentence=sentence(entry.action, entry.details, entry.object_kind),
            by=actor_of(entry, name, viewer.user_id).name,
        )
        for entry, name, *_ in (await session.execute(statement)).tuples()
    ]
    return page_of(entries, query, await audit.count_of(session, wanted))
