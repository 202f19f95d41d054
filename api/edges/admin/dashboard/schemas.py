from __future__ import annotations

from datetime import date, datetime
from enum import IntEnum, StrEnum

from pydantic import BaseModel

from api.edges.admin.contents.schemas import ContentOut
from api.platform.http.pages.language import PageText


class Range(IntEnum):
    """The ranges that a dashboard offers, in hours."""

    DAY = 24
    WEEK = 7 * 24
    MONTH = 30 * 24
    QUARTER = 90 * 24


class Point(BaseModel):
    """A value for the hour or day that begins at `at`."""

    at: datetime
    value: float


class PeopleFigures(BaseModel):
    """`active` people added a file in the range."""

    total: int
    active: int
    new: int
    by_time: list[Point]


class MinuteFigures(BaseModel):
    """Minutes of sound that were transcribed."""

    total: float
    by_time: list[Point]


class EngineFigures(BaseModel):
    """What a model did in the range. `compute_minutes` is the time of its attempts, `device` where it ran."""

    work: PageText
    engine: PageText
    device: str | None
    jobs: int
    media_minutes: float
    compute_minutes: float


class GpuFigures(BaseModel):
    """Minutes of finished attempts on a device other than the processor. `is_cpu_only`: no model uses another one."""

    minutes: float
    is_cpu_only: bool


class QueueFigures(BaseModel):
    """The queue of one kind of work. Waits are those of recent jobs of the range, from being queued to their start."""

    work: PageText
    waiting: int
    running: int
    oldest_wait_s: int | None
    median_wait_s: int | None
    p95_wait_s: int | None


class FailureFigures(BaseModel):
    work: PageText
    code: str
    jobs: int


class StorageFigures(BaseModel):
    """Bytes of originals and exports. Of the originals, `bin_bytes` are in the bin. Buckets have no `free_bytes`."""

    files: int
    original_bytes: int
    export_bytes: int
    bin_bytes: int
    free_bytes: int | None


class RevenueMonth(BaseModel):
    """What was paid in a month, in cents."""

    month: date
    currency: str
    stripe: int
    contract: int


class DashboardOut(BaseModel):
    """The figures of a range, at most half a minute old. Hours and days are those of UTC."""

    hours: Range
    computed_at: datetime
    step_s: int
    people: PeopleFigures
    minutes: MinuteFigures
    gpu: GpuFigures
    engines: list[EngineFigures]
    queues: list[QueueFigures]
    failures: list[FailureFigures]
    storage: StorageFigures
    revenue: list[RevenueMonth]
    newest: list[ContentOut]
    failed: list[ContentOut]


class Figure(StrEnum):
    """The tables that one can get as CSV."""

    PEOPLE = "people"
    MINUTES = "minutes"
    ENGINES = "engines"
    QUEUES = "queues"
    FAILURES = "failures"
    STORAGE = "storage"
    REVENUE = "revenue"
