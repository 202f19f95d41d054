"""`benchmarks.soak nodes`: people's files on several Ray nodes while nodes, dispatchers and the bucket fail."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import select

from api.app import create_app
from api.platform.db.engine import Database
from api.platform.jobs.models import JobAttempt
from api.testing.databases.migrated import migrated_database
from api.testing.databases.postgres import running_postgres
from api.testing.nodes.installation import NodesInstallation, nodes_installation
from api.testing.nodes.people import CLIPS, Files
from benchmarks.soak.nodes.faults import Faults
from benchmarks.soak.report import Report

WORKERS = 3
DISPATCHERS = 2
PEOPLE = 4
SHOWN = 20


def command(
    faults: Annotated[int, typer.Option(help="How many faults.", min=1)] = 12,
    minutes: Annotated[float, typer.Option(help="Over how many minutes.")] = 3.0,
    each_s: Annotated[float, typer.Option(help="Seconds between two uploads.")] = 3.0,
    seed: Annotated[int, typer.Option(help="Decides victims and order.")] = 1,
) -> None:
    """Upload sound over the bucket while a cluster of five nodes changes; compare every caption with what was said."""
    report = Report("nodes")
    report.note("Ray nodes on one machine, PostgreSQL, moto's S3, the tiny Whisper on a node that offers a GPU.")
    with (
        tempfile.TemporaryDirectory(prefix="sg-nodes-") as name,
        running_postgres() as server,
        migrated_database(server) as url,
        nodes_installation(Path(name) / "installation", url, workers=WORKERS) as installation,
    ):
        installation.start_models()
        for _ in range(DISPATCHERS):
            installation.start_dispatcher()
        problems = asyncio.run(_run(installation, report, faults, minutes, each_s, seed))
    report.write()
    if problems:
        raise typer.Exit(1)


async def _run(
    installation: NodesInstallation, report: Report, count: int, minutes: float, each_s: float, seed: int
) -> list[str]:
    database = Database(installation.settings.db_url)
    app = create_app(installation.settings)
    faults = Faults(installation, seed)
    async with app.router.lifespan_context(app):
        files = Files(installation, database, app)
        # Before a file has gone all the way, a fault would only test the start.
        await files.upload(await files.person(), CLIPS[0])
        problems = await files.end()
        began = time.monotonic()
        uploading = asyncio.create_task(_upload(files, faults, each_s, seed))
        for fault in faults.plan(count):
            await asyncio.sleep(60 * minutes / count)
            await faults.strike(fault)
        faults.is_over.set()
        await uploading
        problems += await files.end()
        seconds = time.monotonic() - began
        async with database.read() as session:
            endings = Counter(str(ending) for ending in await session.scalars(select(JobAttempt.ending)))
    await database.close()
    report.figure(
        "faults", sum(faults.done.values()), "faults", **{str(fault): times for fault, times in faults.done.items()}
    )
    report.figure("files with the right captions", len(files.spoken), "files", seconds=round(seconds))
    report.figure("attempts", sum(endings.values()), "attempts", **endings)
    report.figure("lost, wrong or twice", len(problems), "findings", problems=problems[:SHOWN])
    return problems


async def _upload(files: Files, faults: Faults, each_s: float, seed: int) -> None:
    """Upload until the last fault."""
    luck = random.Random(seed)
    people = [await files.person() for _ in range(PEOPLE)]
    while not faults.is_over.is_set():
        async with faults.bucket:
            await files.upload(luck.choice(people), luck.choice(CLIPS))
        await asyncio.sleep(each_s)
