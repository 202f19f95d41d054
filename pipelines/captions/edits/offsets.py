"""Move all lines by an offset. Only times move, so only times are needed."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.captions.edits.edit import EditRefused
from pipelines.captions.limits import TIME_MS_MAX
from pipelines.captions.timestamps import format_time
from pipelines.messages.caption_rules import EXTEND_GAP_MS


def check_shift(first_start_ms: int, last_end_ms: int, offset_ms: int) -> None:
    """Raises `EditRefused` when the first or last line would move out of range."""
    if first_start_ms + offset_ms < 0:
        raise EditRefused(
            f"The first line starts at {format_time(first_start_ms)}: no line can be moved back by more than that."
        )
    if last_end_ms + offset_ms > TIME_MS_MAX:
        raise EditRefused(f"A caption cannot be later than {format_time(TIME_MS_MAX)}.")


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
