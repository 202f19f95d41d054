"""Words whose times nobody measured, and the room in which they are spoken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pipelines.messages.lines import CaptionWord


@dataclass(frozen=True, slots=True)
class UnmeasuredRun:
    """Words from `start` up to `stop`, which are spoken between the two times."""

    start: int
    stop: int
    from_ms: int
    to_ms: int


def unmeasured_runs(words: Sequence[CaptionWord], from_ms: int, to_ms: int) -> Iterator[UnmeasuredRun]:
    """The runs of a line that may be spoken between these times. A measured word on either side bounds a run."""
    start = 0
    while start < len(words):
        if words[start].is_measured:
            start += 1
            continue
        stop = next((index for index in range(start, len(words)) if words[index].is_measured), len(words))
        before = words[start - 1].end_ms if start else from_ms
        after = words[stop].start_ms if stop < len(words) else to_ms
        if after > before:
            yield UnmeasuredRun(start, stop, before, after)
        start = stop


def with_times(
    words: Sequence[CaptionWord], run: UnmeasuredRun, times: Sequence[tuple[int, int]], confidence: float
) -> tuple[CaptionWord, ...]:
    """The words with measured times for those of the run, inside its room. The others stay as they are."""
    timed = [
        replace(
            word,
            start_ms=min(max(start, run.from_ms), run.to_ms),
            end_ms=min(max(end, run.from_ms), run.to_ms),
            confidence=confidence,
        )
        for word, (start, end) in zip(words[run.start : run.stop], times, strict=True)
    ]
    return (*words[: run.start], *timed, *words[run.stop :])
