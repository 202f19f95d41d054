"""What a person who waits for a file is told of the job that works on it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from api.files.request_summary import retry_at
from api.jobs.limits import STALL_NOTICE_S
from api.jobs.line import Place
from api.jobs.states import JobState


@dataclass(frozen=True, slots=True)
class Waiting:
    """The fields of `FileOut` with these names."""

    eta_s: int | None = None
    queue_place: int | None = None
    attempt: int = 0
    retry_at: datetime | None = None
    stalled_s: int | None = None


def waiting_of(job: Row[Any] | None, places: Mapping[uuid.UUID, Place]) -> Waiting:
    """Of an unfinished job, if there is one: columns of its row, and `now`, the database's time."""
    if job is None:
        return Waiting()
    if job.state == JobState.RUNNING:
        return Waiting(eta_s=_left_s(job), attempt=job.attempt, stalled_s=_stalled_s(job))
    again = retry_at(job.state, job.attempt, job.run_after, job.now)
    place = places.get(job.id)
    if place is None or again is not None:
        return Waiting(attempt=job.attempt, retry_at=again)
    done_s = None if place.done_s is None else round(place.done_s)
    return Waiting(eta_s=done_s, queue_place=place.place, attempt=job.attempt)


def _left_s(job: Row[Any]) -> int | None:
    """None also when it should be over and is not: then nobody can tell any more."""
    if job.eta_at is None or job.eta_at < job.now:
        return None
    left: float = (job.eta_at - job.now).total_seconds()
    return round(left)


def _stalled_s(job: Row[Any]) -> int | None:
    moved_at = job.progress_at or job.started_at
    if moved_at is None:
        return None
    still: float = (job.now - moved_at).total_seconds()
    return round(still) if still >= STALL_NOTICE_S else None
