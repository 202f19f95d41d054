"""A customer's account log: what they, their colleagues and support did with their account."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from api.audit import queries
from api.audit.queries import Entry, LogFilter
from api.audit.sentences import sentence
from api.auth.viewer import SignedIn, Viewer
from api.http.errors import error_responses
from api.http.paging import Page, PageQuery, page_of
from api.http.state import ReadSession

router = APIRouter(prefix="/api/user", tags=["users"])

YOU, SUPPORT, SYSTEM, SOMEBODY = "You", "Support", "Sagascript", "Somebody else"


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
    is_own = entry.actor_id == viewer.user_id
    by_support = not is_own and entry.action.startswith(("browse_as.", "user.", "contract.", "goodwill."))
    if is_own:
        by = YOU
    elif entry.actor_id is None:
        by = SYSTEM
    else:
        by = f"{SUPPORT} ({actor_name})" if by_support and actor_name else actor_name or SOMEBODY
    return LogEntryOut(
        id=entry.id,
        at=entry.at,
        action=entry.action,
        sentence=sentence(entry.action, entry.details, entry.object_kind),
        by=by,
        by_support=by_support,
        team=team,
        network=entry.network if is_own else None,
    )
