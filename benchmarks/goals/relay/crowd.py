"""The clients' process as the driver sees it."""

from __future__ import annotations

import multiprocessing
from types import TracebackType
from typing import Any, Self

from benchmarks.goals.relay.listeners import Deliveries, Target, listen
from cluster.testing.processes import pin


class Crowd:
    """Groups of listeners by name, all in one process on one core."""

    def __init__(self, core: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=listen, args=(theirs,), daemon=True)
        self._process.start()
        assert self._process.pid is not None
        pin(self._process.pid, {core})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pipe.send(None)
        self._process.join(10)
        if self._process.is_alive():
            self._process.kill()

    def open(self, name: str, target: Target, count: int) -> float:
        """Connect `count` listeners; return the seconds until all listen."""
        return float(self._ask("open", name, target, count))

    def keep_delays(self, name: str) -> None:
        self._ask("delays", name)

    def collect(self, name: str, count: int, limit_s: float = 30.0) -> Deliveries:
        """Messages to the group since the last call; returns at `count` or after `limit_s`."""
        deliveries = self._ask("collect", name, count, limit_s)
        assert isinstance(deliveries, Deliveries)
        return deliveries

    def back(self, name: str, limit_s: float) -> float:
        """Seconds until everyone listens again after all connections were lost."""
        return float(self._ask("back", name, limit_s))

    def close(self, name: str) -> None:
        self._ask("close", name)

    def _ask(self, *order: Any) -> Any:
        self._pipe.send(order)
        return self._pipe.recv()
