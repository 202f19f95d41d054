"""What every task's section of a profile may say: how its deployment runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from cluster.wording.message import Wording
from serve.core.replica_messages import BatchLimits

UNKNOWN_ENGINE = Wording("transcription.unknown_engine", "There is no engine “{name}”. Use one of {known}.")


def known_in(engines: Sequence[str]) -> Callable[[str], str]:
    """A validator of the name of an engine."""

    def check(name: str) -> str:
        if name not in engines:
            raise ValueError(UNKNOWN_ENGINE(name=name, known=", ".join(engines)))
        return name

    return check


class DeploymentProfile(BaseModel, ABC):
    """How the deployment of one task runs, whatever the task. Fields are what the task's YAML section may say."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    live: ClassVar[frozenset[str]] = frozenset(
        {"replicas", "max_batch", "max_batch_cost", "batch_wait_ms", "max_queued_requests", "max_surge_percent"}
    )
    """Fields that change without a restart of the replicas that run."""

    device: Literal["cpu", "cuda"] = "cpu"
    replicas: int = Field(1, ge=1, description="Replicas; where they may end while idle, at most this many.")
    unload_after_s: float | None = Field(
        None,
        gt=0,
        description="Without requests for this many seconds replicas end, and the next request starts one. "
        "Unset: replicas start at once and stay.",
    )
    max_replicas: int | None = Field(
        None,
        ge=1,
        description="Up to this many replicas run while more work waits than `replicas` should hold. Unset: no more.",
    )
    scale_down_after_s: float = Field(
        300.0, gt=0, description="After this many seconds with less work waiting, surplus replicas end."
    )
    num_cpus: float = Field(1.0, ge=0)
    num_gpus: float = Field(0.0, ge=0)
    workers: int = Field(0, ge=0, description="Model calls side by side in a replica; 0 means one per core.")
    max_batch: int = Field(8, ge=1)
    max_batch_cost: int | None = Field(
        None, ge=1, description="Bound on a batch, counted as the task counts its cost; a single item always runs."
    )
    batch_wait_ms: int = Field(20, ge=0)
    max_queued_requests: int = Field(512, ge=1, description="Requests that wait in a caller's process for a replica.")
    max_surge_percent: int | None = Field(
        None,
        ge=0,
        le=100,
        description="Extra replicas while a change replaces those that run, in percent of them. With 0 the old ones "
        "end first: requests wait meanwhile, and no room is needed beside them. Unset: 100, or 0 with a GPU.",
    )

    @property
    def slots(self) -> float:
        """Slots of a replica. One that starts on demand takes none.

        The jobs that wait for it may hold every slot of a node, and would otherwise wait forever.
        """
        return self.num_cpus if self.unload_after_s is None else 0.0

    @property
    def limits(self) -> BatchLimits:
        """The batch limits of a replica."""
        return BatchLimits(
            max_batch=self.max_batch,
            max_batch_cost=self.max_batch_cost,
            wait_ms=self.batch_wait_ms,
            max_queued=self.max_queued,
        )

    @property
    def surge_percent(self) -> int:
        """A GPU has no room for a second replica."""
        if self.max_surge_percent is not None:
            return self.max_surge_percent
        return 0 if self.num_gpus else 100

    def restarts_for(self, other: Self) -> bool:
        """Whether replicas must restart to run as `other` says."""
        return self.model_dump(exclude=set(self.live)) != other.model_dump(exclude=set(self.live))

    @property
    @abstractmethod
    def max_queued(self) -> int:
        """Work that may wait in a replica, counted as the task counts its cost."""

    @property
    def target_queued(self) -> int:
        """Work that should wait in one replica at most, where their number follows the queue."""
        return max(1, self.max_queued // 5)
