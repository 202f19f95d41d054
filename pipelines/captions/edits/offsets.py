"""Move all lines by an offset: check it, compute the new ends, and lines of earlier versions after or before a move.

The database moves rows by itself, so checks need only times.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cluster.wording.message import Message
from pipelines.captions.edits.edit import EditRefused
from pipelines.captions.limits import TIME_MS_MAX
from pipelines.captions.timestamps import format_time
from pipelines.messages.caption_rules import EXTEND_GAP_MS
from pipelines.messages.lines import CaptionLine


def check_shift(first_start_ms: int, last_end_ms: int, offset_ms: int) -> None:
    """Raises `EditRefused` when the first or last line would move out of range."""
    if first_start_ms + offset_ms < 0:
        raise EditRefused(
            Message(
                "pipelines.captions.shift.too_early",
                "The first line starts at {time}: no line can be moved back by more than that.",
                time=format_time(first_start_ms),
            )
        )
    if last_end_ms + offset_ms > TIME_MS_MAX:
        raise EditRefused(
            Message(
                "pipelines.captions.shift.too_late",
                "A caption cannot be later than {time}.",
                time=format_time(TIME_MS_MAX),
            )
        )


def extended(spans: Sequence[tuple[int, int]], offset_ms: int) -> list[int]:
    """The new end of each (start, end), in time order, moved by the offset as far as there is room.

    At least 0.1 s stays free before the next line, and each line keeps at least 0.1 s.
    """
    ends: list[int] = []
    for index, (start, end) in enumerate(spans):
        limit = spans[index + 1][0] - EXTEND_GAP_MS if index + 1 < len(spans) else TIME_MS_MAX
        if offset_ms > 0:
            ends.append(max(end, min(end + offset_ms, limit)))
        else:
            ends.append(min(end, max(end + offset_ms, start + EXTEND_GAP_MS)))
    return ends


def moved(lines: Sequence[CaptionLine], moves: Mapping[str, Any], *, back: bool = False) -> list[CaptionLine]:
    """The lines with other times. `moves` is `{"shift_ms": offset}` or `{"ends": {hexadecimal line id: ms}}`.

    A Shift moves words too; ends that move leave the words where they are.
    """
    sign = -1 if back else 1
    if "shift_ms" in moves:
        return [_shifted(line, sign * int(moves["shift_ms"])) for line in lines]
    ends = moves["ends"]
    return [
        replace(line, end_ms=line.end_ms + sign * by) if (by := ends.get(uuid.UUID(line.id).hex, 0)) else line
        for line in lines
    ]


def _shifted(line: CaptionLine, by: int) -> CaptionLine:
    words = tuple(replace(word, start_ms=word.start_ms + by, end_ms=word.end_ms + by) for word in line.words)
    return replace(line, start_ms=line.start_ms + by, end_ms=line.end_ms + by, words=words)
