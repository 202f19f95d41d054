"""Moves attempts off nodes that leave soon; on one that leaves later, or has no deadline, most end by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from api.platform.jobs.attempts.attempt import RunningAttempt
from api.platform.jobs.dispatch.drain import drain
from api.platform.jobs.limits import NODE_MARGIN_S
from cluster.ray.nodes import NodeSlots


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
