"""What a deployment requires of a model engine, whatever its task."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol, TypeVar

from serve.core.messages import EngineInfo, EngineRefused

Item = TypeVar("Item", contravariant=True)
Outcome = TypeVar("Outcome", covariant=True)


class Engine(Protocol[Item, Outcome]):
    """A loaded model. Every method may be called from several threads at once, up to `parallel`."""

    @property
    def info(self) -> EngineInfo:
        """What it is and can do; an endpoint shows that only with its answers."""
        ...

    parallel: int
    """How many calls run side by side; more would only wait for each other."""
    spare_workers: int
    """Calls it takes besides, for streams that have nothing running: they slow down the others a little."""
    gains_from_batches: bool
    """Whether items in one call take less time than one after the other."""
    has_deadline: bool
    """Whether every call ends by itself in time, so that nobody needs to watch for calls that hang."""

    def batch_key(self, item: Item, /) -> Hashable:
        """Items with equal keys may share one call."""
        ...

    def run(self, batch: Sequence[Item], /) -> Sequence[Outcome | EngineRefused]:
        """The outcome of each item, in the order given; all have the same `batch_key`.

        A refusal of one item does not affect its neighbours.
        """
        ...

    def rest(self) -> None:
        """Called every few seconds: free what has not been used for long."""
        ...

    def close(self) -> None:
        """Free memory and end child processes. No call may follow."""
        ...
