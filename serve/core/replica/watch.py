"""Reads what replicas report, and forgets those that have fallen silent."""

from __future__ import annotations

import time
from collections.abc import Callable

from serve.core.capability_store import published_counts, published_profile_problem, published_replicas, remove_replica
from serve.core.replica_messages import TaskReplicas

SILENT_S = 40.0
"""Four reports that did not come: the replica was killed, or its process hangs."""


class ReplicaWatch:
    """Call it every few seconds, in a process that has joined the cluster."""

    def __init__(self, task: str, *, silent_s: float = SILENT_S, now: Callable[[], float] = time.monotonic) -> None:
        self._task = task
        self._silent_s = silent_s
        self._now = now
        self._seen: dict[str, tuple[int, float]] = {}

    def __call__(self) -> TaskReplicas:
        """Raises RayError."""
        now, counts, heard = self._now(), published_counts(self._task), []
        seen = {}
        for report in published_replicas(self._task):
            number, since = self._seen.get(report.id, (-1, now))
            seen[report.id] = (report.number, since if number == report.number else now)
            if now - seen[report.id][1] > self._silent_s:
                remove_replica(self._task, report.id)
                continue
            heard.append(report)
        self._seen = seen
        heard.sort(key=lambda report: (report.node, report.id))
        problem = published_profile_problem(self._task)
        return TaskReplicas(tuple(heard), counts.get("starting", 0), counts.get("stopping", 0), problem)
