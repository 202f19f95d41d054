"""Lets an attempt take the results of what its models work on before it is handed to another dispatcher.

The dispatcher leaves a note for the attempt. From then on the attempt sends its models nothing new. Once they have
answered, it writes into the note how many values it has yielded: the dispatcher reads as many and stores them, and the
next attempt resumes after them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TypeVar

import structlog
from ray.exceptions import RayError

from cluster.ray import notes
from serve.core.sending import SENDING

log = structlog.get_logger(__name__)

ASKED = "asked"
LOOK_EVERY_S = 0.5
SETTLE_S = 0.5
"""From the last answer of a model to the value that the flow makes of it."""

T = TypeVar("T")


def drain_note(job_id: str, fence: int) -> str:
    return f"drain/{job_id}/{fence}"


def drains_on_request(values: Iterator[T], job_id: str, fence: int) -> Iterator[T]:
    """The values of an attempt in a worker of Ray, which runs one at a time."""
    SENDING.resume()
    watch = _DrainWatch(drain_note(job_id, fence))
    threading.Thread(target=watch.run, name="drain-watch", daemon=True).start()
    try:
        for value in values:
            watch.yielded += 1
            yield value
    finally:
        watch.ended.set()


class _DrainWatch:
    def __init__(self, note: str) -> None:
        self.ended = threading.Event()
        self.yielded = 0
        self._note = note

    def run(self) -> None:
        try:
            while not self.ended.wait(LOOK_EVERY_S):
                if not SENDING.is_paused and notes.read(self._note) == ASKED:
                    SENDING.pause()
                if SENDING.is_quiet():
                    self.ended.wait(SETTLE_S)
                    notes.leave(self._note, str(self.yielded))
                    return
        except RayError as error:
            # Without the cluster the attempt ends too.
            log.info("drain.not_watched", error=type(error).__name__)
