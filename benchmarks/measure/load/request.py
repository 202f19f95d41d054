"""One request of a measurement, from the moment it was due to its answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Ending(StrEnum):
    """How a request ended."""

    DONE = "done"
    REFUSED = "refused"
    """The server had no room, and the caller did not or could no longer wait."""
    FAILED = "failed"
    UNFINISHED = "unfinished"
    """No answer when the measurement ended."""


@dataclass(frozen=True, slots=True)
class Request:
    """Times are seconds after the start of the run. `refusals` counts answers that asked to come back later."""

    due_s: float
    sent_s: float
    ended_s: float
    audio_s: float
    ending: Ending
    refusals: int = 0
    problem: str = ""

    @property
    def latency_s(self) -> float:
        """From the moment it was due, so that a late caller does not hide a slow server; infinite without an answer."""
        return float("inf") if self.ending is Ending.UNFINISHED else self.ended_s - self.due_s

    @property
    def late_s(self) -> float:
        """How much later than due the caller sent it: the caller's own fault."""
        return self.sent_s - self.due_s
