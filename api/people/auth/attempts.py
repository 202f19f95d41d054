"""Limits of sign-ins and registrations, counted in the database so that they hold across all web processes.

A key over its limit is refused from memory until its window ends, so a flood of refused calls writes nothing.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, cast

from fastapi import Depends
from sqlalchemy import case, delete
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import HTTPConnection

from api.people.auth.limits import TOO_MANY_TRIES
from api.people.auth.models import AttemptCount
from api.platform.db import clock
from api.platform.db.engine import Database
from api.platform.http.errors import TooManyRequests

MAX_REFUSALS = 10_000
"""Refusals held in memory. Beyond them the database refuses."""
REMOVE_AFTER_S = 3600.0
REMOVE_EVERY_S = 300.0


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `attempts` within `window_s` seconds. The window begins with its first attempt."""

    name: str
    attempts: int
    window_s: float


LOGIN_PAIR = Limit("login account and address", 5, 60.0)
"""Cleared by a successful sign-in."""
LOGIN_ADDRESS = Limit("login address", 20, 60.0)
LOGIN_ACCOUNT = Limit("login account", 30, 600.0)
"""Over all addresses: about 4,000 guesses a day. More than any person needs, because anybody who knows an e-mail
address can use it up and make its owner wait."""
REGISTER_ADDRESS = Limit("register address", 10, 60.0)


class Attempts:
    """The counters of one web process over the shared table."""

    def __init__(self) -> None:
        self._refused_until: dict[str, float] = {}
        self._removed_at = time.monotonic()

    async def add(self, database: Database, *subjects: tuple[Limit, str]) -> None:
        """Count one attempt for each subject. Raises `TooManyRequests` when one is over its limit."""
        # Sorted, so that two transactions never wait for each other.
        keys = sorted(((_key(limit, subject), limit) for limit, subject in subjects), key=lambda pair: pair[0])
        self._refuse_known(key for key, _ in keys)
        await self._remove_old(database)
        wait_s = 0.0
        async with database.write() as session:
            for key, limit in keys:
                over_s = await _count(session, key, limit)
                if over_s > 0:
                    self._remember(key, over_s)
                    wait_s = max(wait_s, over_s)
        if wait_s > 0:
            raise _too_many(wait_s)

    async def restart(self, database: Database, limit: Limit, subject: str) -> None:
        """Count one attempt as the first of a new window."""
        async with database.write() as session:
            await self.clear(session, limit, subject)
            await _count(session, _key(limit, subject), limit)

    async def clear(self, session: AsyncSession, limit: Limit, subject: str) -> None:
        """Forget what was counted for a subject."""
        key = _key(limit, subject)
        self._refused_until.pop(key, None)
        await session.execute(delete(AttemptCount).where(AttemptCount.key == key))

    def _refuse_known(self, keys: Iterable[str]) -> None:
        now = time.monotonic()
        wait_s = max((self._refused_until.get(key, 0.0) - now for key in keys), default=0.0)
        if wait_s > 0:
            raise _too_many(wait_s)

    def _remember(self, key: str, wait_s: float) -> None:
        now = time.monotonic()
        if len(self._refused_until) >= MAX_REFUSALS:
            self._refused_until = {name: until for name, until in self._refused_until.items() if until > now}
        if len(self._refused_until) < MAX_REFUSALS:
            self._refused_until[key] = now + wait_s

    async def _remove_old(self, database: Database) -> None:
        if time.monotonic() - self._removed_at < REMOVE_EVERY_S:
            return
        self._removed_at = time.monotonic()
        async with database.write() as session:
            await session.execute(delete(AttemptCount).where(AttemptCount.ends_at < clock.now(-REMOVE_AFTER_S)))


# A coroutine: FastAPI would send a plain function through a thread, for each request.
async def _shared(connection: HTTPConnection) -> Attempts:
    return cast(Attempts, connection.app.state.attempts)


SharedAttempts = Annotated[Attempts, Depends(_shared)]
"""The counters of the web process, for routes."""


async def _count(session: AsyncSession, key: str, limit: Limit) -> float:
    """Add one attempt. Returns the seconds to wait when it is over the limit, else 0."""
    insert: Any = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    is_over = AttemptCount.ends_at <= clock.now()
    statement: Any = (
        insert(AttemptCount)
        .values(key=key, attempts=1, ends_at=clock.now(limit.window_s))
        .on_conflict_do_update(
            index_elements=[AttemptCount.key],
            set_={
                "attempts": case((is_over, 1), else_=AttemptCount.attempts + 1),
                "ends_at": case((is_over, clock.now(limit.window_s)), else_=AttemptCount.ends_at),
            },
        )
        .returning(AttemptCount.attempts, AttemptCount.ends_at, clock.now())
    )
    row: Any = (await session.execute(statement)).one()
    attempts, ends_at, now = row
    return 0.0 if attempts <= limit.attempts else max(1.0, (ends_at - now).total_seconds())


def _key(limit: Limit, subject: str) -> str:
    return hashlib.sha256(f"{limit.name}\n{subject}".encode("utf-8", "surrogatepass")).hexdigest()


def _too_many(wait_s: float) -> TooManyRequests:
    wait = int(wait_s) + 1
    return TooManyRequests(TOO_MANY_TRIES(wait=wait), retry_after_s=wait)
