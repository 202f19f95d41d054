"""The nodes of the cluster that this process has joined: what is free on each, which ones leave, and how many we need.

Ray's public `available_resources` adds the nodes up, it has no public list of nodes that drain, and its state API needs
the dashboard process, which we do not run. `api/tests/jobs/nodes/test_several_nodes.py` guards the calls used here.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

from cluster.ray.runtime import RayUnreachable, is_reachable

_INFO_S = 10.0


@dataclass(frozen=True, slots=True)
class NodeSlots:
    """The CPU slots of a live node. Ray counts tasks, actors and Serve's replicas alike."""

    id: str
    host: str
    port: int
    """Where the node's own daemon listens."""
    total: float
    free: float
    leaves_in_s: float | None = None
    """A node that drains takes no new work and may end after this time, which is infinite without a deadline."""

    @property
    def is_leaving(self) -> bool:
        return self.leaves_in_s is not None


def read_nodes(address: str) -> list[NodeSlots]:
    """Every live node of the cluster at `address`. Raises `RayUnreachable` or RayError.

    The figures are at most 0.1 s old and take about 2 ms. A node that loses power is among them until Ray's health
    check fails, for 15 s or more.
    """
    # Ray itself would wait a minute for a cluster that has ended, and then end this process.
    if not is_reachable(address):
        raise RayUnreachable(f"No Ray cluster answers at {address}.")
    import ray
    from ray._private.state import state

    free = state.available_resources_per_node()
    leaving = {node: _seconds_until(deadline_ms) for node, deadline_ms in state.get_draining_nodes().items()}
    return [
        NodeSlots(
            id=node["NodeID"],
            host=node["NodeManagerAddress"],
            port=node["NodeManagerPort"],
            total=node["Resources"].get("CPU", 0.0),
            free=free[node["NodeID"]].get("CPU", 0.0),
            leaves_in_s=leaving.get(node["NodeID"]),
        )
        for node in ray.nodes()  # type: ignore[no-untyped-call]
        if node["Alive"] and node["NodeID"] in free
    ]


def _seconds_until(deadline_ms: int) -> float:
    """Seconds until the deadline of a node that drains; Ray writes none as 0."""
    return deadline_ms / 1000 - time.time() if deadline_ms else math.inf


def left_on_purpose(address: str, node: str) -> bool:
    """Whether this node drains, or ended after it drained or on request. False if it crashed or the cluster is gone."""
    if not is_reachable(address):
        return False
    import ray
    from ray._private.state import state
    from ray.core.generated.common_pb2 import NodeDeathInfo  # type: ignore[attr-defined]

    if node in state.get_draining_nodes():
        return True
    orderly = (
        NodeDeathInfo.EXPECTED_TERMINATION,
        NodeDeathInfo.AUTOSCALER_DRAIN_PREEMPTED,
        NodeDeathInfo.AUTOSCALER_DRAIN_IDLE,
    )
    return any(
        each["NodeID"] == node and not each["Alive"] and each["DeathReason"] in orderly
        for each in ray.nodes()  # type: ignore[no-untyped-call]
    )


@dataclass(frozen=True, slots=True)
class LostNode:
    """A node that ended without notice."""

    host: str
    address: str
    ago_s: float
    reason: str


def lost_nodes(within_s: float) -> list[LostNode]:
    """The nodes that crashed or lost power within this time, in the cluster this process has joined. Raises RayError.

    `ray.nodes()` does not say when, and Ray's state API needs the dashboard process.
    """
    from ray.core.generated.common_pb2 import NodeDeathInfo  # type: ignore[attr-defined]
    from ray.core.generated.gcs_pb2 import GcsNodeInfo  # type: ignore[attr-defined]
    from ray.experimental.internal_kv import internal_kv_get_gcs_client

    infos = internal_kv_get_gcs_client().get_all_node_info(timeout=_INFO_S)  # type: ignore[no-untyped-call]
    now = time.time()
    return [
        LostNode(node.node_manager_hostname, node.node_manager_address, ago_s, node.death_info.reason_message)
        for node in infos.values()
        if node.state == GcsNodeInfo.DEAD
        and node.death_info.reason == NodeDeathInfo.UNEXPECTED_TERMINATION
        and (ago_s := now - node.end_time_ms / 1000) <= within_s
    ]


def request_slots(sizes: Sequence[float]) -> None:
    """Ask Ray's autoscaler for nodes on which work of these sizes fits side by side, running work included.

    The request lasts until the next one. Without an autoscaler it has no effect. Raises RayError.
    """
    from ray.autoscaler.sdk import request_resources

    request_resources(bundles=[{"CPU": size} for size in sizes])
