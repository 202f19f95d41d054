"""Which part of what was said a text refers to, minute by minute. Times are in milliseconds."""

from __future__ import annotations

from collections.abc import Iterable

MINUTE_MS = 60_000

Span = tuple[int, int]


def speech_by_minute(lines: Iterable[Span]) -> tuple[int, ...]:
    """How much of each minute lies within a line; lines that overlap count once. Empty without lines."""
    minutes: list[int] = []
    for start_ms, end_ms in _merged(lines):
        minutes.extend([0] * ((end_ms - 1) // MINUTE_MS + 1 - len(minutes)))
        for minute in range(start_ms // MINUTE_MS, (end_ms - 1) // MINUTE_MS + 1):
            minutes[minute] += min(end_ms, (minute + 1) * MINUTE_MS) - max(start_ms, minute * MINUTE_MS)
    return tuple(minutes)


def cited_by_minute(cited: Iterable[Span], minutes: int) -> tuple[int, ...]:
    """The same for the cited lines, for as many minutes as there are."""
    counted = speech_by_minute(cited)[:minutes]
    return counted + (0,) * (minutes - len(counted))


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start_ms, end_ms in sorted(span for span in spans if span[0] < span[1]):
        if merged and start_ms <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end_ms))
        else:
            merged.append((start_ms, end_ms))
    return merged
