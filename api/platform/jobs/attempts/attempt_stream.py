"""The Ray task of one attempt: its start, the values that it streams, and its end by force."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import ray
from ray.exceptions import RayError

from api.platform.jobs.job_type import AnyJobType
from api.platform.jobs.limits import CANCEL_GRACE_S
from api.platform.jobs.models import Job
from pipelines.flows.tasks import Failed
from pipelines.messages.attempt import Chunk, Interim, Placed, Progress, Result


class AttemptStream:
    """`task` is a streaming Ray task such as `run_attempt`."""

    def __init__(self, task: Any, job_type: AnyJobType, job: Job) -> None:
        self.node: str | None = None
        """The id of the Ray node it runs on, once that has reported."""
        self.request = job.request
        """What the task gets, until it begins."""
        self._task = task
        self._type = job_type
        self._job = job
        self._fence = job.fence
        self._stream: Any = None

    async def begin(self, chunks: dict[str, dict[str, Any]]) -> None:
        """Start the task after the chunks that earlier attempts finished."""
        task = self._task.options(num_cpus=self._type.cpus, name=f"{self._job.kind} {self._job.id}")
        request = self._type.request.from_json(self.request)
        self._stream = await asyncio.to_thread(
            task.remote,
            self._type.flow,
            request,
            str(self._job.id),
            self._fence,
            chunks,
            self._job.request_id,
        )

    async def values(self) -> AsyncIterator[Progress | Chunk | Interim | Result | Failed]:
        """What the flow yields, in order. Raises `RayError`."""
        async for reference in self._stream:
            value = await reference
            if isinstance(value, Placed):
                self.node = value.node
            else:
                yield value

    async def cancel(self) -> bool:
        """End the task and its programs: politely, and after `CANCEL_GRACE_S` by killing the worker.

        Returns whether it is over. One that has not begun is.
        """
        if self._stream is None:
            return True
        finished = self._stream.completed()
        for force in (False, True):
            with contextlib.suppress(RayError, ValueError):
                await asyncio.to_thread(ray.cancel, self._stream, force=force)
                ready, _ = await asyncio.to_thread(ray.wait, [finished], timeout=CANCEL_GRACE_S, fetch_local=False)
                if ready:
                    return True
        return False
