"""The one process that talks to Ray about jobs: claims what is due, runs it, keeps its leases, stops what must stop.

Any number of dispatchers work side by side; none leads. One that is killed loses nothing: its leases end and the
others claim its jobs.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from uuid import uuid4

import ray
import structlog
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.db.engine import DATABASE_AWAY
from api.jobs import endings, fairness, queue
from api.jobs.attempt import DATABASE_RETRY_S, RunningAttempt, Stop, Tools
from api.jobs.job_type import JobTypes
from api.jobs.limits import BEAT_S, JOIN_PAUSE_S, POLL_S, RAY_CHECK_S, SHUTDOWN_S, STALL_CHECK_S, SWEEP_S
from api.jobs.models import Job
from api.jobs.queue import Lease, LeaseLost
from api.jobs.retries import MAX_ATTEMPTS
from api.jobs.states import ErrorCode
from cluster import ray_runtime
from pipelines.flows.messages import StageFailed
from pipelines.flows.tasks import INTERNAL_ERROR

log = structlog.get_logger(__name__)

REPLICA_CPUS = 1.0
"""Ray slots left to the model replicas of a node, which hold them all the time."""


WORN_OUT = StageFailed(ErrorCode.INFRASTRUCTURE, INTERNAL_ERROR, retryable=False)
"""Of a job whose every attempt lost its lease."""


class RayLost(Exception):
    """The cluster is gone; every attempt on it is lost."""


Watch = tuple[float, Callable[[], Awaitable[None]]]
"""Work that is repeated this many seconds apart while the dispatcher has a Ray cluster."""


class Dispatcher:
    def __init__(self, tools: Tools, types: JobTypes, watches: Sequence[Watch] = ()) -> None:
        self.owner = f"{socket.gethostname()[:60]}-{os.getpid()}-{uuid4().hex[:8]}"
        self._tools = tools
        self._database = tools.database
        self._types = types
        self._kinds = tuple(types)
        self._watches = watches
        self._running: dict[Lease, tuple[RunningAttempt, asyncio.Task[None]]] = {}
        self._stopping = asyncio.Event()
        self._is_free = asyncio.Event()
        """Set when a job ended, so that the next one need not wait for the next look."""
        self._address = ""
        self._trouble = ""
        self._cpus = 0.0
        self._used_elsewhere = 0.0

    def stop(self) -> None:
        self._stopping.set()
        self._is_free.set()

    async def run(self) -> None:
        """Until `stop` is called. Joins Ray, and joins it again when it was lost."""
        sweeping = asyncio.create_task(self._every(SWEEP_S, self._sweep))
        try:
            await self._run_jobs()
        finally:
            sweeping.cancel()
            await asyncio.wait({sweeping})

    async def _run_jobs(self) -> None:
        while not self._stopping.is_set():
            if not await self._join():
                continue
            try:
                async with asyncio.TaskGroup() as tasks:
                    beats = [
                        tasks.create_task(self._every(BEAT_S, self._renew)),
                        tasks.create_task(self._every(RAY_CHECK_S, self._check_ray)),
                        tasks.create_task(self._every(STALL_CHECK_S, self._check_stalls)),
                        *(tasks.create_task(self._every(seconds, watch)) for seconds, watch in self._watches),
                    ]
                    await self._every(POLL_S, self._look, sooner=self._is_free)
                    for beat in beats:
                        beat.cancel()
            except* RayLost:
                log.error("dispatcher.ray_lost", address=self._address, attempts=len(self._running))
                await self._abandon_all()
                await self._leave()
        await self._hand_back_all()

    async def _join(self) -> bool:
        try:
            self._address = await asyncio.to_thread(ray_runtime.connect, self._tools.settings, wait_s=RAY_CHECK_S)
            self._cpus = await asyncio.to_thread(_cluster_cpus)
        except (ray_runtime.RayUnreachable, ray.exceptions.RayError, OSError) as error:
            if str(error) != self._trouble:
                self._trouble = str(error)
                log.info("dispatcher.waiting_for_ray", error=self._trouble)
            await self._pause(JOIN_PAUSE_S)
            return False
        self._trouble = ""
        log.info("dispatcher.ready", owner=self.owner, address=self._address, cpus=self._cpus)
        return True

    async def _leave(self) -> None:
        """Forget the dead cluster. Ray may hang over that, and ends the process itself after a minute."""
        try:
            await asyncio.wait_for(asyncio.to_thread(ray_runtime.disconnect), SHUTDOWN_S)
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
            await asyncio.wait_for((sooner or self._stopping).wait(), seconds)

    async def _look(self) -> None:
        """Stop what was cancelled, and fill the free slots. Without either it costs two reads."""
        jobs = [lease.job_id for lease in self._running]
        async with self._database.read() as session:
            cancelled = (
                set(await session.scalars(select(Job.id).where(Job.id.in_(jobs), Job.cancel_requested)))
                if jobs
                else set()
            )
            waiting = await session.scalar(select(Job.id).where(queue.claimable(self._kinds)).limit(1))
            self._used_elsewhere = await self._slots_elsewhere(session) if waiting is not None else 0.0
        for lease, (attempt, _) in self._running.items():
            if lease.job_id in cancelled and not attempt.is_stopped:
                self._stop_soon(attempt, Stop.CANCELLED)
        while waiting is not None and self._has_room() and not self._stopping.is_set():
            if not await self._claim_one():
                return

    async def _slots_elsewhere(self, session: AsyncSession) -> float:
        """Slots that the jobs of the other dispatchers hold: all share one cluster."""
        others = (fairness.is_running(), Job.owner != self.owner)
        rows = await session.execute(select(Job.kind, func.count()).where(*others).group_by(Job.kind))
        return sum(self._types[kind].cpus * count for kind, count in rows.tuples() if kind in self._types)

    def _has_room(self) -> bool:
        """Backpressure by free slots, so that what waits waits in the database and in fair order, not in Ray."""
        used = sum(attempt.cpus for attempt, _ in self._running.values()) + self._used_elsewhere
        return used < max(1.0, self._cpus - REPLICA_CPUS)

    async def _claim_one(self) -> bool:
        async with self._database.write() as session:
            job = await queue.claim(session, self.owner, self._kinds)
            if job is None:
                return False
            lease, job_type = Lease(job.id, job.fence), self._types[job.kind]
            if job.cancel_requested:
                await endings.cancel(session, job_type.handler, lease)
                return True
            if job.attempt > MAX_ATTEMPTS:
                # Only lost leases come here: every other end of an attempt is counted when it is written.
                await endings.fail(session, job_type.handler, lease, WORN_OUT, ErrorCode.INFRASTRUCTURE)
                return True
        log.info("job.claimed", job_id=str(job.id), kind=job.kind, attempt=job.attempt, fence=job.fence)
        attempt = RunningAttempt(self._tools, job_type, job)
        task = asyncio.create_task(attempt.run())
        self._running[lease] = (attempt, task)
        task.add_done_callback(lambda done: self._forget(lease, done))
        return True

    def _forget(self, lease: Lease, task: asyncio.Task[None]) -> None:
        self._running.pop(lease, None)
        self._is_free.set()
        if not task.cancelled() and task.exception() is not None:
            log.error("attempt.unwritten", job_id=str(lease.job_id), exc_info=task.exception())

    async def _renew(self) -> None:
        if not self._running:
            return
        async with self._database.write() as session:
            held = await queue.renew(session, tuple(self._running))
        for lease, (attempt, _) in tuple(self._running.items()):
            if lease not in held and not attempt.is_stopped:
                self._stop_soon(attempt, Stop.LEASE_LOST)

    def _stop_soon(self, attempt: RunningAttempt, why: Stop) -> None:
        stopping = asyncio.create_task(attempt.stop(why))
        # The attempt keeps the task alive: the event loop itself holds only a weak reference.
        attempt.stopping = stopping

    async def _check_stalls(self) -> None:
        for attempt, _ in tuple(self._running.values()):
            if not attempt.is_stopped:
                await attempt.check_stall()

    async def _sweep(self) -> None:
        """End cancelled jobs that nobody runs any more, also while there is no Ray."""
        async with self._database.read() as session:
            found = await session.scalar(select(Job.id).where(*endings.is_orphan()).limit(1))
        if found is not None:
            async with self._database.write() as session:
                await endings.cancel_orphans(session, self._types)

    async def _check_ray(self) -> None:
        if not await asyncio.to_thread(ray_runtime.is_reachable, self._address):
            raise RayLost

    async def _abandon_all(self) -> None:
        """Count each attempt as lost, and let it be tried again when there is a cluster."""
        running = tuple(self._running.values())
        for attempt, _ in running:
            attempt.abandon()
        if running:
            await asyncio.wait({task for _, task in running}, timeout=SHUTDOWN_S)

    async def _hand_back_all(self) -> None:
        """The jobs are others' at once; only then the programs are ended."""
        running = tuple(self._running.items())
        if not running:
            return
        for lease, (attempt, _) in running:
            attempt.mark(Stop.SHUTDOWN)
            try:
                async with self._database.write() as session:
                    await endings.hand_back(session, lease)
            except (LeaseLost, *DATABASE_AWAY):
                continue
        log.info("dispatcher.handed_back", jobs=len(running))
        await asyncio.gather(*(attempt.stop(Stop.SHUTDOWN) for _, (attempt, _) in running))
        await asyncio.wait({task for _, (_, task) in running}, timeout=1.0)


def _cluster_cpus() -> float:
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return resources.get("CPU", 0.0)


def install_signals(stop: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
