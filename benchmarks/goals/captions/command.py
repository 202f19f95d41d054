"""`python -m benchmarks captions`: durable changes of captions by 32 people at once, each in an own file."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from itertools import cycle
from statistics import median, quantiles
from typing import Annotated, Any

import typer
from sqlalchemy import select

from api.content.captions.models import CaptionLineRow, CaptionTrack
from api.content.files.models import File
from api.testing.databases.database_kind import DatabaseKind
from benchmarks.goals.report import Report
from benchmarks.goals.submit.installation import Served, served
from cluster.testing.processes import cpu_seconds

EDITORS = 32
WANTED_PER_S = 150


def command(
    seconds: Annotated[float, typer.Option(help="Seconds of each run.")] = 10.0,
    rounds: Annotated[int, typer.Option(help="Runs; the best counts, all are in the file.")] = 3,
) -> None:
    """Measure `POST /api/files/captions/{slug}`: change the text of a line, one after the other in each file."""
    report = Report("captions")
    report.note(f"{EDITORS} files of one person, one connection each. Commits wait for the disk (fsync is on).")
    for kind, processes in ((DatabaseKind.POSTGRESQL, 2), (DatabaseKind.POSTGRESQL, 1), (DatabaseKind.SQLITE, 1)):
        asyncio.run(_measure(report, kind, processes, seconds, rounds))
    report.write()


async def _measure(report: Report, kind: DatabaseKind, processes: int, seconds: float, rounds: int) -> None:
    async with served(kind, durable=True, processes=processes) as api:
        runs = []
        for _ in range(rounds):
            editors = await _editors(api)
            before = sum(map(cpu_seconds, api.pids))
            took = await _edit(seconds, editors)
            runs.append(
                {
                    "per_s": round(len(took) / seconds, 1),
                    "median_ms": round(1000 * median(took)),
                    "p99_ms": round(1000 * quantiles(took, n=100)[98]),
                    "cpu_ms": round(1000 * (sum(map(cpu_seconds, api.pids)) - before) / len(took), 2),
                }
            )
    best = max(runs, key=lambda run: run["per_s"])
    wanted = {"wanted": WANTED_PER_S} if kind is DatabaseKind.POSTGRESQL else {}
    web = "one web process" if processes == 1 else f"{processes} web processes"
    report.figure(f"durable changes with {kind} and {web}", best["per_s"], "changes/s", **wanted, runs=runs)


async def _editors(api: Served) -> list[dict[str, Any]]:
    slugs = await api.files(EDITORS)
    async with api.database.read() as session:
        rows = await session.execute(
            select(File.slug, CaptionLineRow.id)
            .join(CaptionTrack, CaptionTrack.file_id == File.id)
            .join(CaptionLineRow, CaptionLineRow.track_id == CaptionTrack.id)
            .where(File.slug.in_(slugs))
        )
        ports = cycle(api.ports)
        return [
            {"slug": slug, "line": str(line), "headers": api.headers, "port": next(ports)}
            for slug, line in rows.tuples()
        ]


async def _edit(seconds: float, editors: list[dict[str, Any]]) -> list[float]:
    program = [sys.executable, "-m", "benchmarks.goals.captions.editors", str(seconds)]
    process = await asyncio.create_subprocess_exec(
        *program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, problem = await process.communicate(json.dumps(editors).encode())
    if process.returncode != 0:
        raise RuntimeError(problem.decode()[-2000:])
    took: list[float] = json.loads(out)
    return took
