"""A customer's account log: what they, their colleagues and support did with their account."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from api.people.audit import queries
from api.people.audit.actors import actor_of
from api.people.audit.queries import Entry, LogFilter
from api.people.audit.sentences import sentence
from api.people.auth.viewer import SignedIn, Viewer
from api.platform.http.errors import error_responses
from api.platform.http.paging import Page, PageQuery, page_of
from api.platform.http.state import ReadSession

router = APIRouter(prefix="/api/user", tags=["users"])


class LogEntryOut(BaseModel):
    """`by` names who acted; `by_support` marks administrators. `network` is given for one's own acts alone."""

    id: uuid.UUID
    at: datetime
    action: str
    sentence: str
    by: str
    by_support: bool
    team: str | None
    network: str | None


@router.get("/log", responses=error_responses(401, 422))
async def account_log(
    query: Annotated[PageQuery, Query()], viewer: SignedIn, session: ReadSession
) -> Page[LogEntryOut]:
    """The newest first. `meta.total` counts up to 10,000 and one more."""
    wanted = LogFilter(subject_id=viewer.user_id)
    statement = queries.log_statement(wanted).offset(query.offset).limit(query.size)
    rows = (await session.execute(statement)).tuples().all()
    total = await queries.count_of(session, wanted)
    return page_of([_describe(row, viewer) for row in rows], query, total)


def _describe(row: Entry, viewer: Viewer) -> LogEntryOut:
    entry, actor_name, _, _, team = row
    actor = actor_of(entry, actor_name, viewer.user_id)
    return LogEntryOut(
        id=entry.id,
        at=entry.at,
        action=entry.action,
        sentence=sentence(entry.action, entry.details, entry.object_kind),
        by=actor.name,
        by_support=actor.is_support,
        team=team,
        network=entry.network if actor.is_reader else None,
    )
