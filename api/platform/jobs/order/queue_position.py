"""Where each waiting job stands in the queue, and when it should be done.

Computed with three reads however many jobs wait, and shared by all requests of a second: a page with a hundred waiting
files costs no more than a page with one.
"""

from __future__ import annotations

import asyncio
import heapq
import time
import uuid
from collections import defaultdict, deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Row, and_, select
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from api.platform.db import clock
from api.platform.jobs.models import Job
from api.platform.jobs.order import fairness, rates
from api.platform.jobs.order.fairness import Turn
from api.platform.jobs.order.rates import Rates
from api.platform.jobs.states import JobState

FRESH_S = 1.0
RATES_FRESH_S = 30.0
MOST = 5_000
"""Beyond this many jobs we don't compute a position."""


@dataclass(frozen=True, slots=True)
class QueuePosition:
    """`number` is 1 for the next job to start. `done_s`: seconds until it should be done, None if that is unknown."""

    number: int
    done_s: float | None


@dataclass(frozen=True, slots=True)
class _Waiting:
    id: uuid.UUID
    user_id: uuid.UUID
    expected_s: float | None


_Positions = dict[uuid.UUID, QueuePosition]
_positions: WeakKeyDictionary[object, tuple[float, _Positions]] = WeakKeyDictionary()
_computing: WeakKeyDictionary[object, asyncio.Lock] = WeakKeyDictionary()
"""Whoever comes while they are computed waits for that instead of computing them too."""
_rates: WeakKeyDictionary[object, tuple[float, frozenset[str], Rates]] = WeakKeyDictionary()
"""When they were computed, for which kinds."""


async def positions(session: AsyncSession, job_ids: Sequence[uuid.UUID]) -> _Positions:
    """The positions of waiting jobs. One that waits for its retry time, or has started meanwhile, has none."""
    if not job_ids:
        return {}
    engine = _engine_of(session)
    asked_at = time.monotonic()
    async with _computing.setdefault(engine, asyncio.Lock()):
        computed_at, found = _positions.get(engine, (0.0, {}))
        if asked_at - computed_at > FRESH_S:
            found = await _compute(session, engine)
            _positions[engine] = (time.monotonic(), found)
    return {job_id: found[job_id] for job_id in job_ids if job_id in found}


def _engine_of(session: AsyncSession) -> object:
    bind = session.bind
    # Read-only sessions have an engine of their own on top of the same pool.
    return bind.sync_engine.pool if isinstance(bind, AsyncEngine) else bind


async def _recent_rates(session: AsyncSession, engine: object, kinds: Collection[str]) -> Rates:
    computed_at, known, recent = _rates.get(engine, (0.0, frozenset(), Rates({})))
    if time.monotonic() - computed_at > RATES_FRESH_S or not known.issuperset(kinds):
        known = known | frozenset(kinds)
        recent = await rates.recent(session, known)
        _rates[engine] = (time.monotonic(), known, recent)
    return recent


async def _compute(session: AsyncSession, engine: object) -> _Positions:
    is_due = and_(Job.state == JobState.READY, Job.run_after <= clock.now())
    turns = await fairness.turns(session, is_due)
    rows = (
        await session.execute(
            select(Job.id, Job.user_id, Job.kind, Job.work)
            .where(is_due)
            .order_by(Job.priority.desc(), Job.run_after, Job.created_at, Job.id)
            .limit(MOST)
        )
    ).all()
    running = (
        await session.execute(
            select(Job.kind, Job.work, Job.started_at, Job.eta_at, clock.now().label("now")).where(
                fairness.is_running()
            )
        )
    ).all()
    recent = await _recent_rates(session, engine, {row.kind for row in rows} | {row.kind for row in running})
    waiting = [_Waiting(row.id, row.user_id, recent.expected_s(row.kind, row.work)) for row in rows]
    return _with_times(in_turn(turns, waiting), [_left_s(row, recent) for row in running])


def in_turn(turns: Sequence[Turn], waiting: Sequence[_Waiting]) -> list[_Waiting]:
    """The jobs in the order of their claims, provided that no running job ends and no new one arrives."""
    of_user: dict[uuid.UUID, deque[_Waiting]] = defaultdict(deque)
    for job in waiting:
        of_user[job.user_id].append(job)
    heap = [(turn.key, turn) for turn in turns if of_user[turn.user_id]]
    heapq.heapify(heap)
    ordered = []
    passed = 0.0
    while heap:
        _, turn = heapq.heappop(heap)
        ordered.append(of_user[turn.user_id].popleft())
        if of_user[turn.user_id]:
            # Just served: behind every user with as many running jobs.
            passed += 1e-6
            after = replace(turn, running=turn.running + 1, served_s=-passed)
            heapq.heappush(heap, (after.key, after))
    return ordered


def _left_s(row: Row[*tuple[Any, ...]], recent: Rates) -> float | None:
    """Seconds until a running job should be over."""
    if row.eta_at is not None:
        return max(0.0, float((row.eta_at - row.now).total_seconds()))
    expected = recent.expected_s(row.kind, row.work)
    if expected is None:
        return None
    left = expected - float((row.now - row.started_at).total_seconds())
    return left if left > 0 else None


def _with_times(ordered: Sequence[_Waiting], left: Sequence[float | None]) -> _Positions:
    """Assume that jobs share the slots in use now. With no job running, or one of unknown length, no time is known."""
    known = [each for each in left if each is not None]
    heapq.heapify(known)
    slots = known if known and len(known) == len(left) else None
    positions = {}
    for number, job in enumerate(ordered, 1):
        done_s = None
        if slots is not None and job.expected_s is not None:
            done_s = heapq.heappop(slots) + job.expected_s
            heapq.heappush(slots, done_s)
        else:
            # Behind a job of unknown length no time is known either.
            slots = None
        positions[job.id] = QueuePosition(number, done_s)
    return positions
