"""Browser sessions: a random cookie, new at each sign-in, and its hash in the database. Unused sessions expire."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import repeat
from weakref import WeakKeyDictionary

import structlog
from sqlalchemy import ColumnElement, and_, bindparam, case, not_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.auth.browsing import Browsing
from api.people.teams.models import Membership, Team, TeamRole, is_open
from api.people.users.models import BrowserSession, User
from api.platform.db import clock
from api.platform.db.commits import Mark
from api.platform.db.engine import DATABASE_AWAY, Database
from api.platform.db.sharing import SharedReads
from api.platform.db.unchanged import Unchanged

TOKEN_BYTES = 32
EXTEND_EVERY = timedelta(days=1)
"""A session in use is extended to its full time once a day, a short one when a quarter of its time is over."""
USE_EVERY = timedelta(minutes=5)
"""How exactly we store when a session was last used. Each write takes SQLite's lock."""
CONFIRMED_S = 600.0
"""So long a sign-in that was made for it stands in for the password."""
EXTEND_WITHIN_S = 1.0
"""The longest a page waits for this while something else holds SQLite's write lock. The next request tries again."""
KEPT_SESSIONS = 5_000
READ_TOGETHER = 64
"""Sessions of one statement."""
KEPT_S = 10.0
"""A session is read again after this, although nothing was committed."""

log = structlog.get_logger(__name__)

_HAS_ENDED = BrowserSession.browse_ends_at <= clock.now()
_EFFECTIVE_USER = case(
    (and_(BrowserSession.browse_user_id.is_not(None), not_(_HAS_ENDED)), BrowserSession.browse_user_id),
    else_=BrowserSession.user_id,
)

# Every request starts with this query. Building it once costs an eighth less.
_OPEN = (
    select(
        User,
        clock.now(),
        BrowserSession,
        _HAS_ENDED,
        Team.requires_factor,
        Team.session_hours,
        Team.id,
        Membership.role,
    )
    .join(BrowserSession, User.id == _EFFECTIVE_USER)
    .outerjoin(Membership, Membership.user_id == User.id)
    .outerjoin(Team, and_(Team.id == Membership.team_id, is_open()))
    .where(
        BrowserSession.token_hash.in_(bindparam("token_hashes", expanding=True)),
        BrowserSession.expires_at > clock.now(),
        User.deleted_at.is_(None),
        User.suspended_at.is_(None),
    )
)


@dataclass(frozen=True, slots=True)
class OpenSession:
    """The signed-in user, their role in each active team, and how long the session lasts without further use.

    `idle` is how long ago its last use was stored.
    """

    id: uuid.UUID
    user: User
    teams: Mapping[uuid.UUID, TeamRole]
    remaining: timedelta
    idle: timedelta
    age: timedelta = timedelta()
    """Since the sign-in."""
    limit: timedelta | None = None
    """What the shortest session of their teams leaves of it."""
    asks_factor: bool = False
    """Whether one of their teams asks its members for a second factor."""
    browsing: Browsing | None = None
    """Set while an administrator browses as `user`, and until they return from it."""
    mark: Mark | None = None
    """The database's mark at which this was read, or was still true."""


@dataclass(frozen=True, slots=True)
class Device:
    """What a request says about its browser."""

    user_agent: str = ""
    network: str = ""


