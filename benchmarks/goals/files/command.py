"""`python -m benchmarks files`: lists of 100 files for 64 people at once, in a quiet and in a busy installation."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Annotated

import typer
from sqlalchemy import update

from api.people.auth.cookies import SESSION_COOKIE
from api.people.auth.models import AttemptCount
from api.platform.db.base import utc_now
from api.platform.db.engine import Database
from api.testing.databases.database_kind import DatabaseKind
from benchmarks.goals.files.callers import call, request
from benchmarks.goals.files.people import finished_files, people, waiting_files
from benchmarks.goals.report import Report
from benchmarks.goals.submit.installation import Served, served
from cluster.testing.processes import cpu_seconds

CLIENTS = 64
LISTED = 100
WAITING_SHARE = 4
"""In one scenario, one in this many files waits in the queue."""
COMMITS_PER_S = 5
"""In one scenario, other processes commit this often, as a dispatcher does that transcribes."""


def command(
    seconds: Annotated[float, typer.Option(help="Seconds of each scenario.")] = 10.0,
    rounds: Annotated[int, typer.Option(help="Runs of each scenario; the middle one counts, all are in the file.")] = 3,
) -> None:
    """Measure `GET /api/files?limit=100` with 64 connections, each of another person."""
    report = Report("files")
    report.note(
        f"One web process, as `sagascript up` starts it. {CLIENTS} people with {LISTED} files each, one connection "
        "each, which asks again as soon as it has its answer. The callers and the database share the machine's cores."
    )
    report.note("Answers of 503 are counted apart, as refused; a list that somebody only reads should have none.")
    for kind in (DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE):
        asyncio.run(_measure(report, kind, seconds, rounds))
    report.write()


async def _measure(report: Report, kind: DatabaseKind, seconds: float, rounds: int) -> None:
    async with served(kind) as api:
        owners = await people(api.database, CLIENTS)
        await finished_files(api.database, list(owners), LISTED)
        path = f"/api/files?limit={LISTED}"
        requests = [[request(path, {"Cookie": f"{SESSION_COOKIE}={token}"})] for token in owners.values()]
        await _scenario(report, f"list of {LISTED} files with {kind}", api, requests, seconds, rounds)
        async with _commits(api.database):
            name = f"the same while others commit {COMMITS_PER_S} times a second, {kind}"
            await _scenario(report, name, api, requests, seconds, rounds, has_goal=True)
        await waiting_files(api.database, list(owners), LISTED // WAITING_SHARE)
        name = f"the same with {LISTED // WAITING_SHARE} of the files waiting, {kind}"
        await _scenario(report, name, api, requests, seconds, rounds)


async def _scenario(
    report: Report,
    name: str,
    api: Served,
    requests: list[list[str]],
    seconds: float,
    rounds: int,
    *,
    has_goal: bool = False,
) -> None:
    if not report.begins(name):
        return
    runs = []
    for _ in range(rounds):
        before = cpu_seconds(api.pid)
        calls = await call(api.port, requests, seconds)
        cpu_ms = 1000 * (cpu_seconds(api.pid) - before) / max(1, calls.total)
        runs.append({"per_s": round(calls.per_s, 1), "p99_ms": round(calls.p99_ms), "cpu_ms": round(cpu_ms, 2)})
        runs[-1]["refused"] = calls.refused
    middle = sorted(runs, key=lambda run: run["per_s"])[len(runs) // 2]
    detail = {"scenario": name, "clients": CLIENTS}
    if has_goal:
        report.goal("33-lists", middle["per_s"], runs=runs, **detail)
        report.goal("33-p99", middle["p99_ms"], **detail)
    else:
        report.figure(name, middle["per_s"], "requests/s", runs=runs)
        report.figure(f"{name}, p99", middle["p99_ms"], "ms", clients=CLIENTS)
    report.goal("33-refused", sum(run["refused"] for run in runs), **detail)
    report.figure(f"{name}, computing", middle["cpu_ms"], "ms/request", body_bytes=calls.body_bytes)


@asynccontextmanager
async def _commits(database: Database) -> AsyncIterator[None]:
    """Change a row that no list shows, again and again."""
    row = AttemptCount(key="benchmark", attempts=0, ends_at=utc_now())
    async with database.write() as session:
        await session.merge(row)

    async def commit() -> None:
        while True:
            async with database.write() as session:
                await session.execute(update(AttemptCount).values(attempts=AttemptCount.attempts + 1))
            await asyncio.sleep(1 / COMMITS_PER_S)

    task = asyncio.create_task(commit())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
