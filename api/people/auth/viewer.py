"""The person behind a request: the signed-in user and their teams. The anti-forgery check comes first."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple

from fastapi import Depends, Request

from api.people.auth import sessions
from api.people.auth.address import client_network
from api.people.auth.browsing import admit
from api.people.auth.cookies import session_cookie
from api.people.auth.csrf import XSRF_HEADER, csrf_token_fits
from api.people.teams.models import TeamRole
from api.people.users.restrictions import is_locked, must_add_factor, must_verify
from api.platform.db.commits import Mark
from api.platform.db.engine import Database
from api.platform.http.errors import Conflict, CsrfMismatch, NotSignedIn, NotYourTeam
from api.platform.http.state import State
from api.platform.settings import ApiSettings
from cluster.logs.context import add_to_log_context
from cluster.wording.message import Message

TEAM_HEADER = "X-Active-Team"
CHANGING_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class Author(NamedTuple):
    """Whom a change names: a person, a reviewer without an account (`api/people/reviewers`), or nobody."""

    user_id: uuid.UUID | None
    reviewer_id: uuid.UUID | None = None


@dataclass(frozen=True)
class Viewer:
    """Who makes a request; `api.people.access` says what they may see and change.

    `teams` holds their role in each active team. `team_id` is the one they act for, which gets what they add.
    `session_id` and `session_hash` name the browser session; they are None where there is no browser.
    `session_id` is that of the browse-as while there is one, so that its realtime connections end with it. `network` is
    where the request came from. `admin_id` is the administrator who browses as this user; they may only look unless
    `may_change` is set. `reviewer_id` is set for a reviewer without an account; `user_id` is then who made their link.
    """

    user_id: uuid.UUID
    is_admin: bool
    team_id: uuid.UUID | None
    teams: Mapping[uuid.UUID, TeamRole] = field(default_factory=dict)
    is_changing: bool = False
    session_hash: str | None = None
    session_id: uuid.UUID | None = None
    admin_id: uuid.UUID | None = None
    may_change: bool = True
    network: str | None = None
    mark: Mark | None = None
    """The database's mark when the session was read, for what is kept until the next commit."""
    reviewer_id: uuid.UUID | None = None

    @property
    def author(self) -> Author:
        """Whom their notes and changes name."""
        return Author(self.user_id) if self.reviewer_id is None else Author(None, self.reviewer_id)


class EmailUnverified(Conflict):
    code = "email_unverified"
    message = Message(
        "auth.email_unverified",
        "Confirm your email address first: open the link in the mail that we sent you, or ask for another mail.",
    )


class FactorMissing(Conflict):
    code = "second_factor_missing"
    message = Message(
        "auth.factor_missing",
        "This service or one of your teams asks for a second factor. Add an authenticator app in your settings, under "
        "Password, to go on.",
    )


def check_csrf(request: Request, settings: ApiSettings) -> None:
    if request.method in CHANGING_METHODS:
        _check_header(request, settings)


def _check_header(request: Request, settings: ApiSettings) -> None:
    token = request.cookies.get(session_cookie(settings), "")
    header = request.headers.get(XSRF_HEADER, "")
    if not token or not csrf_token_fits(settings.signing_key, token, header):
        raise CsrfMismatch


def _active_team(teams: Mapping[uuid.UUID, TeamRole], header: str | None) -> uuid.UUID | None:
    if not header:
        return None
    try:
        team_id = uuid.UUID(header)
    except ValueError:
        raise NotYourTeam from None
    if team_id not in teams:
        raise NotYourTeam
    return team_id


async def load_viewer(
    request: Request, settings: ApiSettings, database: Database, *, unverified: bool = False
) -> Viewer:
    """The viewer of a request, for routes and for mounted apps such as the upload server.

    Raises `NotSignedIn`, `CsrfMismatch` (changing methods only), `NotYourTeam` or, without `unverified`,
    `EmailUnverified` and `FactorMissing`. Extends a session in use.
    """
    token = request.cookies.get(session_cookie(settings))
    if not token:
        raise NotSignedIn
    # A change ends what is kept anyway, so it does not look for a mark.
    look_up = sessions.read if request.method in CHANGING_METHODS else sessions.current
    current = await look_up(database, token)
    if current is None or is_locked(settings, current.user):
        raise NotSignedIn
    check_csrf(request, settings)
    network = client_network(request)
    browsing = current.browsing
    if browsing is not None:
        await admit(request, database, browsing, network=network)
    is_other = browsing is not None and not browsing.has_ended
    if not unverified and not is_other and must_verify(settings, current.user):
        raise EmailUnverified
    if not unverified and not is_other and must_add_factor(settings, current.user, asked_by_team=current.asks_factor):
        raise FactorMissing
    team_id = _active_team(current.teams, request.headers.get(TEAM_HEADER))
    admin_id = browsing.admin_id if browsing is not None and is_other else None
    add_to_log_context(user_id=str(current.user.id), admin_id=None if admin_id is None else str(admin_id))
    await sessions.note_use(
        database, current, token, hours=settings.session_hours, hours_max=settings.session_hours_max
    )
    return Viewer(
        user_id=current.user.id,
        is_admin=current.user.is_admin and not is_other,
        team_id=team_id,
        teams=current.teams,
        is_changing=request.method in CHANGING_METHODS,
        session_hash=sessions.hash_token(token),
        session_id=browsing.id if browsing is not None and is_other else current.id,
        admin_id=admin_id,
        may_change=browsing is None or browsing.may_change,
        network=network,
        mark=current.mark,
    )


async def current_viewer(request: Request, state: State) -> Viewer:
    return await load_viewer(request, state.settings, state.database)


async def registered_viewer(request: Request, state: State) -> Viewer:
    return await load_viewer(request, state.settings, state.database, unverified=True)


async def check_forgery(request: Request, state: State) -> None:
    check_csrf(request, state.settings)


async def require_csrf_header(request: Request, state: State) -> None:
    """Demand the header whatever the method, for the few calls that change something by GET."""
    _check_header(request, state.settings)


SignedIn = Annotated[Viewer, Depends(current_viewer)]
Registered = Annotated[Viewer, Depends(registered_viewer)]
"""For account calls, which people also use before they have confirmed their address."""
NoForgery = Depends(check_forgery)
