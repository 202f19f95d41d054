"""`python -m benchmarks admin`: the administrators' lists and figures over 100,000 people and 1,000,000 files."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from itertools import product
from statistics import median, quantiles
from typing import Annotated
from urllib.parse import urlencode

import typer

from api.testing.database_kind import DatabaseKind
from api.users.models import User
from benchmarks.admin.filling import FILES, USERS, fill
from benchmarks.report import Report
from benchmarks.submit.installation import Served, served
from benchmarks.submit.wire import Caller

OK = 200
WANTED_MS = 200
CONTENTS = "/api/admin/contents"
PER_PAGE = 50


def command(
    users: Annotated[int, typer.Option(help="People.")] = USERS,
    files: Annotated[int, typer.Option(help="Files, each with a job and an attempt.")] = FILES,
    rounds: Annotated[int, typer.Option(help="Calls of each kind.")] = 5,
) -> None:
    """Time each admin list and the dashboard, one call after the other."""
    report = Report("admin")
    report.note(f"{users:,} people, {files:,} files; pages of {PER_PAGE}; p95 over all calls of a list.")
    for kind in (DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE):
        asyncio.run(_measure(report, kind, users=users, files=files, rounds=rounds))
    report.write()


async def _measure(report: Report, kind: DatabaseKind, *, users: int, files: int, rounds: int) -> None:
    async with served(kind) as api:
        began = time.monotonic()
        await fill(api.database, users=users, files=files)
        report.figure(f"filling {kind}", time.monotonic() - began, "s")
        await _promote(api)
        caller = Caller(api.port, api.headers)
        try:
            await asyncio.to_thread(_lists, report, kind, caller, rounds)
            await asyncio.to_thread(_dashboard, report, kind, caller, rounds)
        finally:
            caller.close()


async def _promote(api: Served) -> None:
    async with api.database.write() as session:
        (await session.get_one(User, api.user_id)).is_admin = True


def _lists(report: Report, kind: DatabaseKind, caller: Caller, rounds: int) -> None:
    slowest: list[tuple[float, str]] = []
    for path in content_calls():
        caller.timed(path, None, OK)
        slowest += [(1000 * caller.timed(path, None, OK), path) for _ in range(rounds)]
    took = [ms for ms, _ in slowest]
    report.figure(f"list of contents with {kind}, p95", quantiles(took, n=20)[18], "ms", wanted=WANTED_MS)
    ms, path = max(slowest)
    report.figure(f"list of contents with {kind}, median", median(took), "ms", slowest_ms=round(ms), slowest=path)


def content_calls() -> Iterator[str]:
    """Every order with every kind of filter, first and later pages."""
    filters: list[dict[str, str]] = [
        {},
        {"status": "failed"},
        {"status": "waiting"},
        {"status": "completed", "kind": "audio"},
        {"status": "completed", "kind": "image"},
        {"language": "is-IS"},
        {"language": "is-IS", "status": "failed"},
        {"language": "xx-XX"},
        {"in_bin": "true"},
        {"in_bin": "true", "status": "failed"},
        {"failed_within_h": "24"},
        {"failed_within_h": "720"},
        {"owner": "person77@example.com"},
        {"team": "Team 77"},
        {"q": "interview 12"},
        {"q": "lecture"},
        {"q": "zzz"},
        {"q": "slug4711"},
    ]
    orders = ("-created_at", "created_at", "name", "-duration_ms", "-size_bytes")
    for chosen, order, page in product(filters, orders, ("1", "20")):
        yield f"{CONTENTS}?{urlencode({**chosen, 'sort': order, 'page': page, 'per_page': str(PER_PAGE)})}"


def _dashboard(report: Report, kind: DatabaseKind, caller: Caller, rounds: int) -> None:
    """The first call computes the figures; later ones of the same half minute share them."""
    for hours in (24, 168, 720, 2160):
        path = f"/api/admin/dashboard?hours={hours}"
        first = 1000 * caller.timed(path, None, OK)
        later = median(1000 * caller.timed(path, None, OK) for _ in range(rounds))
        report.figure(f"dashboard of {hours} h with {kind}, first", first, "ms", later_ms=round(later, 1))
