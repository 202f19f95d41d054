"""One run: its device and report, the minutes that it may take, and steps that fail alone."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import torch

from benchmarks.goals.gpu.limit import DeviceSpeed
from cluster.testing.report import Report


@dataclass
class Run:
    """What every step needs. `goals` are judged on a GPU alone."""

    report: Report
    device: str
    minutes: float
    words: int
    """Words that a window of 30 s has; each is one token."""
    repeats: int
    cache: Path | None = None
    """Folder of models with random weights; None: the one that is kept between runs."""
    left_out: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    _begun: float = field(default_factory=time.monotonic)

    @property
    def speed(self) -> DeviceSpeed | None:
        """That of the device; None where it could not be measured."""
        values = self.report.values
        if not {"multiplying", "copying"} <= values.keys():
            return None
        return DeviceSpeed(1e12 * values["multiplying"], 1e9 * values["copying"])

    @property
    def precision(self) -> str:
        return "bfloat16" if self.device == "cuda" else "float32"

    @property
    def tokens(self) -> int:
        """Tokens of a window: its words and two times."""
        return self.words + 2

    def step(self, name: str, work: Callable[[], None], *, seconds: float) -> bool:
        """Take a step that may take about this long, unless the minutes do not suffice or a stopped run took it.

        Its failure is a note, and the next step goes on. Returns whether `work` ran to its end.
        """
        if time.monotonic() - self._begun + seconds > 60 * self.minutes:
            self.left_out.append(name)
            return False
        if not self.report.begins(name):
            return False
        try:
            work()
        except Exception as failure:
            self.failed.append(name)
            said = str(failure).strip().splitlines() or [""]
            self.report.note(f"{name} failed: {type(failure).__name__}: {said[0]}")
            return False
        finally:
            gc.collect()
            if self.device == "cuda":
                torch.cuda.empty_cache()
        return True

    def goal(self, key: str, value: float) -> None:
        if self.device == "cuda":
            self.report.goal(key, value)

    @contextmanager
    def timed(self, into: list[float]) -> Iterator[None]:
        """Append the seconds until the device has done what was begun inside."""
        self.wait()
        begun = time.perf_counter()
        yield
        self.wait()
        into.append(time.perf_counter() - begun)

    def wait(self) -> None:
        if self.device == "cuda":
            torch.cuda.synchronize()
