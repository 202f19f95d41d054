"""One attempt of one job: reads the stream of a Ray task and writes it down under the lease."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import structlog
from ray.exceptions import RayError, RayTaskError
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.db.engine import DATABASE_AWAY
from api.platform.jobs import queue
from api.platform.jobs.attempts import endings
from api.platform.jobs.attempts.attempt_ending import AttemptEnding
from api.platform.jobs.attempts.attempt_stream import AttemptStream
from api.platform.jobs.attempts.outcomes import CRASHED, LOST, NO_STORAGE, STALLED
from api.platform.jobs.attempts.pace import Pace
from api.platform.jobs.attempts.stall import Stall, Verdict, announce
from api.platform.jobs.attempts.tools import T, Tools
from api.platform.jobs.job_type import AnyJobType
from api.platform.jobs.limits import PROGRESS_EVERY_S
from api.platform.jobs.models import Job
from api.platform.jobs.order import rates
from api.platform.jobs.outbox import add_event
from api.platform.jobs.queue import Lease, LeaseLost
from api.platform.jobs.states import Stop
from cluster.logs.context import add_to_log_context
from pipelines.flows.tasks import Failed
from pipelines.messages.attempt import Chunk, Interim, Progress, Result

log = structlog.get_logger(__name__)


class RunningAttempt:
    def __init__(self, tools: Tools, job_type: AnyJobType, job: Job) -> None:
        self.lease = Lease(job.id, job.fence)
        self.cpus = job_type.cpus
        self.kind: str = job.kind
        self._tools = tools
        self._handler = job_type.handler
        self._job = job
        self._stream = AttemptStream(tools.task, job_type, job)
        self._ending = AttemptEnding(tools, job_type, self.lease)
        self.stopping: asyncio.Task[None] | None = None
        """The task that ends this attempt, referenced here so that it is not garbage-collected."""
        self.values_stored = 0
        """Progress, chunks and results of its stream that have been written down."""
        self.is_over = False
        """Whether its stream has ended."""
        self._stopped: Stop | None = None
        self._reader: asyncio.Task[Result | Failed] | None = None
        self._pace = Pace()
        self._eta_s: int | None = None
        self._stall = Stall()
        self._written: tuple[Progress | None, float] = (None, 0.0)

    async def run(self) -> None:
        """Run until the job's row says how this attempt ended. Raises only cancellation."""
        # Follow-up jobs belong to the same request.
        add_to_log_context(job_id=str(self.lease.job_id), request_id=self._job.request_id)
        try:
            outcome = await self._outcome() if await self._ending.remove_older() else NO_STORAGE
            await self._tools.ticks.drop(self.lease.job_id)
            if self._stopped in (Stop.LEASE_LOST, Stop.SHUTDOWN, Stop.NODE_LEAVES):
                raise LeaseLost
            await self._ending.record(outcome, lost_on=None if self.is_stopped else self.node)
        except LeaseLost:
            self.mark(Stop.LEASE_LOST)
            await self.stop(Stop.LEASE_LOST)
            if not await self._ending.was_accepted():
                await self._ending.discard()

    @property
    def node(self) -> str | None:
        """The id of the Ray node it runs on, once that has reported."""
        return self._stream.node

    @property
    def is_stopped(self) -> bool:
        return self._stopped is not None

    def mark(self, why: Stop) -> None:
        """Record why the attempt ends before acting on it; the first reason counts."""
        if self._stopped is None and why is Stop.LEASE_LOST:
            log.warning("job.lease_lost", job_id=str(self.lease.job_id), fence=self.lease.fence)
        self._stopped = self._stopped or why

    async def stop(self, why: Stop) -> None:
        """End the Ray task and its programs."""
        self.mark(why)
        if not await self._stream.cancel():
            self.abandon()

    async def leave_node(self) -> None:
        """Hand the job to other nodes first, then end the attempt, which does not count."""
        self.mark(Stop.NODE_LEAVES)
        log.info("attempt.moved", job_id=str(self.lease.job_id), fence=self.lease.fence, node=self.node)
        with contextlib.suppress(LeaseLost):
            await self._write(lambda session: endings.hand_back(session, self.lease))
        await self.stop(Stop.NODE_LEAVES)

    async def check_stall(self) -> None:
        """Notify people if the attempt stalls, and end it if that lasts."""
        verdict = self._stall.verdict()
        if verdict is Verdict.STUCK and not self.is_stopped:
            log.warning("attempt.stalled", job_id=str(self.lease.job_id), fence=self.lease.fence)
            await self.stop(Stop.STALLED)
        elif verdict is Verdict.STALLED:
            with contextlib.suppress(LeaseLost):
                await self._write(lambda session: announce(session, self._handler, self.lease, self._stall))

    def abandon(self) -> None:
        """Stop reading: no more data will arrive."""
        if self._reader is not None:
            self._reader.cancel()

    async def _outcome(self) -> Result | Failed:
        """How the stream ended. A task that ends without a last value has lost its worker or its node."""
        self._reader = asyncio.create_task(self._read())
        await asyncio.wait({self._reader})
        self.is_over = True
        if self._reader.cancelled():
            return STALLED if self._stopped is Stop.STALLED else LOST
        return self._reader.result()

    async def _read(self) -> Result | Failed:
        try:
            await self._stream.begin(await self._write(self._start))
            if self._stopped is not None:
                await self.stop(self._stopped)
            async for value in self._stream.values():
                if isinstance(value, Result | Failed):
                    return value
                await self._note(value)
                self.values_stored += 1
        except LeaseLost:
            raise
        except RayError as error:
            if self.is_stopped:
                return STALLED if self._stopped is Stop.STALLED else LOST
            if isinstance(error, RayTaskError):
                log.exception("attempt.broken", job_id=str(self.lease.job_id))
                return CRASHED
            log.warning("attempt.lost", job_id=str(self.lease.job_id), error=type(error).__name__)
        except Exception:
            log.exception("attempt.not_noted", job_id=str(self.lease.job_id), kind=self._job.kind)
            await self._stream.cancel()
            return CRASHED
        return LOST

    async def _start(self, session: AsyncSession) -> dict[str, dict[str, Any]]:
        job, _ = await queue.hold(session, self.lease)
        if not job.cancel_requested:
            await self._handler.on_started(session, job)
            self._stream.request = job.request
        self._pace = Pace(await rates.expected_s(session, job.kind, job.work))
        # The first attempt finds none.
        return await queue.chunks(session, job.id) if self.lease.fence > 1 else {}

    async def _note(self, value: Progress | Chunk | Interim) -> None:
        if isinstance(value, Interim):
            await self._show(value)
            return
        has_moved = self._stall.moved(value)
        if isinstance(value, Progress):
            self._eta_s = self._pace.eta_s(value)
            last, written = self._written
            is_soon = last is not None and value.phase == last.phase and time.monotonic() - written < PROGRESS_EVERY_S
            if value == last or (is_soon and not self._stall.is_announced):
                return
            self._written = (value, time.monotonic())
        await self._write(lambda session: self._note_in(session, value, has_moved=has_moved))
        if has_moved:
            self._stall.is_announced = False

    async def _show(self, interim: Interim) -> None:
        """Send what may still change to the pages. Where the database is away, the next one does."""
        with contextlib.suppress(*DATABASE_AWAY):
            async with self._tools.database.read() as session:
                job = await session.get(Job, self.lease.job_id)
                if job is not None and job.fence == self.lease.fence:
                    self._tools.ticks.offer(job.id, await self._handler.on_interim(session, job, interim), None)

    async def _note_in(self, session: AsyncSession, value: Progress | Chunk, *, has_moved: bool) -> None:
        job, now = await queue.hold(session, self.lease)
        if has_moved:
            job.progress_at = now
        if isinstance(value, Progress):
            # Progress never falls within an attempt, even if a phase starts again at 0.
            job.progress, job.phase = max(job.progress, value.percent), value.phase
            job.progress_done, job.progress_total = value.done, value.total
            job.eta_at = None if self._eta_s is None else now + timedelta(seconds=self._eta_s)
            notices = await self._handler.on_progress(session, job, value)
        else:
            if not await queue.keep_chunk(session, self.lease, value.key, value.payload.to_json()):
                return
            notices = await self._handler.on_chunk(session, job, value)
        if has_moved and self._stall.is_announced:
            # The stall was announced by an event that cannot get lost, so its end must be too.
            for notice in notices:
                add_event(session, notice.with_fields(stalled=False))
        self._tools.ticks.offer(job.id, notices, self._eta_s)

    async def _write(self, change: Callable[[AsyncSession], Awaitable[T]]) -> T:
        return await self._tools.write(self.lease, change)
