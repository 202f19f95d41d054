"""`sagascript doctor`: report what is there, what is missing and which engine each task will use."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Annotated

import typer
from pydantic import TypeAdapter
from rich.markup import escape

from api.edges.cli.console import out
from api.edges.cli.settings import settings_with
from api.edges.cli.upkeep.checks import (
    database,
    engines,
    mail,
    media,
    pages,
    ray_cluster,
    redis,
    relay,
    versions,
    virus_scanner,
)
from api.platform.settings import ApiSettings
from cluster.doctor import Check, State, can_work, machine_checks, run_checks

_MARKS = {State.OK: "[green]ok     [/]", State.WARN: "[yellow]warn   [/]", State.MISSING: "[bold red]missing[/]"}
CHECKS: TypeAdapter[list[Check]] = TypeAdapter(list[Check])


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON, for programs.")] = False,
    as_codes: Annotated[bool, typer.Option("--codes", help="In JSON, sentences as codes with values.")] = False,
) -> None:
    """Report what is there and what is missing. Exits with 1 if files cannot be transcribed here."""
    found = run_checks(all_checks(settings_with()))
    if as_json:
        typer.echo(CHECKS.dump_json(found).decode() if as_codes else json.dumps([asdict(check) for check in found]))
        raise typer.Exit(0 if can_work(found) else 1)
    print_checks(found)
    if not can_work(found):
        out.print("\n[bold red]Files cannot be transcribed here. Install what is missing first.[/]")
        raise typer.Exit(1)
    out.print("\nFiles can be transcribed here.")


def print_checks(found: list[Check]) -> None:
    width = max(len(check.name) for check in found)
    for check in found:
        out.print(f"{_MARKS[check.state]}  {check.name:<{width}}  {escape(check.sentence)}", soft_wrap=True)


def all_checks(settings: ApiSettings) -> list[Callable[[], Check | Iterable[Check]]]:
    return [
        *machine_checks(settings),
        lambda: ray_cluster(settings),
        media,
        lambda: virus_scanner(settings),
        lambda: engines(settings),
        lambda: database(settings),
        lambda: redis(settings),
        lambda: mail(settings),
        lambda: relay(settings),
        lambda: pages(settings),
        versions,
    ]
