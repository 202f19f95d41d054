"""Lines after a Shift or an Extend, or before it, for views of earlier versions. The database moves rows by itself."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipelines.messages.lines import CaptionLine


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
