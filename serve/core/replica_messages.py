"""What is known of the replicas of a task. Frozen and picklable; stored as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from cluster.stored_sentences import SentenceText


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """How much waits and how much runs at once."""

    max_queued: int
    """Cost that may wait; a single item is always accepted."""
    max_batch: int = 8
    max_batch_cost: int | None = None
    """Cost that one batch may have; a single item always runs."""
    wait_ms: int = 20
    """How long an incomplete batch waits for company while a worker is free."""


@dataclass(frozen=True, slots=True)
class GpuMemory:
    """Bytes of the GPUs that a replica runs on, whoever uses them."""

    used: int
    total: int


@dataclass(frozen=True, slots=True)
class ReplicaReport:
    """One process that holds a model. `number` counts its reports, so that one that hangs shows as silent.

    `node` is the host's name, `address` its IP address. `memory` is in bytes and None where the system does not say.
    `limits` are the batch limits that it runs with now.
    """

    id: str
    number: int
    node: str
    address: str
    engine: str
    model: str
    device: str
    is_busy: bool
    memory: int | None
    gpu: GpuMemory | None = None
    limits: BatchLimits | None = None


@dataclass(frozen=True, slots=True)
class TaskReplicas:
    """The replicas of one task. `starting` and `stopping` are counts: these do not report yet, or no more."""

    running: tuple[ReplicaReport, ...] = ()
    starting: int = 0
    stopping: int = 0
    profile_problem: SentenceText = ""
    """Why the newest profile is not used, as a sentence; empty while it is."""
