"""What people see of the commands: one console for results, one for sentences about what went wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.markup import escape

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def printable(text: str) -> str:
    """Text of a log line, of which strangers write parts, without what a terminal would obey."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def fail(sentence: str, code: int = 1) -> typer.Exit:
    """Print the sentence; raise what this returns."""
    err.print(f"[bold red]{escape(sentence)}[/]", soft_wrap=True)
    return typer.Exit(code)


@contextmanager
def sentences(*expected: type[Exception]) -> Iterator[None]:
    """Turn errors whose text is a sentence for people into that sentence and exit code 1."""
    try:
        yield
    except expected as error:
        raise fail(str(error)) from None
