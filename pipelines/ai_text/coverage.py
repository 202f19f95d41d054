"""How much of the speech stands behind a text, by minutes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pipelines.messages.minutes import TextLine

MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Coverage:
    """Milliseconds of speech: of the minutes in which a cited line begins, and of all minutes."""

    covered_ms: int
    total_ms: int


def coverage(lines: Sequence[TextLine], cited: Collection[str]) -> Coverage:
    """`cited` are ids of lines that a supported sentence cites."""
    minutes = {line.start_ms // MINUTE_MS for line in lines if line.id in cited}
    spoken = [(line.start_ms // MINUTE_MS, line.end_ms - line.start_ms) for line in lines]
    return Coverage(
        sum(duration for minute, duration in spoken if minute in minutes), sum(duration for _, duration in spoken)
    )
