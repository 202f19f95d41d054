"""Speed by the clock, and the processor time that it took, which other work on the machine does not change as much."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median


class Timing:
    """Measurements of one side in order: lines a second, and milliseconds of one core for a line."""

    def __init__(self) -> None:
        self.speeds: list[float] = []
        self.core_ms: list[float] = []

    @contextmanager
    def measure(self, lines: int) -> Iterator[None]:
        wall, cores = time.perf_counter(), time.process_time()
        yield
        self.core_ms.append(1000 * (time.process_time() - cores) / lines)
        self.speeds.append(lines / (time.perf_counter() - wall))

    def latest_core_ms(self, count: int) -> float:
        """Median of the last measurements."""
        return median(self.core_ms[-count:])
