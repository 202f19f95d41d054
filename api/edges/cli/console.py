"""The console output of the commands: one console for results, one for problems."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape


class LastingConsole(Console):
    """For a program that goes on when its terminal has gone. The others end then."""

    def print(self, *objects: Any, **options: Any) -> None:
        # Writing to a terminal that has gone is an input/output error. Rich itself handles a closed pipe.
        with suppress(OSError):
            super().print(*objects, **options)

    def on_broken_pipe(self) -> None:
        self.quiet = True
        # What is still buffered would be an error at the end of the program.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.file.fileno())
        os.close(nowhere)


out = Console(highlight=False)
err = Console(stderr=True, highlight=False)
lasting_out = LastingConsole(highlight=False)
lasting_err = LastingConsole(stderr=True, highlight=False)


def printable(text: str) -> str:
    """Strip terminal control characters from a log line, parts of which strangers may have written."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def fail(sentence: str, code: int = 1) -> typer.Exit:
    """Print the sentence and return the exception to raise."""
    err.print(f"[bold red]{escape(sentence)}[/]", soft_wrap=True)
    return typer.Exit(code)


@contextmanager
def sentences(*expected: type[Exception]) -> Iterator[None]:
    """Print expected errors as the sentences they carry, and exit with code 1."""
    try:
        yield
    except expected as error:
        raise fail(str(error)) from None
