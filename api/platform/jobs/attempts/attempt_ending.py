"""How one attempt ends: its outcome in the job's row, and its output removed unless the job is done."""

from __future__ import annotations

import structlog
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.jobs.attempts import endings
from api.platform.jobs.attempts.attempt_output import AttemptOutput
from api.platform.jobs.attempts.outcomes import CRASHED, LOST, judge
from api.platform.jobs.attempts.tools import Tools
from api.platform.jobs.job_type import AnyJobType
from api.platform.jobs.models import Job
from api.platform.jobs.node_reader import was_taken_away
from api.platform.jobs.queue import Lease, LeaseLost
from api.platform.jobs.states import JobState
from pipelines.flows.tasks import Failed
from pipelines.messages.attempt import Result

log = structlog.get_logger(__name__)


class AttemptEnding:
    def __init__(self, tools: Tools, job_type: AnyJobType, lease: Lease) -> None:
        self._tools = tools
        self._type = job_type
        self._handler = job_type.handler
        self._lease = lease
        self._output = AttemptOutput(tools.settings, tools.storage, lease)

    async def remove_older(self) -> bool:
        """Remove what earlier attempts left. Returns False if storage is unreachable."""
        return await self._output.remove_older()

    async def record(self, outcome: Result | Failed, *, lost_on: str | None = None) -> None:
        """Write down the outcome. `lost_on`: the node of an attempt that nobody stopped. Raises `LeaseLost`."""
        state = await self._finish(outcome) if isinstance(outcome, Result) else await self._fail(outcome, lost_on)
        if state != JobState.DONE:
            await self.discard()

    async def was_accepted(self) -> bool:
        """Whether the job ended with this attempt's result after all: the reply to a commit can get lost."""

        async def look(session: AsyncSession) -> bool:
            is_done = (Job.id == self._lease.job_id, Job.fence == self._lease.fence, Job.state == JobState.DONE)
            return await session.scalar(select(Job.id).where(*is_done)) is not None

        return await self._tools.write(self._lease, look)

    async def discard(self) -> None:
        """Remove this attempt's output, later if storage is unreachable."""
        if not await self._output.remove():
            await self._tools.write(self._lease, self._output.remove_later)

    async def _finish(self, result: Result) -> JobState:
        try:
            if not isinstance(result.payload, self._type.result):
                raise TypeError(f"{self._type.flow} returned a {type(result.payload).__name__}.")
            accepted = result.payload
            return await self._tools.write(
                self._lease, lambda session: endings.finish(session, self._handler, self._lease, accepted)
            )
        except LeaseLost:
            raise
        except Exception:
            # A result that the domain rejects fails the attempt, not the dispatcher.
            log.exception("job.result_refused", job_id=str(self._lease.job_id), kind=self._type.kind)
            return await self._fail(CRASHED)

    async def _fail(self, failed: Failed, lost_on: str | None = None) -> JobState:
        if failed is LOST and await was_taken_away(self._tools.settings, lost_on):
            await self._tools.write(self._lease, lambda session: endings.hand_back(session, self._lease))
            return JobState.READY
        code, failure = judge(failed)
        return await self._tools.write(
            self._lease, lambda session: endings.fail(session, self._handler, self._lease, failure, code)
        )
