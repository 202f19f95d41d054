"""What is known about one node of a cluster when it is judged."""

from __future__ import annotations

from dataclasses import dataclass

from cluster.check.node import NodeFacts


@dataclass(frozen=True, slots=True)
class NodeReport:
    address: str
    slots: float
    """CPU slots that Ray offers there."""
    gpus: float
    """GPUs that Ray offers there."""
    is_head: bool
    skew_s: float | None
    """How far its clock is ahead of the checking process's; None where it did not answer."""
    facts: NodeFacts | None
    problem: str
    """Why there are no facts."""
    is_leaving: bool = False
    """Whether it drains: it takes no new work, so it is asked nothing."""

    @property
    def name(self) -> str:
        return self.address if self.facts is None else f"{self.facts.host} ({self.address})"
