"""A team's account log."""

from __future__ import annotations

import uuid
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import Response
from sqlalchemy import Row

from api.people.audit import queries as audit
from api.people.audit.actors import actor_of
from api.people.audit.queries import LogFilter
from api.people.audit.sentences import sentence
from api.people.auth.viewer import SignedIn
from api.people.membership import queries
from api.people.membership.schemas import TeamLogEntry
from api.platform.http.downloads.csv_export import CSV_RESPONSE, Cell, CsvPageQuery, ListFormat, csv_answer
from api.platform.http.errors import error_responses
from api.platform.http.paging import Page, page_of
from api.platform.http.state import ReadSession, State

router = APIRouter(prefix="/api/teams", tags=["teams"])


HEADER = ("at", "action", "what", "actor")


@router.get(
    "/{team_id}/log", response_model=Page[TeamLogEntry], responses=CSV_RESPONSE | error_responses(401, 404, 422)
)
async def team_log(
    team_id: uuid.UUID, query: Annotated[CsvPageQuery, Query()], viewer: SignedIn, session: ReadSession, state: State
) -> Page[TeamLogEntry] | Response:
    """What members and support did in the team, the newest first."""
    await queries.require_member(session, viewer, team_id)
    wanted = LogFilter(team_id=team_id)
    if query.format is ListFormat.CSV:

        def cells(row: Row[*tuple[Any, ...]]) -> tuple[Cell, ...]:
            entry, name, *_ = row.tuple()
            what = sentence(entry.action, entry.details, entry.object_kind)
            return (entry.at, entry.action, what, actor_of(entry, name, viewer.user_id).name)

        return csv_answer(state.database, "team-log.csv", HEADER, audit.log_statement(wanted), cells)
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
