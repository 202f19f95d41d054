"""The attempts that run in one dispatcher: their leases, and how they are stopped, moved and handed back."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Sequence

import structlog

from api.platform.db.engine import DATABASE_AWAY
from api.platform.jobs import queue
from api.platform.jobs.attempts import endings
from api.platform.jobs.attempts.attempt import RunningAttempt
from api.platform.jobs.attempts.tools import Tools
from api.platform.jobs.dispatch.drain import drain, leave, on_leaving_nodes
from api.platform.jobs.job_type import AnyJobType
from api.platform.jobs.limits import SHUTDOWN_S
from api.platform.jobs.models import Job
from api.platform.jobs.queue import Lease, LeaseLost
from api.platform.jobs.states import Stop
from cluster.ray.nodes import NodeSlots

log = structlog.get_logger(__name__)


class RunningAttempts:
    """`on_end` is called when one of them ends."""

    def __init__(self, tools: Tools, on_end: Callable[[], None] = lambda: None) -> None:
        self._tools = tools
        self._database = tools.database
        self._on_end = on_end
        self._running: dict[Lease, tuple[RunningAttempt, asyncio.Task[None]]] = {}

    def __len__(self) -> int:
        return len(self._running)

    @property
    def job_ids(self) -> list[uuid.UUID]:
        return [lease.job_id for lease in self._running]

    def kinds(self) -> Counter[str]:
        """How many of each kind there are."""
        return Counter(attempt.kind for attempt, _ in self._running.values())

    def start(self, job_type: AnyJobType, job: Job) -> None:
        """Run a job that this dispatcher has claimed."""
        attempt = RunningAttempt(self._tools, job_type, job)
        task = asyncio.create_task(attempt.run())
        self._running[attempt.lease] = (attempt, task)
        task.add_done_callback(lambda done: self._forget(attempt.lease, done))

    def stop_cancelled(self, job_ids: Collection[uuid.UUID]) -> None:
        """Stop those whose jobs a person has cancelled."""
        for lease, (attempt, _) in self._running.items():
            if lease.job_id in job_ids and not attempt.is_stopped:
                self._stop_soon(attempt, attempt.stop(Stop.CANCELLED))

    async def renew(self) -> None:
        """Renew all leases; stop the attempts that have lost theirs."""
        # A job that is claimed while this waits for the database is not among them.
        leases = tuple(self._running)
        if not leases:
            return
        async with self._database.write() as session:
            held = await queue.renew(session, leases)
        for lease in leases:
            attempt, _ = self._running.get(lease, (None, None))
            if lease not in held and attempt is not None and not attempt.is_stopped:
                self._stop_soon(attempt, attempt.stop(Stop.LEASE_LOST))

    def leave(self, nodes: Sequence[NodeSlots]) -> None:
        """Move attempts off nodes that leave soon."""
        attempts = [attempt for attempt, _ in self._running.values() if attempt.stopping is None]
        for attempt, left_s in on_leaving_nodes(attempts, nodes):
            self._stop_soon(attempt, leave(attempt, left_s, self._tools.settings.drain_s))

    async def check_stalls(self) -> None:
        for attempt, _ in tuple(self._running.values()):
            if not attempt.is_stopped:
                await attempt.check_stall()

    async def drain(self) -> None:
        """Nothing is claimed any more. Keep what models finish meanwhile, so that nobody computes it again."""
        limit_s = self._tools.settings.drain_s
        if self._running and limit_s > 0:
            # The leases must outlast it.
            with contextlib.suppress(*DATABASE_AWAY):
                await self.renew()
            await drain([attempt for attempt, _ in self._running.values()], limit_s)

    async def abandon_all(self) -> None:
        """Count each as lost, to be retried once there is a cluster."""
        running = tuple(self._running.values())
        for attempt, _ in running:
            attempt.abandon()
        if running:
            await asyncio.wait({task for _, task in running}, timeout=SHUTDOWN_S)

    async def hand_back_all(self) -> None:
        """Hand the jobs to other dispatchers first, and only then end the programs."""
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

    def _forget(self, lease: Lease, task: asyncio.Task[None]) -> None:
        self._running.pop(lease, None)
        self._on_end()
        if not task.cancelled() and task.exception() is not None:
            log.error("attempt.unwritten", job_id=str(lease.job_id), exc_info=task.exception())

    def _stop_soon(self, attempt: RunningAttempt, stop: Coroutine[None, None, None]) -> None:
        # The attempt keeps the task alive; the event loop holds only a weak reference.
        attempt.stopping = asyncio.create_task(stop)