def hash_token(token: str) -> str:
    """The stored form of a random token: its SHA-256 in hexadecimal. Random tokens need no slow hash."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def new_token() -> str:
    """A cookie value. Nothing is stored until somebody signs in with it."""
    return secrets.token_urlsafe(TOKEN_BYTES)


async def start(
    session: AsyncSession,
    *,
    user_id: uuid.UUID,
    hours: int,
    device: Device | None = None,
    session_id: uuid.UUID | None = None,
) -> str:
    """Open a session and return its cookie value."""
    token = new_token()
    device = device or Device()
    session.add(
        BrowserSession(
            id=session_id or uuid.uuid4(),
            token_hash=hash_token(token),
            user_id=user_id,
            expires_at=_in(timedelta(hours=hours)),
            user_agent=device.user_agent,
            network=device.network,
            last_used_at=clock.now(),
        )
    )
    return token


async def find(session: AsyncSession, token: str) -> OpenSession | None:
    """The session of this cookie, or None if there is none or it has expired."""
    key = hash_token(token)
    return (await _find_all(session, [key])).get(key)


async def _find_all(session: AsyncSession, token_hashes: Sequence[str]) -> dict[str, OpenSession]:
    """The sessions that are open, by the hash of their cookie."""
    # Of few lengths, so that the database knows each statement from before.
    length = 1 << (len(token_hashes) - 1).bit_length()
    padded = [*token_hashes, *repeat(token_hashes[0], length - len(token_hashes))]
    rows = (await session.execute(_OPEN, {"token_hashes": padded})).all()
    teams: defaultdict[str, dict[uuid.UUID, TeamRole]] = defaultdict(dict)
    asking: set[str] = set()
    limits: dict[str, timedelta] = {}
    for _, now, held, _, asks, team_hours, team_id, role in rows:
        if team_id is not None:
            teams[held.token_hash][team_id] = TeamRole(role)
        if asks:
            asking.add(held.token_hash)
        # An administrator who looks into the account has their own session.
        if team_hours is not None and held.browse_id is None:
            left = held.created_at + timedelta(hours=team_hours) - now
            limits[held.token_hash] = min(left, limits.get(held.token_hash, left))
    return {
        held.token_hash: OpenSession(
            id=held.id,
            user=user,
            teams=teams[held.token_hash],
            remaining=held.expires_at - now,
            idle=now - held.last_used_at,
            age=now - held.created_at,
            limit=limits.get(held.token_hash),
            asks_factor=held.token_hash in asking,
            browsing=_browsing(held, bool(has_ended)),
        )
        for user, now, held, has_ended, *_ in rows
        if limits.get(held.token_hash, timedelta.max) > timedelta()
    }


_kept: WeakKeyDictionary[Database, Unchanged[str, OpenSession]] = WeakKeyDictionary()
_reads: WeakKeyDictionary[Database, SharedReads[str, OpenSession]] = WeakKeyDictionary()


async def read(database: Database, token: str) -> OpenSession | None:
    """As `find`, in a transaction that all share who ask at the same time."""

    async def read_all(token_hashes: Sequence[str]) -> Mapping[str, OpenSession]:
        async with database.read() as session:
            return await _find_all(session, token_hashes)

    return await _reads.setdefault(database, SharedReads(READ_TOGETHER)).result(hash_token(token), read_all)


async def current(database: Database, token: str) -> OpenSession | None:
    """As `find`, without a statement of its own while no process has committed anything since the last one."""
    kept = _kept.setdefault(database, Unchanged(KEPT_SESSIONS))
    key = hash_token(token)
    mark = await database.commits.mark()
    known = kept.get(mark, key)
    if known is not None:
        opened, age_s = known
        age = timedelta(seconds=age_s)
        if age_s < KEPT_S and min(opened.remaining, opened.limit or opened.remaining) > age:
            return replace(opened, remaining=opened.remaining - age, idle=opened.idle + age, age=opened.age + age)
    found = await read(database, token)
    # A browse-as ends by the clock, so it is always read.
    if found is not None and found.browsing is None:
        found = replace(found, mark=mark)
        kept.put(mark, await database.commits.mark(), key, found)
    return found


def _browsing(held: BrowserSession, has_ended: bool) -> Browsing | None:
    if held.browse_id is None or held.user_id is None or held.browse_user_id is None or held.browse_ends_at is None:
        return None
    return Browsing(
        id=held.browse_id,
        admin_id=held.user_id,
        subject_id=held.browse_user_id,
        ends_at=held.browse_ends_at,
        may_change=held.browse_may_change,
        has_ended=has_ended,
    )


def is_due(current: OpenSession, *, hours: int, hours_max: int = 0) -> bool:
    """Whether a session that is used now should be extended."""
    return current.remaining < _whole(current, hours, hours_max) - min(EXTEND_EVERY, timedelta(hours=hours) / 4)


def _whole(current: OpenSession, hours: int, hours_max: int) -> timedelta:
    """How long an extended session lasts, which `hours_max` after the sign-in ends it; 0 for no such end."""
    whole = timedelta(hours=hours)
    return min(whole, timedelta(hours=hours_max) - current.age) if hours_max else whole


async def note_use(database: Database, current: OpenSession, token: str, *, hours: int, hours_max: int = 0) -> None:
    """Store that an open session is in use, by the database's clock, and extend it to its full time if that is due."""
    is_extended = is_due(current, hours=hours, hours_max=hours_max)
    values = {"expires_at": _in(_whole(current, hours, hours_max))} if is_extended else {}
    if not values and current.idle < USE_EVERY:
        return
    statement = (
        update(BrowserSession)
        .where(BrowserSession.token_hash == hash_token(token), BrowserSession.expires_at > clock.now())
        .values(last_used_at=clock.now(), **values)
    )
    try:
        async with asyncio.timeout(EXTEND_WITHIN_S), database.write() as session:
            await session.execute(statement)
    except (TimeoutError, *DATABASE_AWAY) as error:
        log.warning("session.not_extended", error=type(error).__name__)


async def open_of(session: AsyncSession, user_id: uuid.UUID) -> Sequence[BrowserSession]:
    """A person's signed-in browsers, the one used last first."""
    statement = (
        select(BrowserSession)
        .where(BrowserSession.user_id == user_id, BrowserSession.expires_at > clock.now())
        .order_by(BrowserSession.last_used_at.desc(), BrowserSession.id)
    )
    return (await session.scalars(statement)).all()


async def rename(session: AsyncSession, token_hash: str) -> str:
    """Give an open session a new cookie value, which is returned. The old one is worth nothing from then on."""
    token = new_token()
    await session.execute(
        update(BrowserSession).where(BrowserSession.token_hash == token_hash).values(token_hash=hash_token(token))
    )
    return token


async def confirm(session: AsyncSession, token_hash: str) -> None:
    """Note that the person has just shown again who they are."""
    await session.execute(
        update(BrowserSession).where(BrowserSession.token_hash == token_hash).values(confirmed_at=clock.now())
    )


async def is_confirmed(session: AsyncSession, session_id: uuid.UUID | None) -> bool:
    """Whether the person did so within the last minutes."""
    statement = select(BrowserSession.id).where(
        BrowserSession.id == session_id, BrowserSession.confirmed_at > clock.now(-CONFIRMED_S)
    )
    return await session.scalar(statement) is not None


def _in(time: timedelta) -> ColumnElement[datetime]:
    return clock.now(time.total_seconds())
