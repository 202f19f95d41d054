"""Reads the nodes of a Ray cluster that may hang: one blocked thread, not another one at each look."""

from __future__ import annotations

import asyncio

from ray.exceptions import RayError

from api.platform.jobs.limits import RAY_CHECK_S
from cluster.ray import nodes as ray_nodes
from cluster.ray import runtime as ray_runtime
from cluster.ray.nodes import NodeSlots
from cluster.settings import ClusterSettings


class NodeReader:
    def __init__(self) -> None:
        self._reading: asyncio.Task[list[NodeSlots]] | None = None

    async def read(self, address: str) -> list[NodeSlots] | None:
        """The nodes as they are now, or None if Ray does not answer within `RAY_CHECK_S`.

        Nodes with free slots that do not answer are left out. Ray would list them until its health check fails, and a
        job sent there would wait inside Ray.
        """
        if self._reading is not None and not self._reading.done():
            # What this one still brings would be old.
            await asyncio.wait({self._reading}, timeout=RAY_CHECK_S)
            return None
        self._reading = asyncio.create_task(asyncio.to_thread(ray_nodes.read_nodes, address))
        answered, _ = await asyncio.wait({self._reading}, timeout=RAY_CHECK_S)
        if not answered:
            return None
        try:
            nodes = self._reading.result()
        except (ray_runtime.RayUnreachable, RayError):
            # The dispatcher detects and logs this in its own check of the cluster.
            return None
        answers = await asyncio.gather(*(_answers(node) for node in nodes))
        return [node for node, is_there in zip(nodes, answers, strict=True) if is_there]


async def _answers(node: NodeSlots) -> bool:
    """Whether the node's daemon takes a connection. Where nothing is free nobody needs to know."""
    if not node.free:
        return True
    try:
        async with asyncio.timeout(RAY_CHECK_S):
            _, writer = await asyncio.open_connection(node.host, node.port)
    except OSError:
        return False
    writer.close()
    return True


async def was_taken_away(settings: ClusterSettings, node: str | None) -> bool:
    """Whether somebody took this node away, so that what was lost on it is no fault of its own. False if unknown."""
    address = settings.ray_address or ray_runtime.announced_address(settings)
    if node is None or address is None:
        return False
    try:
        async with asyncio.timeout(RAY_CHECK_S):
            return await asyncio.to_thread(ray_nodes.left_on_purpose, address, node)
    except (RayError, TimeoutError):
        return False
