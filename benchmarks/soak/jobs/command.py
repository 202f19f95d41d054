"""`benchmarks.soak jobs`: jobs of many users while dispatchers, workers and ffmpeg are killed and suspended."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Annotated
from uuid import uuid4

import typer
from sqlalchemy import func, select

from api.content.files.models import File, FileStatus
from api.content.preparation.work import ingest_work
from api.people.users.models import User
from api.platform.jobs.models import Job
from api.platform.jobs.queue import enqueue
from api.platform.jobs.states import AttemptEnd, JobKind, JobState
from api.testing.databases.database_kind import DatabaseKind
from benchmarks.soak.jobs.checker import EACH_FILE, Findings, check
from benchmarks.soak.jobs.dispatch import LEASE_S
from benchmarks.soak.jobs.faults import Faults
from benchmarks.soak.jobs.installation import Installation, installed
from benchmarks.soak.report import Report

USERS = 20
LAST_JOBS = 6
"""The last jobs meet no faults: a job that is hit five times fails, as it should."""


class NotDone(Exception):
    """The jobs did not come to an end in time."""


def command(
    jobs: Annotated[int, typer.Option(help="How many jobs, at least.")] = 2_000,
    database: Annotated[
        list[DatabaseKind] | None, typer.Option(help="sqlite or postgresql; both when left out.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides victims and moments.")] = 1,
    dispatchers: Annotated[int, typer.Option(help="Dispatcher processes.")] = 3,
    patience_s: Annotated[float, typer.Option(help="Fail after this many seconds for each database.")] = 1_200,
) -> None:
    """Run thousands of jobs while processes are killed and suspended, then check the database and the storage."""
    report = Report("jobs")
    report.note(f"Leases of {LEASE_S:g} s instead of 30; flows do one small ffmpeg call or none.")
    broken = False
    for kind in database or tuple(DatabaseKind):
        outcome = asyncio.run(run(kind, jobs=jobs, seed=seed, dispatchers=dispatchers, patience_s=patience_s))
        broken = broken or bool(outcome.findings.problems)
        _tell(report, kind, outcome)
    report.write()
    if broken:
        raise typer.Exit(1)


class Outcome:
    def __init__(self, findings: Findings, faults: Faults, seconds: float, late: int, settled_s: float) -> None:
        self.findings = findings
        self.faults = dict(faults.done)
        self.seconds = seconds
        self.late = late
        self.settled_s = settled_s


async def run(
    kind: DatabaseKind,
    *,
    jobs: int,
    seed: int,
    dispatchers: int,
    patience_s: float,
    afterwards: Callable[[Installation], Awaitable[None]] | None = None,
) -> Outcome:
    """One run in a new installation; `afterwards` may inspect what is left."""
    files = -(-jobs // len(EACH_FILE))
    async with installed(kind) as installation:
        await upload(installation, files)
        faults = Faults(installation, seed)
        for _ in range(dispatchers):
            installation.start_dispatcher()
        began = time.monotonic()
        # A dispatcher takes seconds to join Ray. A kill before that would test nothing but its start.
        await _until(installation, 1, began + patience_s, faults)
        injecting = asyncio.create_task(faults.go_on())
        try:
            await _until(installation, files * len(EACH_FILE) - LAST_JOBS, began + patience_s, faults)
        finally:
            injecting.cancel()
            with suppress(asyncio.CancelledError):
                await injecting
            await faults.end()
        await _until(installation, files * len(EACH_FILE), began + patience_s, faults)
        seconds = time.monotonic() - began
        # A process that resumes late still tries to write its result, then cleans up.
        quiet_from = time.monotonic()
        findings = await _settled(installation, files)
        if afterwards is not None:
            await afterwards(installation)
        late = installation.log.read_text().count("job.lease_lost")
        return Outcome(findings, faults, seconds, late, time.monotonic() - quiet_from)


async def upload(installation: Installation, files: int) -> None:
    """Create users and their files as after an upload; a tenth of the users have most of the files."""
    async with installation.database.write() as session:
        users = [User(name=f"u{n}", email=f"u{n}@example.com", password_hash="-") for n in range(USERS)]
        session.add_all(users)
        await session.flush()
        for number in range(files):
            user = users[number % 2] if number % 3 else users[number % USERS]
            await _file(session, user)


async def _file(session: object, user: User) -> None:
    file = File(
        id=uuid4(),
        user_id=user.id,
        name="talk",
        filename="talk.avi",
        language="is-IS",
        status=FileStatus.WAITING,
        original_key=f"originals/{uuid4()}/source.avi",
    )
    session.add(file)  # type: ignore[attr-defined]
    await enqueue(
        session,  # type: ignore[arg-type]
        kind=JobKind.UPLOAD,
        subject_id=file.id,
        file_id=file.id,
        user_id=user.id,
        dedup_key=f"upload:{file.id}",
        request=ingest_work(file).request,
    )


async def _until(installation: Installation, wanted: int, deadline: float, faults: Faults) -> None:
    """Wait until this many jobs have ended, and replace dead dispatchers meanwhile."""
    is_over = Job.state.not_in((JobState.READY, JobState.RUNNING))
    while True:
        installation.replace_dead()
        async with installation.database.read() as session:
            over = await session.scalar(select(func.count()).select_from(Job).where(is_over)) or 0
        faults.jobs_ended = over
        if over >= wanted:
            return
        if time.monotonic() > deadline:
            raise NotDone(f"{over} of {wanted} jobs ended. The end of the log:\n{installation.log.read_text()[-3000:]}")
        await asyncio.sleep(0.5)


async def _settled(installation: Installation, files: int) -> Findings:
    """The findings, after giving processes that resumed late three leases to clean up."""
    deadline = time.monotonic() + 3 * LEASE_S
    while True:
        async with installation.database.read() as session:
            findings = await check(session, installation.settings, files)
        if not findings.problems or time.monotonic() > deadline:
            return findings
        await asyncio.sleep(1)


def _tell(report: Report, kind: DatabaseKind, outcome: Outcome) -> None:
    findings = outcome.findings
    report.figure(f"{kind}: jobs done", findings.endings[AttemptEnd.DONE], "jobs", seconds=round(outcome.seconds))
    report.figure(f"{kind}: faults", sum(outcome.faults.values()), "faults", **outcome.faults)
    report.figure(f"{kind}: attempts", findings.attempts, "attempts", **findings.endings)
    report.figure(f"{kind}: late finishes refused", outcome.late, "attempts")
    report.figure(f"{kind}: lost, doubled or left over", len(findings.problems), "findings", problems=_first(findings))


def _first(findings: Findings) -> Sequence[str]:
    return findings.problems[:20]
