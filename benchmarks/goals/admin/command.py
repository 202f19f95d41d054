"""`python -m benchmarks admin`: the administrators' lists and figures over 100,000 people and 1,000,000 files."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Annotated

import typer
from sqlalchemy import text

from api.people.users.models import User
from api.testing.databases.database_kind import DatabaseKind
from benchmarks.goals.admin.calls import CALLS, PER_PAGE
from benchmarks.goals.admin.filling import ENTRIES, FILES, INVOICES, USERS, fill
from benchmarks.goals.report import Report
from benchmarks.goals.submit.installation import Served, served
from benchmarks.goals.submit.wire import Caller
from cluster.testing.processes import cpu_seconds

OK = 200


def command(
    users: Annotated[int, typer.Option(help="People. Companies, invoices and entries are in proportion.")] = USERS,
    files: Annotated[int, typer.Option(help="Files, each with a job and an attempt.")] = FILES,
    share: Annotated[int, typer.Option(help="One in this many of the calls, chosen evenly by chance.")] = 1,
) -> None:
    """Time each admin list and the dashboard, one call after the other."""
    report = Report("admin")
    report.note(
        f"{users:,} people, {files:,} files, {INVOICES * users // USERS:,} invoices, {ENTRIES * users // USERS:,} "
        f"audit entries; pages of {PER_PAGE}, the first, the 20th and the 200th. Every sort with every filter."
    )
    report.note("Computing is the processor time of the web process and the database, which other work cannot stretch.")
    for kind in (DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE):
        asyncio.run(_measure(report, kind, users=users, files=files, share=share))
    report.write()


async def _measure(report: Report, kind: DatabaseKind, *, users: int, files: int, share: int) -> None:
    async with served(kind) as api:
        began = time.monotonic()
        typer.echo(f"Filling {kind} with {files:,} files takes minutes.", err=True)
        await fill(api.database, users=users, files=files)
        if report.begins(f"filling {kind}"):
            report.figure(f"filling {kind}", time.monotonic() - began, "s")
        await _promote(api)
        computing = await _computing(api, kind)
        caller = Caller(api.port, api.headers)
        try:
            for name, calls in CALLS.items():
                if not report.begins(f"list of {name} with {kind}"):
                    continue
                chosen = list(calls())
                chosen = random.Random(0).sample(chosen, max(20, len(chosen) // share)) if share > 1 else chosen
                timed = await asyncio.to_thread(_timed, caller, chosen, computing)
                _report(report, f"list of {name} with {kind}", timed)
            if report.begins(f"dashboard with {kind}"):
                await asyncio.to_thread(_dashboard, report, kind, caller, computing)
        finally:
            caller.close()


async def _promote(api: Served) -> None:
    async with api.database.write() as session:
        (await session.get_one(User, api.user_id)).is_admin = True


async def _computing(api: Served, kind: DatabaseKind) -> Callable[[], float]:
    """What reads the processor time of the web process, with PostgreSQL of all its processes too."""
    pids = [api.pid]
    if kind is DatabaseKind.POSTGRESQL:
        async with api.database.read() as session:
            folder = (await session.execute(text("SHOW data_directory"))).scalar_one()
        pids.append(int((Path(folder) / "postmaster.pid").read_text().split()[0]))
    return lambda: sum(cpu_seconds(pid) for pid in pids)


@dataclass(frozen=True, slots=True)
class _Timed:
    path: str
    ms: float
    computing_ms: float


def _timed(caller: Caller, paths: Iterable[str], computing: Callable[[], float]) -> list[_Timed]:
    found = []
    for path in paths:
        before = computing()
        ms = 1000 * caller.timed(path, None, OK)
        found.append(_Timed(path, ms, 1000 * (computing() - before)))
    return found


def _report(report: Report, name: str, timed: list[_Timed]) -> None:
    took = [each.ms for each in timed]
    spent = [each.computing_ms for each in timed]
    slowest = max(timed, key=lambda each: each.computing_ms)
    report.goal("33-admin", quantiles(took, n=20)[18], list=name, calls=len(timed))
    report.figure(f"{name}, median", median(took), "ms")
    report.figure(
        f"{name}, computing p95", quantiles(spent, n=20)[18], "ms", mean_ms=round(mean(spent), 1), most=slowest.path,
        most_ms=round(slowest.computing_ms),
    )  # fmt: skip


def _dashboard(report: Report, kind: DatabaseKind, caller: Caller, computing: Callable[[], float]) -> None:
    """The first call computes the figures; later ones of the same half minute share them."""
    for hours in (24, 168, 720, 2160):
        path = f"/api/admin/dashboard?hours={hours}"
        first, *later = _timed(caller, [path] * 6, computing)
        report.figure(
            f"dashboard of {hours} h with {kind}, first", first.ms, "ms", computing_ms=round(first.computing_ms),
            later_ms=round(median(each.ms for each in later), 1),
        )  # fmt: skip
