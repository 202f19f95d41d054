"""`python -m benchmarks submit`: how fast the API takes work (goal 7), and how fast it lists files under load."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from statistics import median, quantiles
from typing import Annotated

import typer

from api.testing.databases.database_kind import DatabaseKind
from benchmarks.goals.pairs import alternate
from benchmarks.goals.report import Report
from benchmarks.goals.submit.installation import WAITING_SHARE, Served, served, start
from benchmarks.goals.submit.wire import Caller, get_for
from cluster.ports import free_ports
from cluster.testing.processes import cpu_seconds

OK, CREATED = 200, 201
BODY = json.dumps({"language": "is-IS", "mode": "burned"})
LISTED = 100
LIST_CLIENTS = 16


def command(
    calls: Annotated[int, typer.Option(help="Submits in each half of a pair.")] = 60,
    pairs: Annotated[int, typer.Option(help="Pairs that count.")] = 5,
    list_s: Annotated[float, typer.Option(help="Seconds of listing files.")] = 10.0,
) -> None:
    """Compare submits through the whole API with a bare uvicorn, and measure lists of 100 files."""
    report = Report("submit")
    report.note("Submit is POST /api/video/export/{slug}: export, job and event in one durable transaction.")
    for kind in (DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE):
        asyncio.run(_measure(report, kind, calls=calls, pairs=pairs, list_s=list_s))
    report.write()


async def _measure(report: Report, kind: DatabaseKind, *, calls: int, pairs: int, list_s: float) -> None:
    async with AsyncExitStack() as stack:
        api = await stack.enter_async_context(served(kind))
        slugs = iter(await api.files(calls * (4 * pairs + 1)))
        ours = Caller(api.port, api.headers)
        stack.callback(ours.close)
        bare, fastapi = (_hello(stack, which)[0] for which in ("bare", "fastapi"))

        def middle(caller: Caller, path: str, body: str | None, expected: int) -> Callable[[], float]:
            return lambda: median(caller.timed(path, body, expected) for _ in range(calls))

        def submit() -> float:
            return median(ours.timed(f"/api/video/export/{next(slugs)}", BODY, CREATED) for _ in range(calls))

        hello = middle(bare, "/hello", BODY, CREATED)
        by_driver: Callable[[], float] | None = None
        parts = [("a route of FastAPI that says hello", middle(fastapi, "/hello", BODY, CREATED))]
        if kind is DatabaseKind.POSTGRESQL:
            url = api.database.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
            for which, words in (("psycopg", "by psycopg alone"), ("one-statement", "in a single statement")):
                driver, pid = _hello(stack, which, url)
                rows = middle(driver, "/hello", BODY, CREATED)
                parts.append((f"the rows of a submit {words}", rows))
                if which == "psycopg":
                    by_driver = _computing(pid, rows, calls)
        for name, part in (
            *parts,
            (f"our health route with {kind}, no statement", middle(ours, "/api/health", None, OK)),
            (f"who is signed in with {kind}", middle(ours, "/api/user", None, OK)),
        ):
            part()
            found = await asyncio.to_thread(alternate, part, hello, pairs)
            report.figure(f"{name} / bare uvicorn", found.ratio, "x", ms=round(1000 * median(found.ours), 2))
        submit()
        found = await asyncio.to_thread(alternate, submit, hello, pairs)
        ms = round(1000 * median(found.ours), 2)
        report.figure(f"submit / bare uvicorn with {kind}", found.ratio, "x", ms=ms, **found.detail())
        if by_driver is not None:
            found = await asyncio.to_thread(alternate, _computing(api.pid, submit, calls), by_driver, pairs)
            ours_ms, theirs_ms = (round(1000 * median(each), 2) for each in (found.ours, found.theirs))
            report.goal("7", found.ratio, database=kind, core_ms=ours_ms, driver_core_ms=theirs_ms, **found.detail())
        await _list(report, kind, api, list_s)


def _computing(pid: int, call: Callable[[], float], calls: int) -> Callable[[], float]:
    """The server's processor seconds of one of these calls."""

    def computing() -> float:
        before = cpu_seconds(pid)
        call()
        return (cpu_seconds(pid) - before) / calls

    return computing


def _hello(stack: AsyncExitStack, which: str, *more: str) -> tuple[Caller, int]:
    """A bare server, and its process."""
    (port,) = free_ports(1)
    process = start(stack, [sys.executable, "-m", "benchmarks.goals.submit.hello", str(port), which, *more], port)
    caller = Caller(port)
    stack.callback(caller.close)
    return caller, process.pid


async def _list(report: Report, kind: DatabaseKind, api: Served, seconds: float) -> None:
    await api.waiting(LISTED // WAITING_SHARE)
    path = f"/api/files/videos?limit={LISTED}"
    before = cpu_seconds(api.pid)
    took = await get_for(seconds, api.port, path, api.headers, LIST_CLIENTS)
    cpu_ms = 1000 * (cpu_seconds(api.pid) - before) / len(took)
    p99_ms = 1000 * quantiles(took, n=100)[98]
    report.figure(f"list of {LISTED} files with {kind}", len(took) / seconds, "requests/s", wanted=300)
    report.figure(f"list of {LISTED} files with {kind}, p99", p99_ms, "ms", wanted=150, clients=LIST_CLIENTS)
    report.figure(f"list of {LISTED} files with {kind}, computing", cpu_ms, "ms/request")
