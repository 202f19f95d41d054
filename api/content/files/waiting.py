"""What a page shows about the job that a file waits for."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from api.content.files.request_summary import retry_at
from api.platform.jobs.limits import STALL_NOTICE_S
from api.platform.jobs.order.queue_position import QueuePosition
from api.platform.jobs.states import JobState


@dataclass(frozen=True, slots=True)
class Waiting:
    """The fields of `FileOut` with these names."""

    eta_s: int | None = None
    queue_place: int | None = None
    attempt: int = 0
    retry_at: datetime | None = None
    stalled_s: int | None = None


def waiting_of(job: Row[*tuple[Any, ...]] | None, positions: Mapping[uuid.UUID, QueuePosition]) -> Waiting:
    """Describe an unfinished job, if any, from columns of its row and `now`, the database's time."""
    if job is None:
        return Waiting()
    if job.state == JobState.RUNNING:
        return Waiting(eta_s=_left_s(job), attempt=job.attempt, stalled_s=_stalled_s(job))
    again = retry_at(job.state, job.attempt, job.run_after, job.now)
    position = positions.get(job.id)
    if position is None or again is not None:
        return Waiting(attempt=job.attempt, retry_at=again)
    done_s = None if position.done_s is None else round(position.done_s)
    return Waiting(eta_s=done_s, queue_place=position.number, attempt=job.attempt)


def _left_s(job: Row[*tuple[Any, ...]]) -> int | None:
    """None also when the expected end has passed, since the estimate was wrong."""
    if job.eta_at is None or job.eta_at < job.now:
        return None
    left: float = (job.eta_at - job.now).total_seconds()
    return round(left)


def _stalled_s(job: Row[*tuple[Any, ...]]) -> int | None:
    moved_at = job.progress_at or job.started_at
    if moved_at is None:
        return None
    still: float = (job.now - moved_at).total_seconds()
    return round(still) if still >= STALL_NOTICE_S else None
