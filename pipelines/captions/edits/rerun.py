"""Compare lines with what transcribing them again found: new words by line, and both joined without losing a person's.

A word that a person wrote is locked: the joined text keeps it, and takes new words only where none of its time is.
"""

from __future__ import annotations

import bisect
import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from pipelines.captions.edits.edit import EditResult
from pipelines.captions.json_form import word_from_json
from pipelines.captions.lanes import speech
from pipelines.captions.line_builder import lines_from_words
from pipelines.captions.texts.break_points import wrap
from pipelines.captions.texts.text import join_words, word_units
from pipelines.messages.caption_rules import DEFAULT_RULES, CaptionRules
from pipelines.messages.lines import CaptionLine, CaptionWord, Origin

Span = tuple[int, int]
"""Start and end in milliseconds."""

NEAR_MS = 700
"""A word this close to a line, and in no other, belongs to it."""
SPAN_MARGIN_MS = 250
"""Sound before and after each part, so that its first and last words are whole."""
SPAN_JOIN_MS = 1_500
"""Parts closer together are one: models need the words before to understand the next."""
_TOLERANCE_MS = 120


class Choice(StrEnum):
    """What to do with a line after a re-run."""

    MINE = "mine"
    """Keep the line as it is."""
    NEW = "new"
    """Take what was found now; where nothing was, the line goes."""
    JOINED = "joined"
    """Take the new words, but keep those that a person wrote."""


@dataclass(frozen=True, slots=True)
class LineProposal:
    """A line as it is (`mine`), as found now, and both joined. `mine` is None for speech that had no line.

    `found` is None where nothing was recognized. `joined` is set where a person wrote words of the line.
    """

    id: str
    mine: CaptionLine | None
    found: CaptionLine | None
    joined: CaptionLine | None = None

    @property
    def start_ms(self) -> int:
        line = self.mine or self.found
        return 0 if line is None else line.start_ms

    @property
    def default(self) -> Choice:
        """A line that a person worked on stays, and so does one in which nothing was recognized."""
        return Choice.MINE if self.joined is not None or self.found is None else Choice.NEW

    def chosen(self, choice: Choice) -> CaptionLine | None:
        """The line after a choice; None when there is none."""
        if choice is Choice.MINE:
            return self.mine
        return self.found if choice is Choice.NEW or self.joined is None else self.joined


def spans_of(lines: Sequence[CaptionLine]) -> list[Span]:
    """The parts of the sound that these lines cover, in order, close ones joined."""
    spans: list[Span] = []
    for line in sorted(lines, key=lambda line: line.start_ms):
        if spans and line.start_ms - spans[-1][1] <= SPAN_JOIN_MS:
            spans[-1] = (spans[-1][0], max(spans[-1][1], line.end_ms))
        else:
            spans.append((line.start_ms, line.end_ms))
    return spans


def proposals_of(lines: Sequence[CaptionLine], words: Sequence[Any], spans: Sequence[Span]) -> list[LineProposal]:
    """The proposals by the usual rules. `words` are JSON values; without spans, the whole file was transcribed."""
    read = [word_from_json(value) for value in words]
    end = max([*(line.end_ms for line in lines), *(word.end_ms for word in read)], default=0)
    return proposals(lines, read, spans or [(0, end)], DEFAULT_RULES)


def chosen_change(proposed: Sequence[LineProposal], choices: Mapping[str, Choice]) -> EditResult:
    """What was chosen, by the ids of the proposals. Without a choice, and where it is locked, a line stays."""
    before: list[CaptionLine] = []
    after: list[CaptionLine] = []
    for each in proposed:
        line = each.chosen(choices.get(each.id, Choice.MINE))
        if line == each.mine or (each.mine is not None and each.mine.locked):
            continue
        if each.mine is not None:
            before.append(each.mine)
        if line is not None:
            after.append(line if each.mine is not None else replace(line, id=str(uuid.uuid4())))
    return EditResult(tuple(before), tuple(after))


