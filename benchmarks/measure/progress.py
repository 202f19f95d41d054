"""Progress on the terminal: a bar with the remaining time, or a line now and then where output goes to a file."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

LINE_EVERY_S = 30.0

Advance = Callable[[str], None]
"""Call it after each step, with what was done."""


@contextmanager
def progress(title: str, steps: int) -> Iterator[Advance]:
    """Show the way through `steps` on standard error."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines(title, steps)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("[dim]{task.fields[step]}"),
    )
    with Progress(*columns, console=console, transient=False) as bar:
        task = bar.add_task(title, total=steps, step="")

        def advance(step: str) -> None:
            bar.update(task, advance=1, step=step if len(step) <= 40 else f"…{step[-39:]}")

        yield advance


def _lines(title: str, steps: int) -> Advance:
    done = 0
    shown = time.monotonic()

    def advance(step: str) -> None:
        nonlocal done, shown
        done += 1
        if done == steps or time.monotonic() - shown >= LINE_EVERY_S:
            shown = time.monotonic()
            sys.stderr.write(f"{title}: {done} of {steps}\n")

    return advance
