"""What an installation is doing: its queues, for Prometheus."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from datetime import UTC, datetime

from prometheus_client.core import GaugeMetricFamily
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.capabilities.queries import capabilities
from api.platform.db import clock
from api.platform.db.engine import Database
from api.platform.jobs.models import Job, JobAttempt, OutboxMessage
from api.platform.jobs.states import AttemptEnd, JobState
from api.platform.operations.figures import gauge

HOUR_S = 3600.0
WAITING = "waiting"
RUNNING = "running"


Count = Callable[[AsyncSession], Awaitable[int]]


async def installation_gauges(database: Database, uploads: Count, kinds: Collection[str]) -> list[GaugeMetricFamily]:
    """Queues of the whole installation, from the database. `uploads` counts those in progress."""
    async with database.read() as session:
        return [
            await _queue_lengths(session, kinds),
            await _waits(session, kinds),
            await _attempts(session, kinds),
            *await _outbox(session),
            gauge("uploads", "Uploads in progress.", [((), float(await uploads(session)))]),
            await _engines(session),
        ]


async def _queue_lengths(session: AsyncSession, kinds: Collection[str]) -> GaugeMetricFamily:
    states = {JobState.READY: WAITING, JobState.RUNNING: RUNNING}
    statement = select(Job.kind, Job.state, func.count()).where(Job.state.in_(states)).group_by(Job.kind, Job.state)
    found = {(kind, states[state]): count for kind, state, count in (await session.execute(statement)).tuples()}
    every = [((kind, state), float(found.get((kind, state), 0))) for kind in kinds for state in states.values()]
    return gauge("jobs", "Jobs that wait or run.", every, ("kind", "state"))


async def _waits(session: AsyncSession, kinds: Collection[str]) -> GaugeMetricFamily:
    """How long the longest-waiting job of each kind is due."""
    statement = (
        select(Job.kind, func.min(Job.run_after))
        .where(Job.state == JobState.READY, Job.run_after <= clock.now())
        .group_by(Job.kind)
    )
    found = {kind: _age_s(since) for kind, since in (await session.execute(statement)).tuples()}
    every = [((kind,), found.get(kind, 0.0)) for kind in kinds]
    return gauge("job_wait_seconds", "Age of the oldest job that could run, in seconds.", every, ("kind",))


async def _attempts(session: AsyncSession, kinds: Collection[str]) -> GaugeMetricFamily:
    statement = (
        select(JobAttempt.kind, JobAttempt.ending, func.count())
        .where(
            JobAttempt.kind.in_(kinds),
            JobAttempt.ending.in_(list(AttemptEnd)),
            JobAttempt.ended_at > clock.now(-HOUR_S),
        )
        .group_by(JobAttempt.kind, JobAttempt.ending)
    )
    found = [((kind, str(ending)), float(count)) for kind, ending, count in (await session.execute(statement)).tuples()]
    return gauge("attempts_last_hour", "Attempts that ended within an hour, by outcome.", found, ("kind", "ending"))


async def _outbox(session: AsyncSession) -> list[GaugeMetricFamily]:
    statement = (
        select(OutboxMessage.topic, func.count(), func.min(OutboxMessage.created_at))
        .where(OutboxMessage.published_at.is_(None), OutboxMessage.failed_at.is_(None))
        .group_by(OutboxMessage.topic)
    )
    rows = (await session.execute(statement)).tuples().all()
    failures = (
        select(OutboxMessage.topic, func.count())
        .where(OutboxMessage.failed_at.is_not(None))
        .group_by(OutboxMessage.topic)
    )
    failed = (await session.execute(failures)).tuples().all()
    return [
        gauge("outbox_messages", "Unsent messages.", [((topic,), count) for topic, count, _ in rows], ("topic",)),
        gauge(
            "outbox_age_seconds",
            "Age of the oldest unsent message, in seconds.",
            [((topic,), _age_s(since)) for topic, _, since in rows],
            ("topic",),
        ),
        gauge(
            "outbox_failed",
            "Messages that we no longer try to send.",
            [((topic,), count) for topic, count in failed],
            ("topic",),
        ),
    ]


async def _engines(session: AsyncSession) -> GaugeMetricFamily:
    found = [
        ((each.task, each.loaded.engine, each.loaded.model), 1.0)
        for each in await capabilities(session)
        if each.loaded is not None
    ]
    return gauge("engine_loaded", "Engines that are loaded, by task and model.", found, ("task", "engine", "model"))


def _age_s(since: datetime) -> float:
    return max(0.0, (datetime.now(UTC) - since).total_seconds())
