"""Service times: how long an engine's call takes by batch size and length of its windows.

`python -m benchmarks batching` writes them, and a simulation of many machines reads them.
"""

from __future__ import annotations

from bisect import bisect_left
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from benchmarks.measure.outcomes.outcome import Machine
from cluster.testing.portable import portable

VERSION = 1


class BadCurves(ValueError):
    """A file of service times that cannot be read; the message says why."""


class Point(BaseModel):
    """Calls of one size. Seconds are for the whole call."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    batch: int = Field(ge=1, description="Windows in a call.")
    window_s: float = Field(gt=0, description="Length of each window in seconds.")
    calls: int = Field(ge=1, description="Measured calls.")
    median_s: float = Field(gt=0)
    p10_s: float = Field(gt=0)
    p90_s: float = Field(gt=0)


class ServiceCurve(BaseModel):
    """One engine on one machine, while `beside` calls run side by side: what a busy replica gives each of them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    engine: str
    model: str
    device: str
    compute_type: str
    beam_size: int
    threads: int
    load_s: float = Field(ge=0, description="Seconds to load the model: what a new replica waits for.")
    beside: int = Field(ge=1, description="Calls that ran at the same time, this one included.")
    points: tuple[Point, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _has_every_size(self) -> Self:
        sizes = {(point.batch, point.window_s) for point in self.points}
        if len(sizes) != len(self.points) or len(sizes) != len(self.batches) * len(self.windows_s):
            raise ValueError("every batch size needs one point for every window length")
        return self

    @property
    def batches(self) -> list[int]:
        return sorted({point.batch for point in self.points})

    @property
    def windows_s(self) -> list[float]:
        return sorted({point.window_s for point in self.points})

    def seconds(self, batch: int, window_s: float) -> float:
        """Median seconds of a call of this size.

        Linear between measured sizes. Below the smallest it costs what the smallest costs, and above the largest what
        several of the largest cost: neither is claimed to be cheaper than what was measured.
        """
        largest = self.batches[-1]
        if batch > largest:
            whole, rest = divmod(batch, largest)
            return whole * self.seconds(largest, window_s) + (self.seconds(rest, window_s) if rest else 0.0)
        longest = self.windows_s[-1]
        if window_s > longest:
            return self.seconds(batch, longest) * window_s / longest
        median = {(point.batch, point.window_s): point.median_s for point in self.points}
        low_b, high_b, share_b = _between([float(size) for size in self.batches], batch)
        low_w, high_w, share_w = _between(self.windows_s, window_s)
        below = _mix(median[int(low_b), low_w], median[int(low_b), high_w], share_w)
        above = _mix(median[int(high_b), low_w], median[int(high_b), high_w], share_w)
        return _mix(below, above, share_b)

    @property
    def best_speed(self) -> float:
        """Most seconds of sound a second that `beside` calls of a measured size give together."""
        return self.beside * max(point.batch * point.window_s / point.median_s for point in self.points)


class CurveFile(BaseModel):
    """What stands in the file; `machine` and `commit` name where the times come from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int = VERSION
    measured_at: str
    commit: str
    machine: Machine
    curves: tuple[ServiceCurve, ...] = Field(min_length=1)


def read_curves(path: Path) -> CurveFile:
    """Raises BadCurves."""
    try:
        curves = CurveFile.model_validate_json(path.read_bytes())
    except OSError as missing:
        raise BadCurves(f"{path} cannot be read: {missing.strerror}.") from missing
    except ValidationError as wrong:
        problems = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in wrong.errors())
        raise BadCurves(f"{path} holds no service times: {problems}.") from wrong
    if curves.version != VERSION:
        raise BadCurves(f"{path} has version {curves.version}, and this program reads {VERSION}. Measure again.")
    return curves


def write_curves(path: Path, curves: CurveFile) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(portable(curves.model_dump_json(indent=1)) + "\n")


def _between(sizes: list[float], value: float) -> tuple[float, float, float]:
    """The measured sizes on both sides of a value, and its share of the way between them."""
    index = bisect_left(sizes, value)
    if index == 0:
        return sizes[0], sizes[0], 0.0
    if index == len(sizes):
        return sizes[-1], sizes[-1], 0.0
    low, high = sizes[index - 1], sizes[index]
    return low, high, (value - low) / (high - low)


def _mix(low: float, high: float, share: float) -> float:
    return low + (high - low) * share
