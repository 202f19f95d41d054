"""`python -m benchmarks NAME`: measurements of the product, each against its goal."""

from __future__ import annotations

import sys
from importlib import import_module

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.commands import COMMANDS


def run(arguments: list[str]) -> None:
    """Run the command that the first argument names, or list them all."""
    name = arguments[0] if arguments else "--help"
    if name not in COMMANDS:
        _list_commands()
        sys.exit(0 if name in {"--help", "-h"} else 2)
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command(help=COMMANDS[name].about)(import_module(COMMANDS[name].module).command)
    app(args=arguments[1:], prog_name=f"python -m benchmarks {name}")


def _list_commands() -> None:
    table = Table("command", "measures", title="python -m benchmarks NAME [--help]")
    for name, command in sorted(COMMANDS.items()):
        table.add_row(name, command.about)
    Console().print(table)


if __name__ == "__main__":
    run(sys.argv[1:])
