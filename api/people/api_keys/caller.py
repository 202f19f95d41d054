"""The program behind a call: the key of the `Authorization` header, and whom it acts for.

Such calls have no cookie, and so need no anti-forgery token. No other route looks at the header.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request, WebSocket
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy import ColumnElement, and_, or_, select, update
from starlette.requests import HTTPConnection

from api.people.api_keys.errors import KeyRefused, ScopeMissing
from api.people.api_keys.limits import LAST_USE_S, WINDOW_S
from api.people.api_keys.models import ApiKey
from api.people.api_keys.scopes import Scope
from api.people.api_keys.secrets import MARK, hash_secret
from api.people.auth.address import client_network
from api.people.auth.attempts import Attempts, Limit, SharedAttempts
from api.people.auth.viewer import CHANGING_METHODS, EmailUnverified, Viewer
from api.people.teams.models import Membership, Team, TeamRole, is_open
from api.people.users.models import User
from api.people.users.restrictions import is_locked, must_verify
from api.platform.db import clock
from api.platform.db.engine import Database
from api.platform.http.state import AppState, State
from cluster.logs.context import add_to_log_context


@dataclass(frozen=True, slots=True)
class Caller:
    """`viewer` is the person who made the key, acting for the key's team if it has one; never an administrator."""

    viewer: Viewer
    key_id: uuid.UUID
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class _KeyHolder:
    key: ApiKey
    user: User
    teams: dict[uuid.UUID, TeamRole]
    is_used_lately: bool


BEARER = HTTPBearer(auto_error=False, description="An API key, `sgk_…`, made in Settings.")


async def api_caller(
    request: Request,
    state: State,
    attempts: SharedAttempts,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)],
) -> Caller:
    """Raises `KeyRefused`, `EmailUnverified`, and `TooManyRequests` beyond the key's calls a minute."""
    caller, requests_minute = await identified(request, state, _secret(bearer), is_changing=_changes(request))
    await attempts.add(state.database, (Limit("API key", requests_minute, WINDOW_S), str(caller.key_id)))
    return caller


async def paced_caller(
    request: Request, state: State, bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)]
) -> Caller:
    """For calls that have a pace of their own, such as live sound: they do not count against the key's calls a minute.

    Raises `KeyRefused` and `EmailUnverified`.
    """
    return (await identified(request, state, _secret(bearer), is_changing=_changes(request)))[0]


async def socket_caller(websocket: WebSocket, state: State, attempts: Attempts, secret: str, scope: Scope) -> Caller:
    """For a websocket, whose opening is one call. Raises as `api_caller` does, and `ScopeMissing`."""
    caller, requests_minute = await identified(websocket, state, secret, is_changing=True)
    await attempts.add(state.database, (Limit("API key", requests_minute, WINDOW_S), str(caller.key_id)))
    _require(caller, scope)
    return caller


def _secret(bearer: HTTPAuthorizationCredentials | None) -> str:
    return "" if bearer is None else bearer.credentials


def _changes(request: Request) -> bool:
    return request.method in CHANGING_METHODS


async def identified(
    connection: HTTPConnection, state: AppState, secret: str, *, is_changing: bool
) -> tuple[Caller, int]:
    """The caller, and how many calls a minute its key may make. Raises `KeyRefused` and `EmailUnverified`."""
    found = await _find(state.database, secret) if secret.startswith(MARK) else None
    if found is None or is_locked(state.settings, found.user):
        raise KeyRefused
    if must_verify(state.settings, found.user):
        raise EmailUnverified
    key = found.key
    if not found.is_used_lately:
        await _note_use(state.database, key.id)
    add_to_log_context(user_id=str(key.user_id), api_key=str(key.id))
    viewer = Viewer(
        user_id=key.user_id,
        is_admin=False,
        team_id=key.team_id,
        teams=found.teams,
        is_changing=is_changing,
        network=client_network(connection),
    )
    return Caller(viewer, key.id, frozenset(key.scopes)), key.requests_minute


ApiCaller = Annotated[Caller, Depends(api_caller)]
PacedCaller = Annotated[Caller, Depends(paced_caller)]


def requires(scope: Scope) -> Any:
    """A dependency of routes that only keys with this scope may call: `dependencies=[requires(Scope.X)]`."""

    async def check(caller: ApiCaller) -> None:
        _require(caller, scope)

    return Depends(check)


def requires_paced(scope: Scope) -> Any:
    """The same for calls with a pace of their own."""

    async def check(caller: PacedCaller) -> None:
        _require(caller, scope)

    return Depends(check)


def _require(caller: Caller, scope: Scope) -> None:
    if scope not in caller.scopes:
        raise ScopeMissing(scope)


_IS_LIVE: ColumnElement[bool] = or_(ApiKey.expires_at.is_(None), ApiKey.expires_at > clock.now())
_IS_USED_LATELY: ColumnElement[bool] = ApiKey.last_used_at > clock.now(-LAST_USE_S)


async def _find(database: Database, secret: str) -> _KeyHolder | None:
    """The key that works, with its maker's teams. A key of a team that its maker has left does not."""
    statement = (
        select(ApiKey, User, _IS_USED_LATELY, Team.id, Membership.role)
        .join(User, User.id == ApiKey.user_id)
        .outerjoin(Membership, Membership.user_id == User.id)
        .outerjoin(Team, and_(Team.id == Membership.team_id, is_open()))
        .where(
            ApiKey.secret_hash == hash_secret(secret), _IS_LIVE, User.deleted_at.is_(None), User.suspended_at.is_(None)
        )
    )
    async with database.read() as session:
        rows = (await session.execute(statement)).tuples().all()
    if not rows:
        return None
    key, user, is_used_lately, *_ = rows[0]
    teams = {team_id: TeamRole(role) for *_, team_id, role in rows if team_id is not None}
    return _KeyHolder(key, user, teams, bool(is_used_lately)) if key.team_id is None or key.team_id in teams else None


async def _note_use(database: Database, key_id: uuid.UUID) -> None:
    async with database.write() as session:
        await session.execute(
            update(ApiKey)
            .where(ApiKey.id == key_id)
            .values(last_used_at=clock.now())
            .execution_options(synchronize_session=False)
        )
