"""`python -m benchmarks.soak abuse`: can one person disturb another?"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from rich.console import Console

from api.testing.databases.database_kind import DatabaseKind
from benchmarks.soak.abuse.attacks.every import ATTACKS
from benchmarks.soak.abuse.campaign import Outcome, endure
from benchmarks.soak.abuse.installation import running
from benchmarks.soak.goals import GOALS
from benchmarks.soak.postgres import PostgresServer
from benchmarks.soak.report import Report

GUILTY = 1
CALM = "no attack"


def command(
    seconds: Annotated[float, typer.Option(min=1, help="How long each attack lasts.")] = 15.0,
    only: Annotated[list[str] | None, typer.Option(help="Only this attack; repeatable.")] = None,
    database: Annotated[DatabaseKind, typer.Option(help="Under the product.")] = DatabaseKind.SQLITE,
) -> None:
    """Run every known attack on a web process, one after another, while somebody else works.

    Everything stays on this machine's loopback and ends by itself. Exits with 1 if a goal was missed.
    """
    if unknown := set(only or ()) - ATTACKS.keys():
        raise typer.BadParameter(f"There is no attack {', '.join(sorted(unknown))}. Known: {', '.join(ATTACKS)}.")
    folder = Path(tempfile.mkdtemp(prefix="sg-abuse-"))
    try:
        is_met = asyncio.run(_run(folder, [*(only or ATTACKS)], seconds, database))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if is_met else GUILTY)


async def _run(folder: Path, names: list[str], seconds: float, database: DatabaseKind) -> bool:
    postgres = PostgresServer() if database is DatabaseKind.POSTGRESQL else None
    report, outcomes = Report("abuse", variant=database), dict[str, Outcome]()
    try:
        if postgres is not None:
            await asyncio.to_thread(postgres.create)
        async with running(folder, postgres) as installation:
            for name in (None, *names):
                outcome = await endure(installation, name, seconds)
                outcomes[name or CALM] = outcome
                _print(name or CALM, outcome)
                if not outcome.is_quiet_after:
                    await installation.restart()
    finally:
        if postgres is not None:
            postgres.remove()
    report.note(
        f"Each attack lasts {seconds:g} s. The bystander loads a page, a list or captions every 0.1 s and edits a "
        "caption every 0.5 s over HTTP. Times count from when a request was due. Attackers run niced on the "
        "same cores; `attacker_cpu_s` is the processor time that they took. The lock is SQLite's write lock, which the "
        "bystander's edits take too, or on PostgreSQL the row of the attacker's longest file."
    )
    is_met = _judge(report, outcomes)
    report.write()
    return is_met


def _print(name: str, outcome: Outcome) -> None:
    experience = outcome.experience
    Console().print(
        f"{name:>16}: p50 {median(experience.seconds) * 1000:.0f} ms, p95 {experience.quantile_s(0.95) * 1000:.0f} ms, "
        f"longest {max(experience.seconds) * 1000:.0f} ms; "
        f"edits p95 {experience.edit_quantile_s(0.95) * 1000:.0f} ms, longest {max(experience.edits) * 1000:.0f} ms; "
        f"lock {outcome.lock_s * 1000:.0f} ms; "
        f"{len(experience.failures)} of {len(experience.seconds)} failed; "
        f"{outcome.restarts} restarts; memory {outcome.rss_before / 1e6:.0f} to {outcome.rss_most / 1e6:.0f} MB; "
        f"the attacker got {outcome.attacked.outcomes}",
        soft_wrap=True,
    )


def _judge(report: Report, outcomes: dict[str, Outcome]) -> bool:
    """Fill the report. True if all goals are met."""
    values: list[tuple[str, float]] = []
    for name, outcome in outcomes.items():
        experience = outcome.experience
        p95_ms = experience.quantile_s(0.95) * 1000
        values.append(("27-p95", p95_ms))
        report.goal(
            "27-p95",
            p95_ms,
            name=f"{GOALS['27-p95'].name}: {name}",
            about=f"A person sends {ATTACKS[name].about}." if name in ATTACKS else "Nobody attacks.",
            p50_ms=median(experience.seconds) * 1000,
            longest_ms=max(experience.seconds) * 1000,
            requests=len(experience.seconds),
            failures=experience.failures,
            attacker_got=outcome.attacked.outcomes,
            attacker_cpu_s=outcome.attacked.cpu_s,
            seconds=outcome.seconds,
            rss_before_mb=outcome.rss_before / 1e6,
            rss_most_mb=outcome.rss_most / 1e6,
            restarts=outcome.restarts,
            is_quiet_after=outcome.is_quiet_after,
        )
        edits_ms = experience.edit_quantile_s(0.95) * 1000
        values.append(("27-edits", edits_ms))
        report.goal(
            "27-edits",
            edits_ms,
            name=f"{GOALS['27-edits'].name}: {name}",
            edits=len(experience.edits),
            longest_ms=max(experience.edits) * 1000,
        )
        values.append(("27-lock", outcome.lock_s * 1000))
        report.goal("27-lock", outcome.lock_s * 1000, name=f"{GOALS['27-lock'].name}: {name}")
    totals = {
        "27-failures": {name: len(outcome.experience.failures) for name, outcome in outcomes.items()},
        "27-restarts": {name: outcome.restarts for name, outcome in outcomes.items()},
        "27-500": {name: outcome.server_errors for name, outcome in outcomes.items()},
    }
    for key, by_attack in totals.items():
        values.append((key, float(sum(by_attack.values()))))
        report.goal(key, values[-1][1], during={name: count for name, count in by_attack.items() if count})
    return all(GOALS[key].verdict(value) != "short" for key, value in values)
