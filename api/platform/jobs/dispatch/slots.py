"""Which waiting job finds room on the nodes now, so that jobs wait in the database in fair order and not in Ray.

Pure arithmetic over CPU slots by node. Ray reports what is free on each node, after everything that holds slots there:
model replicas, running jobs, other users of the cluster. A job that was claimed just now may be missing from that
report, so its slots are set aside until it has shown a first sign of life.
"""

from __future__ import annotations

from collections.abc import Sequence

_ROUNDING = 1e-6


class Slots:
    """The slots of each node that are free for new jobs.

    `free`: by node, as reported. `starting`: what claimed jobs will take that the report may not show yet. `is_idle`:
    none of our jobs is running anywhere; then the next one may start whatever its size. It may be larger than any node,
    and a cluster may grow for it.
    """

    def __init__(self, free: Sequence[float], starting: Sequence[float] = (), *, is_idle: bool = False) -> None:
        self._free = list(free)
        self._is_idle = is_idle
        for cpus in sorted(starting, reverse=True):
            self._set_aside(cpus)

    def has_room(self, cpus: float) -> bool:
        """Whether a job of this size could start; sets nothing aside."""
        return self._is_idle or max(self._free, default=0.0) + _ROUNDING >= cpus

    def take(self, cpus: float) -> bool:
        """Set slots aside for one more job if a single node has room for it; returns whether it may start."""
        may_start = self._set_aside(cpus) or self._is_idle
        self._is_idle = False
        return may_start

    def _set_aside(self, cpus: float) -> bool:
        """Ray decides which node a job gets, so assume the worst: the one with the most room."""
        roomiest = max(range(len(self._free)), key=lambda index: self._free[index], default=None)
        if roomiest is None or self._free[roomiest] + _ROUNDING < cpus:
            return False
        self._free[roomiest] -= cpus
        return True
