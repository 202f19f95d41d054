"""Who is asking: the signed-in user and the team they act for. The anti-forgery check comes first."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.auth import sessions
from api.auth.cookies import SESSION_COOKIE
from api.auth.csrf import XSRF_HEADER, csrf_token_fits
from api.db.engine import Database
from api.http.errors import CsrfMismatch, Forbidden, NotSignedIn
from api.http.state import State
from api.settings import ApiSettings
from api.teams.models import Membership, Team
from api.users.demo_account import is_locked
from api.users.models import User

TEAM_HEADER = "X-Active-Team"
CHANGING_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})


@dataclass(frozen=True)
class Viewer:
    """The person behind a request. `team_id` is the team they act for, already checked."""

    user_id: uuid.UUID
    is_admin: bool
    team_id: uuid.UUID | None


def check_csrf(request: Request, settings: ApiSettings) -> None:
    if request.method not in CHANGING_METHODS:
        return
    token = request.cookies.get(SESSION_COOKIE, "")
    header = request.headers.get(XSRF_HEADER, "")
    if not token or not csrf_token_fits(settings.signing_key, token, header):
        raise CsrfMismatch


async def _active_team(session: AsyncSession, user: User, header: str | None) -> uuid.UUID | None:
    if not header:
        return None
    try:
        team_id = uuid.UUID(header)
    except ValueError:
        raise Forbidden("The active team is not one of yours. Choose another team.") from None
    statement = (
        select(Team.id)
        .join(Membership, Membership.team_id == Team.id)
        .where(Team.id == team_id, Team.is_active, Membership.user_id == user.id)
    )
    if (await session.scalar(statement)) is None:
        raise Forbidden("The active team is not one of yours. Choose another team.")
    return team_id


async def load_viewer(request: Request, settings: ApiSettings, database: Database) -> Viewer:
    """The viewer of a request, for routes and for apps of their own (the upload host).

    Raises `NotSignedIn`, `CsrfMismatch` (changing methods only) or `Forbidden` (a team that is not theirs).
    """
    token = request.cookies.get(SESSION_COOKIE)
    if not token:
        raise NotSignedIn
    async with database.read() as session:
        user = await sessions.find_user(session, token)
        if user is None or is_locked(settings, user):
            raise NotSignedIn
        check_csrf(request, settings)
        team_id = await _active_team(session, user, request.headers.get(TEAM_HEADER))
    return Viewer(user_id=user.id, is_admin=user.is_admin, team_id=team_id)


async def _viewer(request: Request, state: State) -> Viewer:
    return await load_viewer(request, state.settings, state.database)


async def _no_forgery(request: Request, state: State) -> None:
    check_csrf(request, state.settings)


SignedIn = Annotated[Viewer, Depends(_viewer)]
NoForgery = Depends(_no_forgery)
