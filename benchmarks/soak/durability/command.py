"""`python -m benchmarks.soak durability`: is anything lost when processes die under load?"""

from __future__ import annotations

import asyncio
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from api.testing.databases.database_kind import DatabaseKind
from benchmarks.soak.durability.client.media import make_sources
from benchmarks.soak.durability.fault_kinds import BACK_WITHIN_S, Kind
from benchmarks.soak.durability.faults.injector import LONGEST_WAIT_S, Injector
from benchmarks.soak.durability.invariants.every import judge_all
from benchmarks.soak.durability.invariants.verdict import Verdict
from benchmarks.soak.durability.seeded_faults import ABOUT, CAUGHT_BY, SeededFault
from benchmarks.soak.durability.servers.installation import Installation
from benchmarks.soak.durability.servers.redis import RedisServer
from benchmarks.soak.durability.session import Session
from benchmarks.soak.durability.trial import provoke
from benchmarks.soak.postgres import PostgresServer
from benchmarks.soak.report import Report

GUILTY = 1
SHOWN = 12
"""Violations of one invariant that are printed; the report's file has all."""


def command(
    faults: Annotated[int, typer.Option(help="How many faults.")] = 24,
    seed: Annotated[int, typer.Option(help="Decides what people do and when faults strike.")] = 1,
    minutes: Annotated[float, typer.Option(help="The least time that people work.")] = 3.0,
    users: Annotated[int, typer.Option(help="How many people work at once.", min=3)] = 4,
    only: Annotated[list[Kind] | None, typer.Option(help="Only faults of this kind; repeatable.")] = None,
    database: Annotated[DatabaseKind, typer.Option(help="Under the product.")] = DatabaseKind.SQLITE,
    redis: Annotated[bool, typer.Option("--redis", help="With a Redis server between the relays.")] = False,
    lease: Annotated[float, typer.Option(help="Seconds of a job's lease; the product's own is 30.")] = 8.0,
    fault: Annotated[
        list[SeededFault] | None, typer.Option(help="Seed this fault and provoke it: it must be found.")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the folder of the run.")] = False,
) -> None:
    """Run the product under load and faults, then judge database, disk and storage by ten invariants."""
    folder = Path(tempfile.mkdtemp(prefix="sg-durability-"))
    seeded_faults = fault or []
    try:
        verdicts = asyncio.run(_run(folder, faults, seed, minutes, users, only, database, redis, lease, seeded_faults))
    finally:
        if keep:
            Console().print(f"The run's folder is {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    broken = {verdict.number for verdict in verdicts if verdict.violations}
    if seeded_faults:
        missed = [each for each in seeded_faults if CAUGHT_BY[each] not in broken]
        for each in seeded_faults:
            found = "NOT FOUND" if each in missed else f"found by invariant {CAUGHT_BY[each]}"
            Console().print(f"seeded {each} ({ABOUT[each]}): {found}; broken: {sorted(broken)}")
        sys.exit(GUILTY if missed else 0)
    if broken:
        sys.exit(GUILTY)


async def _run(
    folder: Path,
    faults: int,
    seed: int,
    minutes: float,
    users: int,
    only: list[Kind] | None,
    database: DatabaseKind,
    redis: bool,
    lease_s: float,
    seeded_faults: list[SeededFault],
) -> list[Verdict]:
    report = Report("durability", variant=database)
    running = asyncio.current_task()
    assert running is not None
    # Ending this run also ends the installation, its servers and its disk.
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    installation = _make_installation(folder, database, redis=redis, lease_s=lease_s)
    installation.seeded_faults_file.write_text(" ".join(seeded_faults))
    session = None
    try:
        sources = await asyncio.to_thread(make_sources, folder / "media")
        await installation.start()
        session = Session(installation, sources, seed)
        injector = session.injector()
        await session.arrive(users)
        for fault in seeded_faults:
            await provoke(fault, session, injector)
        if not seeded_faults:
            kinds = _schedule(faults, only or _possible(installation), random.Random(seed))
            await _work(session, injector, kinds, minutes)
        await session.fall_quiet()
        evidence = await session.look()
        verdicts = judge_all(evidence)
        _show(report, session, injector, verdicts)
        if not seeded_faults:
            report.write()
        return verdicts
    finally:
        try:
            if session is not None:
                await session.leave()
            await installation.stop()
        finally:
            installation.remove()


def _make_installation(folder: Path, database: DatabaseKind, *, redis: bool, lease_s: float) -> Installation:
    postgres, server = None, None
    if database is DatabaseKind.POSTGRESQL:
        postgres = PostgresServer()
        postgres.create()
    if redis:
        server = RedisServer()
        server.start()
    return Installation(folder, lease_s, postgres, server)


def _possible(installation: Installation) -> list[Kind]:
    missing: set[Kind] = set()
    if installation.postgres is None:
        missing |= {Kind.POSTGRES, Kind.CUT_DATABASE}
    if installation.redis is None:
        missing |= {Kind.REDIS, Kind.CUT_REDIS}
    if not installation.disk.is_small:
        missing.add(Kind.DISK_FULL)
    return [kind for kind in Kind if kind not in missing]


def _schedule(count: int, kinds: list[Kind], luck: random.Random) -> list[Kind]:
    """Every kind equally often, in random order."""
    made: list[Kind] = []
    while len(made) < count:
        round_of = list(kinds)
        luck.shuffle(round_of)
        made += round_of
    return made[:count]


async def _work(session: Session, injector: Injector, kinds: list[Kind], minutes: float) -> None:
    began = time.monotonic()
    gap_s = 0.3 * minutes * 60 / max(1, len(kinds))
    breaking = asyncio.create_task(injector.run(kinds, gap_s=gap_s))
    await session.live(lambda: not breaking.done() or time.monotonic() - began < minutes * 60)
    await breaking
    # The events of the renewals find no web process at first.
    await asyncio.gather(session.end_month(), injector.inject(Kind.API))


def _show(report: Report, session: Session, injector: Injector, verdicts: list[Verdict]) -> None:
    table = Table("fault", "times", "no victim", "jobs hit", "back within, s", "limit, s", "verdict")
    for kind in Kind:
        times = [each for each in injector.injected if each.kind == kind]
        missed = injector.missed.count(kind)
        if not times and not missed:
            continue
        slowest = max((LONGEST_WAIT_S if each.back_s is None else each.back_s for each in times), default=0.0)
        in_time = all(each.is_in_time for each in times)
        table.add_row(
            kind,
            str(len(times)),
            str(missed or ""),
            str(sum(each.hit for each in times)),
            " ".join("never" if each.back_s is None else f"{each.back_s:.1f}" for each in times),
            f"{BACK_WITHIN_S[kind]:g}",
            ("in time" if in_time else "LATE") if times else "",
        )
        if times:
            report.figure(f"{kind}: back within", slowest, "s", times=len(times), limit_s=BACK_WITHIN_S[kind])
    judged = Table("invariant", "what", "checked", "verdict")
    for verdict in verdicts:
        judged.add_row(str(verdict.number), verdict.title, str(verdict.checked), verdict.words)
        detail = {"checked": verdict.checked, "violations": verdict.violations, "missing": verdict.missing}
        report.figure(f"invariant {verdict.number}: {verdict.title}", len(verdict.violations), "violations", **detail)
    for what, count in sorted(session.done().items()):
        report.figure(f"people: {what}", count, "")
    report.figure("longest answer of the API", max(each.browser.longest_wait_s for each in session.people), "s")
    report.figure("connections of pages to the relay", sum(each.listener.connections for each in session.people), "")
    console = Console(width=160)
    console.print(table)
    console.print(judged)
    for verdict in verdicts:
        for sentence in verdict.violations[:SHOWN]:
            console.print(f"[red]{verdict.number}.[/] {sentence}", soft_wrap=True)
        if len(verdict.violations) > SHOWN:
            console.print(f"[red]{verdict.number}.[/] … and {len(verdict.violations) - SHOWN} more like these.")
        if verdict.missing:
            report.note(f"Invariant {verdict.number}: nobody here does this: {verdict.missing}.")
    for sentence in session.unfinished:
        console.print(f"[yellow]{sentence}[/]")
        report.note(sentence)
    report.note(
        f"Leases of {session.installation.lease_s:g} s instead of the product's 30 shorten the wait for quiet. "
        "The model is the tiny Whisper of serve/testing/tiny_models. Everything runs on one machine, load included. "
        "People pay at the stand-in for Stripe of api/testing/stripe."
    )
