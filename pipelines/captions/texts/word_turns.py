"""When each word of a line has its turn, for captions that follow the voice."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from pipelines.messages.caption_style import Karaoke
from pipelines.messages.lines import CaptionLine

_STEP_MS = 10
"""ASS has hundredths of a second: a shorter turn would not be drawn."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A span of a line in which one word is spoken; `word` is None before the first one, and where nothing follows."""

    start_ms: int
    end_ms: int
    word: int | None


def turns_of(line: CaptionLine, karaoke: Karaoke) -> list[Turn]:
    """The turns of a line, which fill its time without a gap. A word keeps its turn until the next word begins."""
    if karaoke is Karaoke.NONE or not line.words:
        return [Turn(line.start_ms, line.end_ms, None)]
    turns: list[Turn] = []
    begin: list[tuple[int, int | None]] = [(line.start_ms, None)]
    for index, word in enumerate(line.words):
        at = max(begin[-1][0], min(word.start_ms, line.end_ms))
        begin.append((max(begin[-1][0], at - at % _STEP_MS), index))
    begin.append((line.end_ms, None))
    for (start, word_now), (end, _) in pairwise(begin):
        if end - start >= _STEP_MS:
            turns.append(Turn(start, end, word_now))
        elif turns and word_now is not None and end > start:
            turns[-1] = Turn(turns[-1].start_ms, end, turns[-1].word)
    return turns or [Turn(line.start_ms, line.end_ms, None)]
