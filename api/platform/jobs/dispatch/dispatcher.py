"""The one kind of process that runs jobs on Ray: it claims due jobs, runs them, renews their leases and stops them.

Any number of dispatchers work side by side without a leader. Killing one loses nothing: its leases end and the others
claim its jobs.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from uuid import uuid4

import ray.exceptions
import structlog
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.db import clock
from api.platform.db.engine import DATABASE_AWAY
from api.platform.jobs import queue
from api.platform.jobs.attempts import endings
from api.platform.jobs.attempts.retries import MAX_ATTEMPTS
from api.platform.jobs.attempts.tools import DATABASE_RETRY_S, Tools
from api.platform.jobs.dispatch.room import FreeSlots, claim_alone, room
from api.platform.jobs.dispatch.running_attempts import RunningAttempts
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.limits import (
    BEAT_S,
    CLAIMS_AT_ONCE,
    JOIN_PAUSE_S,
    POLL_S,
    RAY_CHECK_S,
    REPORT_DELAY_S,
    SHUTDOWN_S,
    STALL_CHECK_S,
    SWEEP_S,
)
from api.platform.jobs.models import Job
from api.platform.jobs.node_reader import NodeReader
from api.platform.jobs.queue import Lease
from api.platform.jobs.states import ErrorCode
from cluster.background import end
from cluster.ray import runtime as ray_runtime
from pipelines.flows.tasks import INTERNAL_ERROR
from pipelines.messages.attempt import StageFailed

log = structlog.get_logger(__name__)

WORN_OUT = StageFailed(ErrorCode.INFRASTRUCTURE, INTERNAL_ERROR, retryable=False)
"""Used when every attempt of a job lost its lease."""


class RayLost(Exception):
    """The cluster is gone, and with it every attempt on it."""


Watch = tuple[float, Callable[[], Awaitable[None]]]
"""Seconds between repetitions and the work to repeat while the dispatcher has a Ray cluster."""


class Dispatcher:
    def __init__(self, tools: Tools, types: JobTypes, watches: Sequence[Watch] = ()) -> None:
        self.owner = f"{socket.gethostname()[:60]}-{os.getpid()}-{uuid4().hex[:8]}"
        self._tools = tools
        self._database = tools.database
        self._types = types
        self._live_kinds = tuple(kind for kind, job_type in types.items() if job_type.is_live)
        self._kinds = tuple(kind for kind in types if kind not in self._live_kinds)
        self._least_cpus = min(types[kind].cpus for kind in self._kinds)
        self._watches = watches
        self._stopping = asyncio.Event()
        self._is_free = asyncio.Event()
        """Set when a job ends, so that the next one starts at once instead of at the next look."""
        self._running = RunningAttempts(tools, self._is_free.set)
        self._nodes = NodeReader()
        self._leaving_nodes = NodeReader()
        self._address = ""
        self._trouble = ""
        self.is_joined = False
        """Whether there is a Ray cluster to run jobs on."""

    def running_kinds(self) -> Counter[str]:
        """How many attempts of each kind run here."""
        return self._running.kinds()

    def stop(self) -> None:
        self._stopping.set()
        self._is_free.set()

    async def run(self) -> None:
        """Dispatch until `stop` is called. Join Ray, and join again after losing it."""
        sweeping = asyncio.create_task(self._every(SWEEP_S, self._sweep))
        try:
            await self._run_jobs()
        finally:
            await end(sweeping)

    async def _run_jobs(self) -> None:
        while not self._stopping.is_set():
            if not await self._join():
                continue
            try:
                async with asyncio.TaskGroup() as tasks:
                    beats = [
                        tasks.create_task(self._every(BEAT_S, self._running.renew)),
                        tasks.create_task(self._every(RAY_CHECK_S, self._check_ray)),
                        tasks.create_task(self._every(RAY_CHECK_S, self._leave_nodes)),
                        tasks.create_task(self._every(STALL_CHECK_S, self._running.check_stalls)),
                        *(tasks.create_task(self._every(seconds, watch)) for seconds, watch in self._watches),
                    ]
                    await self._every(POLL_S, self._look, sooner=self._is_free)
                    for beat in beats:
                        beat.cancel()
            except* RayLost:
                self.is_joined = False
                log.error("dispatcher.ray_lost", address=self._address, attempts=len(self._running))
                await self._running.abandon_all()
                await self._leave()
        if self.is_joined:
            await self._running.drain()
        await self._running.hand_back_all()

    async def _join(self) -> bool:
        try:
            self._address = await asyncio.to_thread(ray_runtime.connect, self._tools.settings, wait_s=RAY_CHECK_S)
        except (ray_runtime.RayUnreachable, ray.exceptions.RayError, OSError) as error:
            if str(error) != self._trouble:
                self._trouble = str(error)
                log.info("dispatcher.waiting_for_ray", error=self._trouble)
            await self._pause(JOIN_PAUSE_S)
            return False
        self._trouble = ""
        self.is_joined = True
        log.info("dispatcher.ready", owner=self.owner, address=self._address)
        return True

    async def _leave(self) -> None:
        """Forget the dead cluster. Ray may hang while doing so, and would end the process itself after a minute."""
        self._nodes, self._leaving_nodes = NodeReader(), NodeReader()
        try:
            async with asyncio.timeout(SHUTDOWN_S):
                await asyncio.to_thread(ray_runtime.disconnect)
        except TimeoutError:
            log.error("dispatcher.restart_needed")
            os._exit(1)

    async def _every(
        self, seconds: float, work: Callable[[], Awaitable[None]], *, sooner: asyncio.Event | None = None
    ) -> None:
        while not self._stopping.is_set():
            began = time.monotonic()
            if sooner is not None:
                sooner.clear()
            try:
                await work()
            except DATABASE_AWAY:
                log.warning("database.unavailable")
                await self._pause(DATABASE_RETRY_S)
            await self._pause(max(0.0, seconds - (time.monotonic() - began)), sooner)

    async def _pause(self, seconds: float, sooner: asyncio.Event | None = None) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await (sooner or self._stopping).wait()

    async def _look(self) -> None:
        """Stop cancelled jobs, start live ones and fill free slots. With nothing to do this costs some reads."""
        jobs = self._running.job_ids
        async with self._database.read() as session:
            cancelled = (
                set(await session.scalars(select(Job.id).where(Job.id.in_(jobs), Job.cancel_requested)))
                if jobs
                else set()
            )
            live = select(Job.id).where(queue.claimable(self._live_kinds)).limit(1)
            is_live_waiting = await session.scalar(live) is not None
            due = select(Job.id).where(queue.claimable(self._kinds)).limit(CLAIMS_AT_ONCE)
            waiting = len((await session.scalars(due)).all())
            since = (await session.scalars(select(clock.now(-REPORT_DELAY_S)))).one()
        self._running.stop_cancelled(cancelled)
        if is_live_waiting:
            await self._claim(self._live_kinds, CLAIMS_AT_ONCE)
        if not waiting or (nodes := await self._nodes.read(self._address)) is None:
            return
        report = FreeSlots(tuple(node.free for node in nodes if not node.is_leaving), since)
        async with self._database.read() as session:
            slots = await room(session, self._types, report)
        # Without room even for the smallest job a claim would open a write transaction for nothing, twice a second.
        if slots.has_room(self._least_cpus):
            await self._claim(self._kinds, waiting, report)

    async def _claim(self, kinds: Sequence[str], most: int, report: FreeSlots | None = None) -> None:
        """Start the jobs whose turn it is and that find room, in one transaction: each costs SQLite an fsync.

        Without a report there is room for each.
        """
        started: list[Job] = []
        has_ended = False
        async with self._database.write() as session:
            await claim_alone(session)
            slots = None if report is None else await room(session, self._types, report)
            for _ in range(most):
                job = await queue.claim(
                    session, self.owner, kinds, fits=lambda kind: slots is None or slots.take(self._types[kind].cpus)
                )
                if job is None:
                    break
                has_ended = await self._end_unstarted(session, job)
                if has_ended:
                    # It locked the job's file; with a second one here, others could wait the other way round.
                    break
                started.append(job)
        for job in started:
            log.info("job.claimed", job_id=str(job.id), kind=job.kind, attempt=job.attempt, fence=job.fence)
            self._running.start(self._types[job.kind], job)
        if has_ended or (most == CLAIMS_AT_ONCE and started):
            # More may be due.
            self._is_free.set()

    async def _end_unstarted(self, session: AsyncSession, job: Job) -> bool:
        """End a claimed job that must not start; returns whether it was one."""
        lease, handler = Lease(job.id, job.fence), self._types[job.kind].handler
        if job.cancel_requested:
            await endings.cancel(session, handler, lease)
        elif job.attempt > MAX_ATTEMPTS:
            # Only lost leases lead here; every other end of an attempt is counted when it is written.
            await endings.fail(session, handler, lease, WORN_OUT, ErrorCode.INFRASTRUCTURE)
        else:
            return False
        return True

    async def _leave_nodes(self) -> None:
        if self._running and (nodes := await self._leaving_nodes.read(self._address)) is not None:
            self._running.leave(nodes)

    async def _sweep(self) -> None:
        """End cancelled jobs whose owner is gone, even without Ray."""
        async with self._database.read() as session:
            found = await session.scalar(select(Job.id).where(*endings.is_orphan()).limit(1))
        if found is not None:
            async with self._database.write() as session:
                await endings.cancel_orphans(session, self._types)

    async def _check_ray(self) -> None:
        if not await asyncio.to_thread(ray_runtime.is_reachable, self._address):
            raise RayLost


def install_signals(stop: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
