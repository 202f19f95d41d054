"""`sagascript cluster`: what is wrong with a cluster of several machines."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Annotated

import typer

from api.edges.cli.console import err, out
from api.edges.cli.settings import settings_with
from api.edges.cli.upkeep.checks import database, redis
from api.edges.cli.upkeep.doctor import print_checks
from api.platform.settings import ApiSettings
from cluster.doctor import Check, can_work, run_checks

app = typer.Typer(help="Look after a cluster.", no_args_is_help=True)


@app.callback()
def about() -> None:
    """Look after a cluster."""


@app.command("check")
def check(
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON, for programs.")] = False,
) -> None:
    """Ask every node, and say what is wrong and what to do. Exits with 1 if files cannot be worked on.

    Run it where a process of the control plane runs, such as beside a dispatcher.
    """
    # A check that is told to end must take its probe out of the bucket.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    found = run_checks(_checks(settings_with()))
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in found]))
        raise typer.Exit(0 if can_work(found) else 1)
    print_checks(found)
    if not can_work(found):
        out.print("\n[bold red]This cluster cannot work on files. Put right what is missing first.[/]")
        raise typer.Exit(1)
    out.print("\nThis cluster can work on files.")


def _progress(sentence: str) -> None:
    err.print(sentence, style="dim", markup=False, highlight=False, soft_wrap=True)


def _checks(settings: ApiSettings) -> list[Callable[[], Check | Iterable[Check]]]:
    from cluster.check.cluster import check_ray
    from serve.check import check_applications, check_room

    def models() -> Iterable[Check]:
        import ray

        # Without a cluster the first finding says so.
        if ray.is_initialized():
            yield from check_room(settings.profile)
            yield from check_applications()

    def nodes() -> Iterable[Check]:
        yield from check_ray(settings, say=_progress)

    return [nodes, models, lambda: database(settings), lambda: redis(settings)]
