"""How much of the speech stands behind a text, minute by minute. A line counts for the minute in which it begins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pipelines.ai_text.coverage import MINUTE_MS

Span = tuple[int, int]
"""Start and end in milliseconds."""


def speech_by_minute(lines: Iterable[Span]) -> tuple[int, ...]:
    """Milliseconds of speech in each minute up to the last one with a line."""
    minutes: list[int] = []
    for start_ms, end_ms in lines:
        minute = start_ms // MINUTE_MS
        minutes.extend([0] * (minute + 1 - len(minutes)))
        minutes[minute] += end_ms - start_ms
    return tuple(minutes)


def cited_by_minute(cited: Iterable[Span], minutes: int) -> tuple[int, ...]:
    """The same for the cited lines, for as many minutes as there are."""
    counted = speech_by_minute(cited)[:minutes]
    return counted + (0,) * (minutes - len(counted))


def covered_ms(speech_ms: Sequence[int], cited_ms: Sequence[int]) -> int:
    """The speech of all minutes with at least one cited line."""
    return sum(speech for speech, cited in zip(speech_ms, cited_ms, strict=True) if cited)
