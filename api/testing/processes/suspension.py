"""Holds work where it is: suspends processes of an installation, also those that start in the meantime."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cluster.processes import command_line
from cluster.testing.processes import descendants

LOOK_EVERY_S = 0.02

Wanted = Callable[[list[str]], bool]
"""Whether a process is meant, by its program and arguments."""


def is_transcriber(command: list[str]) -> bool:
    return "".join(command[:1]).startswith("ray::ServeReplica:transcription:")


def is_ffmpeg(command: list[str]) -> bool:
    """ffmpeg itself, or our launcher that is about to become it."""
    return any(Path(word).name == "ffmpeg" for word in command)


def processes_below(parent: int, wanted: Wanted) -> list[int]:
    """Those that `parent` and its children started."""
    try:
        return [pid for pid in descendants(parent) if wanted(command_line(pid))]
    except OSError:
        return []  # A process ended under our eyes; the next look finds the others.


@contextmanager
def suspended(parent: int, wanted: Wanted) -> Iterator[None]:
    """Suspend these processes, and later ones such as the replica that Serve starts for one that does not answer.

    All continue when the block ends.
    """
    stopped: set[int] = set()
    over = threading.Event()

    def look() -> None:
        for pid in set(processes_below(parent, wanted)) - stopped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
                stopped.add(pid)

    def watch() -> None:
        while not over.wait(LOOK_EVERY_S):
            look()

    look()
    watcher = threading.Thread(target=watch, name="suspension")
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        for pid in stopped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