def proposals(
    lines: Sequence[CaptionLine], words: Sequence[CaptionWord], spans: Sequence[Span], rules: CaptionRules
) -> list[LineProposal]:
    """What the re-run of `spans` would change, in time order; lines that would stay the same are left out, and signs.

    `lines` are all lines of the track in time order. New lines, for speech that had none, get ids `new-1`, `new-2`.
    """
    ordered = sorted((word for word in words if _within(_middle(word), spans, _TOLERANCE_MS)), key=_middle)
    spoken = speech(lines)
    by_line, loose = _assigned(spoken, ordered)
    found: list[LineProposal] = []
    for line in spoken:
        if not _within((line.start_ms + line.end_ms) // 2, spans, 0):
            continue
        proposal = _proposal(line, by_line.get(line.id, []), rules)
        if proposal is not None:
            found.append(proposal)
    fresh = [line for line in lines_from_words(loose, rules) if (line.end_ms - line.start_ms) > 0]
    placed = [each for line in fresh if (each := _between(line, spoken)) is not None]
    found += [
        LineProposal(f"new-{number}", None, replace(line, id=f"new-{number}")) for number, line in enumerate(placed, 1)
    ]
    return sorted(found, key=lambda each: each.start_ms)


def _proposal(line: CaptionLine, words: list[CaptionWord], rules: CaptionRules) -> LineProposal | None:
    locked = [word for word in line.words if word.origin is not Origin.ASR]
    if not words:
        return LineProposal(line.id, line, None, line if locked else None) if line.text else None
    found = _with_words(line, words, rules)
    if _same(found.text, line.text):
        return None
    if not locked:
        return LineProposal(line.id, line, found)
    free = [word for word in words if not any(each.start_ms <= _middle(word) < each.end_ms for each in locked)]
    joined = _with_words(line, sorted([*locked, *free], key=lambda word: word.start_ms), rules)
    return LineProposal(line.id, line, found, line if _same(joined.text, line.text) else joined)


def _with_words(line: CaptionLine, words: Sequence[CaptionWord], rules: CaptionRules) -> CaptionLine:
    texts = [word.text for word in words]
    rows = wrap(texts, rules.max_row, rules.max_rows)
    return replace(line, text="\n".join(rows) if rows else join_words(texts), words=tuple(words), doubts=())


def _assigned(
    lines: Sequence[CaptionLine], words: Sequence[CaptionWord]
) -> tuple[dict[str, list[CaptionWord]], list[CaptionWord]]:
    """The words of each line by its id, and the words that no line is near."""
    by_line: dict[str, list[CaptionWord]] = defaultdict(list)
    loose: list[CaptionWord] = []
    starts = [line.start_ms for line in lines]
    for word in words:
        middle = _middle(word)
        at = bisect.bisect_right(starts, middle) - 1
        near = [lines[index] for index in (at, at + 1) if 0 <= index < len(lines)]
        best = min(near, key=lambda line: _distance(line, middle), default=None)
        if best is not None and _distance(best, middle) <= NEAR_MS:
            by_line[best.id].append(word)
        else:
            loose.append(word)
    return by_line, loose


def _between(line: CaptionLine, lines: Sequence[CaptionLine]) -> CaptionLine | None:
    """A new line in the free time that it begins in; None without any."""
    at = bisect.bisect_right([each.start_ms for each in lines], line.start_ms)
    start = max(line.start_ms, lines[at - 1].end_ms if at else 0)
    end = min(line.end_ms, lines[at].start_ms if at < len(lines) else line.end_ms)
    return replace(line, start_ms=start, end_ms=end) if end > start else None


def _middle(word: CaptionWord) -> int:
    return (word.start_ms + word.end_ms) // 2


def _distance(line: CaptionLine, at: int) -> int:
    return max(line.start_ms - at, at - line.end_ms, 0)


def _within(at: int, spans: Sequence[Span], margin: int) -> bool:
    index = bisect.bisect_right(spans, at + margin, key=lambda span: span[0]) - 1
    return index >= 0 and at <= spans[index][1] + margin


def _same(one: str, other: str) -> bool:
    """Whether two texts differ by their rows at most."""
    return word_units(one) == word_units(other)
