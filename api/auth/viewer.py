"""Who is asking: the signed-in user and the team they act for. The anti-forgery check comes first."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.auth import sessions
from api.auth.cookies import session_cookie
from api.auth.csrf import XSRF_HEADER, csrf_token_fits
from api.db.engine import Database
from api.http.errors import CsrfMismatch, Forbidden, NotSignedIn, NotYourTeam
from api.http.state import State
from api.settings import ApiSettings
from api.teams.models import Membership, Team, TeamRole
from api.users.demo_account import is_locked
from api.users.models import User

TEAM_HEADER = "X-Active-Team"
CHANGING_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})


@dataclass(frozen=True)
class Viewer:
    """The person behind a request. `team_id` is the team they act for, already checked, and `role` theirs in it.

    `session_hash` names the browser session; empty where no browser is behind it.
    """

    user_id: uuid.UUID
    is_admin: bool
    team_id: uuid.UUID | None
    role: TeamRole | None = None
    is_changing: bool = False
    session_hash: str | None = None

    def require_change(self, owner_id: uuid.UUID | None) -> None:
        """Raise `Forbidden` when this call would change what a colleague owns and the role only lets them look."""
        if self.is_changing and self.role == TeamRole.VIEWER and owner_id != self.user_id:
            raise Forbidden


def check_csrf(request: Request, settings: ApiSettings) -> None:
    if request.method not in CHANGING_METHODS:
        return
    token = request.cookies.get(session_cookie(settings), "")
    header = request.headers.get(XSRF_HEADER, "")
    if not token or not csrf_token_fits(settings.signing_key, token, header):
        raise CsrfMismatch


async def _active_team(
    session: AsyncSession, user: User, header: str | None
) -> tuple[uuid.UUID | None, TeamRole | None]:
    if not header:
        return None, None
    try:
        team_id = uuid.UUID(header)
    except ValueError:
        raise NotYourTeam from None
    statement = (
        select(Membership.role)
        .join(Team, Membership.team_id == Team.id)
        .where(Team.id == team_id, Team.is_active, Membership.user_id == user.id)
    )
    role = await session.scalar(statement)
    if role is None:
        raise NotYourTeam
    return team_id, TeamRole(role)


async def load_viewer(request: Request, settings: ApiSettings, database: Database) -> Viewer:
    """The viewer of a request, for routes and for apps of their own (the upload host).

    Raises `NotSignedIn`, `CsrfMismatch` (changing methods only) or `NotYourTeam`. A session in use lives longer.
    """
    token = request.cookies.get(session_cookie(settings))
    if not token:
        raise NotSignedIn
    async with database.read() as session:
        found = await sessions.find(session, token)
        if found is None or is_locked(settings, found.user):
            raise NotSignedIn
        check_csrf(request, settings)
        team_id, role = await _active_team(session, found.user, request.headers.get(TEAM_HEADER))
    if sessions.is_due(found, hours=settings.session_hours):
        await sessions.extend(database, token, hours=settings.session_hours)
    return Viewer(
        user_id=found.user.id,
        is_admin=found.user.is_admin,
        team_id=team_id,
        role=role,
        is_changing=request.method in CHANGING_METHODS,
        session_hash=sessions.hash_token(token),
    )


async def current_viewer(request: Request, state: State) -> Viewer:
    return await load_viewer(request, state.settings, state.database)


async def check_forgery(request: Request, state: State) -> None:
    check_csrf(request, state.settings)


SignedIn = Annotated[Viewer, Depends(current_viewer)]
NoForgery = Depends(check_forgery)
