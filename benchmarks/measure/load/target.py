"""What is measured: something that transcribes a clip or refuses it."""

from __future__ import annotations

from typing import Protocol

from benchmarks.measure.load.clips import Clip


class Refused(Exception):
    """No room now. `retry_after_s` is when to come back, or None where the server does not say."""

    def __init__(self, problem: str, retry_after_s: float | None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.retry_after_s = retry_after_s


class Failed(Exception):
    """The request failed for a reason that waiting does not cure; the message names it in a few words."""


class Target(Protocol):
    async def transcribe(self, clip: Clip, number: int) -> None:
        """Send request `number` and wait for its text. Raises Refused and Failed."""
        ...
