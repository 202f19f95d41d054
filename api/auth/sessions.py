"""Browser sessions: a random cookie, its hash in the database, a new one at each sign-in. They end after disuse."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

import structlog
from sqlalchemy import and_, bindparam, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.db import clock
from api.db.engine import DATABASE_AWAY, Database
from api.teams.models import Membership, Team, TeamRole
from api.users.models import BrowserSession, User

TOKEN_BYTES = 32
EXTEND_EVERY = timedelta(days=1)
"""A session in use gets its whole time again once a day; shorter ones when a quarter of their time is over."""
EXTEND_WITHIN_S = 1.0
"""A page does not wait for longer while something else holds SQLite's write lock; the next request tries again."""

log = structlog.get_logger(__name__)

# Every request begins with it: made once, it costs an eighth less.
_OPEN = (
    select(User, BrowserSession.expires_at, clock.now(), Team.id, Membership.role)
    .join(BrowserSession, BrowserSession.user_id == User.id)
    .outerjoin(Membership, Membership.user_id == User.id)
    .outerjoin(Team, and_(Team.id == Membership.team_id, Team.is_active))
    .where(BrowserSession.token_hash == bindparam("token_hash"), BrowserSession.expires_at > clock.now())
)


@dataclass(frozen=True, slots=True)
class OpenSession:
    """Who is signed in, their role in each active team, and how long the session lives without further use."""

    user: User
    teams: Mapping[uuid.UUID, TeamRole]
    remaining: timedelta


def hash_token(token: str) -> str:
    """What is stored of a random token: its SHA-256, hexadecimal. Random tokens need no slow hash."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def new_token() -> str:
    """A cookie value; until somebody signs in with it nothing is stored."""
    return secrets.token_urlsafe(TOKEN_BYTES)


async def start(session: AsyncSession, *, user_id: uuid.UUID, hours: int) -> str:
    """Open a session and return its cookie value. Sessions that have run out are removed on the way."""
    token = new_token()
    await session.execute(delete(BrowserSession).where(BrowserSession.expires_at < clock.now()))
    ends = clock.now(timedelta(hours=hours).total_seconds())
    session.add(BrowserSession(token_hash=hash_token(token), user_id=user_id, expires_at=ends))
    return token


async def find(session: AsyncSession, token: str) -> OpenSession | None:
    """The session of this cookie; None when there is none or it has ended."""
    rows = (await session.execute(_OPEN, {"token_hash": hash_token(token)})).tuples().all()
    if not rows:
        return None
    user, expires_at, now, *_ = rows[0]
    teams = {team_id: TeamRole(role) for *_, team_id, role in rows if team_id is not None}
    return OpenSession(user, teams, expires_at - now)


def is_due(found: OpenSession, *, hours: int) -> bool:
    """Whether the end of a session that is used now should move."""
    whole = timedelta(hours=hours)
    return found.remaining < whole - min(EXTEND_EVERY, whole / 4)


async def extend(database: Database, token: str, *, hours: int) -> None:
    """Give an open session its whole time again, by the database's clock."""
    statement = (
        update(BrowserSession)
        .where(BrowserSession.token_hash == hash_token(token), BrowserSession.expires_at > clock.now())
        .values(expires_at=clock.now(timedelta(hours=hours).total_seconds()))
    )
    try:
        async with asyncio.timeout(EXTEND_WITHIN_S), database.write() as session:
            await session.execute(statement)
    except (TimeoutError, *DATABASE_AWAY) as error:
        log.warning("session.not_extended", error=type(error).__name__)


async def end(session: AsyncSession, token: str) -> None:
    await session.execute(delete(BrowserSession).where(BrowserSession.token_hash == hash_token(token)))


async def end_all(session: AsyncSession, user_id: uuid.UUID) -> None:
    """Sign a person out in every browser."""
    await session.execute(delete(BrowserSession).where(BrowserSession.user_id == user_id))
