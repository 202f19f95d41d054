"""What happens to a cluster of several nodes: nodes die, drain and come, dispatchers die, the bucket pauses."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from api.testing.nodes.installation import NodesInstallation
from cluster.testing.ray_node import RayNode

LEAST_WORKERS = 2
NOTICE_S = 10
PAUSE_S = 5.0


class Fault(StrEnum):
    NODE_KILLED = "node killed"
    NODE_DRAINED = "node drained"
    NODE_ADDED = "node added"
    DISPATCHER_KILLED = "dispatcher killed"
    BUCKET_PAUSED = "bucket paused"


class Faults:
    """`workers` are the nodes with slots that nobody has taken away."""

    def __init__(self, installation: NodesInstallation, seed: int) -> None:
        self.done: Counter[Fault] = Counter()
        self.is_over = asyncio.Event()
        self.bucket = asyncio.Lock()
        """Held while the bucket pauses, and by uploads: here it pauses for the nodes alone."""
        self._installation = installation
        self._random = random.Random(seed)
        self._workers: list[RayNode] = [node for node in installation.nodes if node.slots]

    def plan(self, count: int) -> Sequence[Fault]:
        """Every kind as often as any other, in an order that the seed decides."""
        kinds = [list(Fault)[number % len(Fault)] for number in range(count)]
        self._random.shuffle(kinds)
        return kinds

    async def strike(self, fault: Fault) -> None:
        """Do it. A node that goes while only `LEAST_WORKERS` are left is replaced first, as an operator would."""
        if fault in (Fault.NODE_KILLED, Fault.NODE_DRAINED) and len(self._workers) <= LEAST_WORKERS:
            await self._add()
        match fault:
            case Fault.NODE_KILLED:
                await asyncio.to_thread(self._victim().kill)
            case Fault.NODE_DRAINED:
                await self._drain(self._victim())
            case Fault.NODE_ADDED:
                await self._add()
            case Fault.DISPATCHER_KILLED:
                await asyncio.to_thread(self._replace_dispatcher)
            case Fault.BUCKET_PAUSED:
                await self._pause_bucket()
        self.done[fault] += 1

    def _victim(self) -> RayNode:
        return self._workers.pop(self._random.randrange(len(self._workers)))

    async def _add(self) -> None:
        self._workers.append(await asyncio.to_thread(self._installation.add_node))

    async def _drain(self, node: RayNode) -> None:
        """Give notice and end the node when its time is up, as a cloud does with a spot machine."""
        await asyncio.to_thread(node.drain, NOTICE_S)
        await asyncio.sleep(NOTICE_S)
        await asyncio.to_thread(node.kill)

    def _replace_dispatcher(self) -> None:
        dispatchers = self._installation.dispatchers
        dead = dispatchers.pop(self._random.randrange(len(dispatchers)))
        dead.kill()
        dead.wait()
        self._installation.start_dispatcher()

    async def _pause_bucket(self) -> None:
        async with self.bucket:
            await asyncio.to_thread(self._installation.s3.stop)
            await asyncio.sleep(PAUSE_S)
            self._installation.s3.start()
