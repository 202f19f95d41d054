"""Before a dispatcher hands jobs back, all or those of a node that leaves: store what their models still finish."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence

import structlog
from ray.exceptions import RayError

from api.platform.jobs.attempts.attempt import RunningAttempt
from api.platform.jobs.limits import NODE_MARGIN_S
from cluster.ray import notes
from cluster.ray.nodes import NodeSlots
from pipelines.flows.draining import ASKED, drain_note

log = structlog.get_logger(__name__)

LOOK_EVERY_S = 0.1


async def drain(attempts: Sequence[RunningAttempt], limit_s: float) -> None:
    """Return once no model works for these attempts and all results are stored, after `limit_s` at the latest."""
    begun = time.monotonic()
    try:
        async with asyncio.timeout(limit_s):
            await asyncio.gather(*map(_drained, attempts))
    except TimeoutError:
        log.info("dispatcher.drain_ended", limit_s=limit_s)
    except RayError as error:
        log.warning("dispatcher.not_drained", error=type(error).__name__)
    else:
        log.info("dispatcher.drained", jobs=len(attempts), seconds=round(time.monotonic() - begun, 1))


async def _drained(attempt: RunningAttempt) -> None:
    note = drain_note(str(attempt.lease.job_id), attempt.lease.fence)
    await asyncio.to_thread(notes.leave, note, ASKED)
    try:
        while not attempt.is_over:
            text = await asyncio.to_thread(notes.read, note)
            if text is not None and text != ASKED and attempt.values_stored >= int(text):
                return
            await asyncio.sleep(LOOK_EVERY_S)
    finally:
        await asyncio.to_thread(notes.remove, note)


def on_leaving_nodes(
    attempts: Sequence[RunningAttempt], nodes: Sequence[NodeSlots]
) -> Iterator[tuple[RunningAttempt, float]]:
    """The attempts that must move now, each with the seconds that its node has left."""
    left_s = {node.id: node.leaves_in_s for node in nodes if node.leaves_in_s is not None}
    for attempt in attempts:
        if attempt.node is not None and left_s.get(attempt.node, NODE_MARGIN_S) < NODE_MARGIN_S:
            yield attempt, left_s[attempt.node]


async def leave(attempt: RunningAttempt, left_s: float, drain_s: float) -> None:
    """Hand the job back: half of the time is for what its models finish meanwhile, half to end its programs."""
    await drain([attempt], max(0.0, min(drain_s, left_s / 2)))
    await attempt.leave_node()
