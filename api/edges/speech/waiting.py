"""Wait for the texts of speech requests, whichever process finishes them.

One reader for each web process, and only while somebody waits. It reads the requests of all who wait with one
statement, and only after something was committed.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any, cast

import structlog
from fastapi import Depends, Request
from sqlalchemy import and_, func, select

from api.edges.speech.limits import AWAY_S, POLL_S
from api.edges.speech.models import SpeechRequest, SpeechState
from api.edges.speech.work import TEXT_KINDS
from api.platform.db.engine import DATABASE_AWAY, Database
from api.platform.jobs.models import Job, JobChunk

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Look:
    """How far a request is. `parts` counts the finished windows; None while its sound is being decoded."""

    state: SpeechState
    parts: int | None

    @property
    def is_over(self) -> bool:
        return self.state != SpeechState.WORKING


GONE = Look(SpeechState.CANCELLED, None)
"""The row was removed, with its person or team."""


class ConnectionClosed(Exception):
    """The program closed its connection."""


@dataclass(slots=True)
class Seat:
    """Somebody who waits. `leaving` is done when they are gone."""

    leaving: asyncio.Future[None]
    look: Look | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def next_look(self, *, within_s: float | None = None) -> Look | None:
        """The newest look after a change, or None when nothing changes in time. Raises `ConnectionClosed`."""
        changing = asyncio.ensure_future(self.changed.wait())
        first: set[asyncio.Future[Any]] = {changing, self.leaving}
        try:
            await asyncio.wait(first, timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            changing.cancel()
        if self.leaving.done():
            raise ConnectionClosed
        if not self.changed.is_set():
            return None
        self.changed.clear()
        return self.look


class Waiting:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._seats: dict[uuid.UUID, Seat] = {}
        self._reader: asyncio.Task[None] | None = None
        self._has_new = False
        self._endings: set[asyncio.Task[None]] = set()

    async def in_the_end(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this work even if the task that waits for it is cancelled."""
        ending = asyncio.create_task(work)
        # The event loop holds only a weak reference.
        self._endings.add(ending)
        ending.add_done_callback(self._endings.discard)
        await asyncio.shield(ending)

    @contextmanager
    def seat(self, request_id: uuid.UUID, leaving: asyncio.Future[None]) -> Iterator[Seat]:
        seat = self._seats[request_id] = Seat(leaving)
        self._has_new = True
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._read())
        try:
            yield seat
        finally:
            del self._seats[request_id]

    async def _read(self) -> None:
        mark = None
        while self._seats:
            try:
                newest = await self._database.commits.mark()
                if newest is None or newest != mark or self._has_new:
                    self._has_new = False
                    await self._look()
                    mark = newest
            except DATABASE_AWAY:
                log.warning("database.unavailable")
                await asyncio.sleep(AWAY_S)
            await asyncio.sleep(POLL_S)

    async def _look(self) -> None:
        wanted = tuple(self._seats)
        text_job = and_(Job.subject_id == SpeechRequest.id, Job.kind.in_(TEXT_KINDS))
        statement = (
            select(SpeechRequest.id, SpeechRequest.state, Job.id, func.count(JobChunk.id))
            .outerjoin(Job, text_job)
            .outerjoin(JobChunk, JobChunk.job_id == Job.id)
            .where(SpeechRequest.id.in_(wanted))
            .group_by(SpeechRequest.id, SpeechRequest.state, Job.id)
        )
        async with self._database.read() as session:
            rows = (await session.execute(statement)).tuples().all()
        looks = {request_id: Look(state, None if job is None else parts) for request_id, state, job, parts in rows}
        for request_id in wanted:
            seat, look = self._seats.get(request_id), looks.get(request_id, GONE)
            if seat is not None and seat.look != look:
                seat.look = look
                seat.changed.set()


# A coroutine: FastAPI would send a plain function through a thread, for each request.
async def _shared(request: Request) -> Waiting:
    return cast(Waiting, request.app.state.speech)


SharedWaiting = Annotated[Waiting, Depends(_shared)]
"""The reader of the web process, for routes."""
