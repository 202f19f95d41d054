"""The command line of a package that is run as `python -m PACKAGE NAME`."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from importlib import import_module

import typer
from rich.console import Console
from rich.table import Table

from cluster.testing.report import Report

USAGE = 2
STOPPED = 128 + signal.SIGINT


@dataclass(frozen=True, slots=True)
class Command:
    """`module` has a function `command` with Typer parameters; `about` is its line in `--help`."""

    module: str
    about: str


def run(package: str, commands: Mapping[str, Command], arguments: list[str]) -> None:
    """Run the command that the first argument names, or list them all. Only that command's module is imported."""
    name = arguments[0] if arguments else "--help"
    if name not in commands:
        table = Table("command", "what it does", title=f"python -m {package} NAME [--help]")
        for each, command in sorted(commands.items()):
            table.add_row(each, command.about)
        Console().print(table)
        sys.exit(0 if name in {"--help", "-h"} else USAGE)
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command(help=commands[name].about)(_stoppable(import_module(commands[name].module).command))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    app(args=arguments[1:], prog_name=f"python -m {package} {name}")


def _stoppable(command: Callable[..., None]) -> Callable[..., None]:
    """Ctrl-C ends a command with what its reports have."""

    @wraps(command)
    def run_until_stopped(*args: object, **options: object) -> None:
        try:
            command(*args, **options)
        except KeyboardInterrupt:
            for report in list(Report.open):
                report.stop()
            raise typer.Exit(STOPPED) from None

    return run_until_stopped
