"""What an operator should know about a whole Ray cluster: asks every node and judges the answers.

`check_findings.py` holds the judgement, which needs no cluster. Models and databases are checked by the layers above.
"""

from __future__ import annotations

import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from cluster.check.findings import judge, judge_lost
from cluster.check.node import NodeLook, NodeReport, clock_s, look
from cluster.doctor import Check, State, storage
from cluster.ray.nodes import lost_nodes, read_nodes
from cluster.ray.runtime import RayUnreachable, connect
from cluster.settings import ClusterSettings
from cluster.storage.objects import StorageUnavailable
from cluster.storage.opening import open_storage

ANSWER_S = 60.0
"""A node that runs no task for this long is told as one that does not answer. A first task starts a worker process."""

LOST_S = 3600.0
"""How long a node that ended without notice is told."""


def _unheard(_: str) -> None:
    """For callers who show no progress."""


def check_ray(
    settings: ClusterSettings, *, answer_s: float = ANSWER_S, say: Callable[[str], None] = _unheard
) -> list[Check]:
    """Join the cluster and look at each node. Without a cluster the only finding says what to do.

    `say` gets a sentence before each step that may take long, and for each node that answers.
    """
    say("Joining the Ray cluster …")
    try:
        address = connect(settings)
    except RayUnreachable as error:
        return [Check("Ray", State.MISSING, str(error))]
    say("Trying the file storage …")
    stored = storage(settings)
    return [
        Check("Ray", State.OK, f"The cluster at {address} answers."),
        stored,
        *judge(_ask_nodes(settings, address, answer_s, say, is_stored=stored.state is State.OK)),
        judge_lost(lost_nodes(LOST_S)),
    ]


def _ask_nodes(
    settings: ClusterSettings, address: str, answer_s: float, say: Callable[[str], None], *, is_stored: bool
) -> list[NodeReport]:
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    leaving = {node.id for node in read_nodes(address) if node.is_leaving}
    alive: list[dict[str, Any]] = [node for node in ray.nodes() if node["Alive"]]  # type: ignore[no-untyped-call]
    for node in alive:
        if sum(other["NodeManagerAddress"] == node["NodeManagerAddress"] for other in alive) > 1:
            node["place"] = f"{node['NodeManagerAddress']}:{node['NodeManagerPort']}"
    nodes = [node for node in alive if node["NodeID"] not in leaving]
    # Never retried and without a slot, so that a busy node answers too.
    asking = ray.remote(num_cpus=0, max_retries=0)(look)
    with _probe(settings, is_stored=is_stored) as asked:
        waiting = {
            node["NodeID"]: asking.options(
                scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            ).remote(asked)
            for node in nodes
        }
        done = _answered(waiting, {node["NodeID"]: _place(node) for node in nodes}, answer_s, say)
        return [
            *(_report(node, waiting[node["NodeID"]], done, answer_s) for node in nodes),
            *(_leaving(node) for node in alive if node["NodeID"] in leaving),
        ]


def _answered(
    waiting: Mapping[str, Any], places: Mapping[str, str], answer_s: float, say: Callable[[str], None]
) -> set[Any]:
    """The references that were ready in time."""
    import ray

    say(f"Asking {len(waiting)} nodes, for up to {answer_s:.0f} s …")
    ends = time.monotonic() + answer_s
    open_ = {reference: places[node] for node, reference in waiting.items()}
    done: set[Any] = set()
    while open_ and (left := ends - time.monotonic()) > 0:
        ready, _ = ray.wait(list(open_), timeout=left)
        for reference in ready:
            say(f"{open_.pop(reference)} answers, {len(done) + 1} of {len(waiting)}.")
            done.add(reference)
    return done


def _place(node: Mapping[str, Any]) -> str:
    """The address, with the port where several nodes share one."""
    return str(node.get("place", node["NodeManagerAddress"]))


def _leaving(node: dict[str, Any]) -> NodeReport:
    return NodeReport(
        address=_place(node),
        slots=0.0,
        gpus=0.0,
        is_head=False,
        skew_s=None,
        facts=None,
        problem="",
        is_leaving=True,
    )


def _report(node: dict[str, Any], reference: Any, done: set[Any], answer_s: float) -> NodeReport:
    import ray
    from ray.exceptions import RayError

    facts, problem = None, ""
    if reference in done:
        try:
            facts = ray.get(reference)
        except RayError as error:
            problem = str(error).strip().splitlines()[-1]
    else:
        problem = f"it ran no task within {answer_s:.0f} s"
        ray.cancel(reference, force=True)
    resources = node["Resources"]
    return NodeReport(
        address=_place(node),
        slots=resources.get("CPU", 0.0),
        gpus=resources.get("GPU", 0.0),
        is_head="node:__internal_head__" in resources,
        skew_s=_skew_s(node) if facts is not None else None,
        facts=facts,
        problem=problem,
    )


def _skew_s(node: dict[str, Any]) -> float:
    """How far the node's clock is ahead of ours: the shortest of three round trips bounds the error."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    clock = ray.remote(num_cpus=0, max_retries=0)(clock_s).options(
        scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
    )
    trips = []
    for _ in range(3):
        asked = time.time()
        there = ray.get(clock.remote())
        answered = time.time()
        trips.append((answered - asked, there - (asked + answered) / 2))
    return min(trips)[1]


@contextmanager
def _probe(settings: ClusterSettings, *, is_stored: bool) -> Iterator[NodeLook]:
    """An object in the storage that every node should be able to read."""
    folder = f"check/{uuid.uuid4().hex}"
    asked = NodeLook(f"{folder}/probe", folder.encode())
    if not is_stored:
        yield asked
        return
    bucket = open_storage(settings)
    try:
        with tempfile.TemporaryDirectory() as work:
            probe = Path(work) / "probe"
            probe.write_bytes(asked.expected)
            bucket.put(probe, asked.probe)
        yield asked
    finally:
        # When the storage went away the nodes say so; an object of 40 bytes stays.
        with suppress(StorageUnavailable):
            bucket.delete_prefix(folder)
