"""Restore lines of an earlier version: all of them, or only some between lines that stay."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from cluster.wording.message import Message
from pipelines.captions.edits.edit import EditRefused, EditResult
from pipelines.captions.lanes import by_lane
from pipelines.messages.lines import CaptionLine

NO_ROOM = Message(
    "pipelines.captions.no_room",
    "There is no room for this line any more: other lines take its time. Restore them too, or the whole version.",
)
SAME = Message("pipelines.captions.same", "These lines are as they were in that version already.")


def restored(
    now: Sequence[CaptionLine], then: Sequence[CaptionLine], only: Collection[str] | None = None
) -> EditResult:
    """The change from `now` to `then`, both in time order. With `only`, the ids of lines to restore.

    Lines that stay keep their times, so a restored line ends where the next one starts. A line of `only` that `then`
    does not have is removed. Raises `EditRefused` when a line has no room, or nothing would change.
    """
    old = {line.id: line for line in then}
    if only is None:
        after: list[CaptionLine] = list(then)
    else:
        chosen = set(only)
        kept = [line for line in now if line.id not in chosen]
        after = sorted([*kept, *_fitted([old[key] for key in chosen if key in old], kept)], key=_start)
    present = {line.id: line for line in now}
    wanted = {line.id: line for line in after}
    before = tuple(line for line in now if wanted.get(line.id) != line)
    changed = tuple(line for line in after if present.get(line.id) != line)
    if not before and not changed:
        raise EditRefused(SAME)
    return EditResult(before, changed)


def _start(line: CaptionLine) -> int:
    return line.start_ms


def _fitted(lines: Sequence[CaptionLine], kept: Sequence[CaptionLine]) -> list[CaptionLine]:
    """The lines cut at those of their lane that stay."""
    fitted = []
    for lane in by_lane(lines):
        fitted += _fitted_in_lane(lane, [line for line in kept if line.lane is lane[0].lane])
    return fitted


def _fitted_in_lane(lines: Sequence[CaptionLine], kept: Sequence[CaptionLine]) -> list[CaptionLine]:
    """Both are few or in time order, so one pass is enough."""
    fitted = []
    starts = sorted(kept, key=_start)
    index = 0
    for line in sorted(lines, key=_start):
        start, end = line.start_ms, line.end_ms
        while index < len(starts) and starts[index].end_ms <= start:
            index += 1
        for other in starts[index:]:
            if other.start_ms >= end:
                break
            if other.start_ms <= start:
                start = other.end_ms
            else:
                end = other.start_ms
                break
        if end <= start:
            raise EditRefused(NO_ROOM)
        fitted.append(
            line if (start, end) == (line.start_ms, line.end_ms) else replace(line, start_ms=start, end_ms=end)
        )
    return fitted
