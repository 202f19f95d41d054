"""Browse as a customer. The cookies of each answer replace the session's former ones."""

from __future__ import annotations

import uuid
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, StringConstraints

from api.people.access.rules import require_admin
from api.people.auth import browse_as
from api.people.auth.address import client_network
from api.people.auth.cookies import session_cookie, set_session_cookies
from api.people.auth.step_up import StepUp
from api.people.auth.viewer import NoForgery, SignedIn
from api.people.users import queries
from api.people.users.models import User
from api.people.users.schemas import BrowseAs, UserOut
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.limits import REASON_MAX, REASON_MIN
from api.platform.http.state import State, WriteSession
from api.platform.http.text import CLEAN_LINE
from api.platform.jobs.outbox import end_connections

router = APIRouter(prefix="/api/browse-as", tags=["admin"])


class BrowseAsRequest(BaseModel):
    """`reason` is for the audit log and for the customer, who can read it."""

    id: uuid.UUID
    reason: Annotated[str, StringConstraints(min_length=REASON_MIN, max_length=REASON_MAX), CLEAN_LINE]


class BrowseAsChanges(BaseModel):
    may_change: bool


@router.post("", dependencies=[StepUp], responses=error_responses(401, 403, 404, 409, 419, 422))
async def start_browsing(
    body: BrowseAsRequest, viewer: SignedIn, session: WriteSession, state: State, response: Response
) -> Data[UserOut]:
    """Use the account of a customer for 30 minutes, at first only to look."""
    if viewer.admin_id is None:
        await require_admin(viewer)
    started = await browse_as.start(session, viewer, body.id, body.reason)
    answer = await queries.describe(session, started.subject, state.settings)
    set_session_cookies(response, state.settings, token=started.token, authenticated=True)
    ends_at = await browse_as.ends_at(session, started.token)
    # What the page hears of the account ends with the time, whatever the page does.
    end_connections(session, [started.id], at=ends_at)
    admin = await session.get_one(User, viewer.user_id)
    answer.browse_as = BrowseAs(admin_name=admin.name, ends_at=ends_at, may_change=False)
    return Data(data=answer)


@router.post("/changes", responses=error_responses(401, 409, 419, 422))
async def allow_changes(
    body: BrowseAsChanges, viewer: SignedIn, session: WriteSession, state: State, response: Response
) -> Data[BrowseAsChanges]:
    """The second switch: whether one may also change things in the customer's account."""
    if body.may_change:
        await browse_as.allow_changes(session, viewer)
    else:
        token = await browse_as.forbid_changes(session, viewer)
        set_session_cookies(response, state.settings, token=token, authenticated=True)
    return Data(data=body)


@router.delete("", status_code=204, dependencies=[NoForgery], responses=error_responses(401, 419))
async def end_browsing(request: Request, response: Response, session: WriteSession, state: State) -> None:
    """Return to one's own account. Does nothing there, and also works once the time is over."""
    held = request.cookies[session_cookie(state.settings)]
    token, browse_id = await browse_as.end(session, held, network=client_network(request))
    if browse_id is not None:
        end_connections(session, [browse_id])
    set_session_cookies(response, state.settings, token=token, authenticated=True)
