"""When lines leave the screen: long enough to read, with a gap before the next one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from pipelines.captions.texts.text import visible_length
from pipelines.messages.caption_rules import CaptionRules
from pipelines.messages.lines import CaptionLine


def space_out(lines: Sequence[CaptionLine], rules: CaptionRules) -> list[CaptionLine]:
    """Stretch each line to its reading time where there is room, and keep the gap between lines.

    Starts stay where they are, unless two lines start closer than the gap. Then the second one moves.
    """
    spaced: list[CaptionLine] = []
    earliest = 0
    for index, line in enumerate(lines):
        start = max(line.start_ms, earliest)
        limit = lines[index + 1].start_ms - rules.gap_ms if index + 1 < len(lines) else None
        # Rounded up: a millisecond less would be too fast.
        reading = ceil(visible_length(line.text) * 1000 / rules.warn_speed)
        end = max(line.end_ms, start + max(rules.min_ms, min(reading, rules.max_ms)))
        if limit is not None:
            end = min(end, limit)
        end = max(end, start + 1)
        spaced.append(replace(line, start_ms=start, end_ms=end))
        earliest = end + rules.gap_ms
    return spaced
