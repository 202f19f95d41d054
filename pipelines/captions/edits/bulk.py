"""Many changes of captions as one edit: lines rewritten, moved, added and removed together.

Only the final state counts, so the order of the entries does not matter and lines may pass through each other's old
places. The editor applies the same rules at once (`ui/src/domain/captions/model/bulk.ts`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from cluster.wording.message import Message, Wording
from pipelines.captions.edits.edit import BACKWARDS, OUTSIDE_CLOCK, EditRefused, EditResult, retimed
from pipelines.captions.edits.realign import pairs_of, realign
from pipelines.captions.lanes import by_lane, in_time
from pipelines.captions.limits import COMPARED_PAIRS_MAX, IMPORT_PAIRS_MAX, TIME_MS_MAX
from pipelines.captions.spoken_by import words_spoken_by
from pipelines.captions.texts.text import clean_text, without_space, word_units
from pipelines.captions.texts.word_times import spread_text
from pipelines.captions.timestamps import format_time
from pipelines.messages.lines import CaptionLine, CaptionWord, LinePlace, Origin, WordStyle

GONE = Message(
    "pipelines.captions.gone",
    "One of these lines is no longer there. Somebody may have deleted or merged it. Nothing was changed.",
)
TWICE = Message("pipelines.captions.twice", "A line can be named only once in a change of many lines.")
STYLES = Message("pipelines.captions.styles", "The styles do not fit the words of the line, so nothing was changed.")
LOCKED = Wording("pipelines.captions.locked", "The line at {time} is locked, so nothing was changed. Unlock it first.")
OVERLAP = Wording(
    "pipelines.captions.overlap", "The line at {time} would overlap the line after it, so nothing was changed."
)


@dataclass(frozen=True, slots=True)
class LineChange:
    """New text, times in milliseconds, place, look and flags of one line. None leaves a value as it is.

    `place` counts only with `sets_place`, because None is a place too: the bottom centre. `styles` has those of each
    word, after the new text if there is one.
    """

    line: str
    content: str | None = None
    start_ms: int | None = None
    end_ms: int | None = None
    place: LinePlace | None = None
    sets_place: bool = False
    styles: Sequence[frozenset[WordStyle]] | None = None
    locked: bool | None = None
    forced: bool | None = None

    @property
    def is_lock_only(self) -> bool:
        values = (self.content, self.start_ms, self.end_ms, self.styles, self.forced)
        return not self.sets_place and all(value is None for value in values)


@dataclass(frozen=True, slots=True)
class AddedLine:
    """A new line; `id` must be new. A `place` of None is the bottom centre."""

    id: str
    start_ms: int
    end_ms: int
    content: str = ""
    place: LinePlace | None = None


@dataclass(frozen=True, slots=True)
class BulkChange:
    """What changes. With `with_words`, words move and stretch with their lines, as in a Shift."""

    changes: Sequence[LineChange] = ()
    added: Sequence[AddedLine] = ()
    removed: Sequence[str] = ()
    with_words: bool = False


def change_lines(lines: Sequence[CaptionLine], change: BulkChange) -> EditResult:
    """All changes as one edit. Raises `EditRefused` when lines of a lane would overlap or a line is missing.

    `lines` are in time order and hold all that are named, and every line that the named ones could overlap. Words
    keep their times: where the changed lines hold the same words in the same order after the change as before it, each
    word goes with its time to the line that now has it; otherwise each line is aligned for itself.
    """
    by_id = {line.id: line for line in lines}
    named = [each.line for each in change.changes] + list(change.removed) + [each.id for each in change.added]
    if len(set(named)) < len(named):
        raise EditRefused(TWICE)
    if any(each.line not in by_id for each in change.changes) or any(each not in by_id for each in change.removed):
        raise EditRefused(GONE)
    if any(each.id in by_id for each in change.added):
        raise EditRefused(TWICE)
    before = [by_id[each.line] for each in change.changes] + [by_id[each] for each in change.removed]
    _check_unlocked(by_id, change)
    timed = {each.line: _timed(by_id[each.line], each, change.with_words) for each in change.changes}
    texts = {each.line: clean_text(each.content) for each in change.changes if each.content is not None}
    for new in change.added:
        timed[new.id] = CaptionLine(new.id, new.start_ms, new.end_ms, "", place=new.place)
        texts[new.id] = clean_text(new.content)
    _check(lines, change.removed, timed)
    after = _write_texts(before, timed, texts)
    after |= {each.line: _looking(after[each.line], each) for each in change.changes}
    same = {line for line in before if after.get(line.id) == line}
    return EditResult(
        tuple(sorted((line for line in before if line not in same), key=in_time)),
        tuple(sorted((line for line in after.values() if line not in same), key=in_time)),
    )


def _check_unlocked(by_id: Mapping[str, CaptionLine], change: BulkChange) -> None:
    """A locked line can only be unlocked, or changed by what also unlocks it."""
    touched = [each.line for each in change.changes if each.locked is not False and not each.is_lock_only]
    for line_id in [*touched, *change.removed]:
        if by_id[line_id].locked:
            raise EditRefused(LOCKED(time=format_time(by_id[line_id].start_ms)))


def _looking(line: CaptionLine, change: LineChange) -> CaptionLine:
    """The line with the flags and the styles that the change names."""
    if change.locked is not None:
        line = replace(line, locked=change.locked)
    if change.forced is not None:
        line = replace(line, forced=change.forced)
    if change.styles is None:
        return line
    if len(change.styles) != len(line.words):
        raise EditRefused(STYLES)
    words = (replace(word, styles=styles) for word, styles in zip(line.words, change.styles, strict=True))
    return replace(line, words=tuple(words))


def _timed(line: CaptionLine, change: LineChange, with_words: bool) -> CaptionLine:
    """The line with the times and the place that the change names."""
    if change.sets_place:
        line = replace(line, place=change.place)
    start = line.start_ms if change.start_ms is None else change.start_ms
    end = line.end_ms if change.end_ms is None else change.end_ms
    if (start, end) == (line.start_ms, line.end_ms):
        return line
    if not with_words:
        return retimed(line, start, end)
    words = tuple(
        replace(word, start_ms=_moved(word.start_ms, line, start, end), end_ms=_moved(word.end_ms, line, start, end))
        for word in line.words
    )
    return replace(line, start_ms=start, end_ms=end, words=words)


def _moved(at_ms: int, line: CaptionLine, start: int, end: int) -> int:
    """A time of the line, at the same share of its new span. As floats, because the editor has no other numbers."""
    if end - start == line.duration_ms or line.duration_ms == 0:
        return max(0, at_ms + start - line.start_ms)
    return max(0, start + math.floor(float((at_ms - line.start_ms) * (end - start)) / line.duration_ms))


def _check(lines: Sequence[CaptionLine], removed: Sequence[str], timed: Mapping[str, CaptionLine]) -> None:
    for line in timed.values():
        if line.start_ms < 0 or line.end_ms > TIME_MS_MAX:
            raise EditRefused(OUTSIDE_CLOCK)
        if line.end_ms <= line.start_ms:
            raise EditRefused(BACKWARDS)
    gone = {*removed, *timed}
    after = sorted([line for line in lines if line.id not in gone] + list(timed.values()), key=in_time)
    for row in by_lane(after):
        for left, right in pairwise(row):
            if left.end_ms > right.start_ms and (left.id in timed or right.id in timed):
                raise EditRefused(OVERLAP(time=format_time(left.start_ms)))


def _write_texts(
    before: Sequence[CaptionLine], timed: Mapping[str, CaptionLine], texts: Mapping[str, str]
) -> dict[str, CaptionLine]:
    fresh = {line_id for line_id, text in texts.items() if timed[line_id].text != text}
    flowing = _flowed(before, timed, texts) if fresh else None
    pairs_left = IMPORT_PAIRS_MAX
    after: dict[str, CaptionLine] = {}
    was = {line.id for line in before}
    for line in sorted(timed.values(), key=in_time):
        text = texts.get(line.id, line.text)
        if flowing is not None:
            after[line.id] = replace(flowing[line.id], text=text, doubts=() if line.id in fresh else line.doubts)
        elif line.id not in was:
            after[line.id] = replace(line, text=text, words=spread_text(text, line.start_ms, line.end_ms, Origin.HUMAN))
        elif line.id in fresh:
            allowed = min(COMPARED_PAIRS_MAX, pairs_left)
            pairs_left -= min(allowed, pairs_of(line, text))
            after[line.id] = replace(line, text=text, words=realign(line, text, pairs_max=allowed), doubts=())
        else:
            after[line.id] = line
    return after


def _flowed(
    before: Sequence[CaptionLine], timed: Mapping[str, CaptionLine], texts: Mapping[str, str]
) -> dict[str, CaptionLine] | None:
    """The changed lines with their words, if the same words stand in them in the same order; else None."""
    old = {line.id: line for line in before}
    target = sorted(timed.values(), key=in_time)
    stream: list[tuple[CaptionWord, str | None]] = [
        (word, line.speaker) for line in sorted(before, key=in_time) for word in timed.get(line.id, line).words
    ]
    parts = {line.id: without_space(texts.get(line.id, line.text)) for line in target}
    if "".join(parts[line.id] for line in target) != "".join(without_space(word.text) for word, _ in stream):
        return None
    flowed: dict[str, CaptionLine] = {}
    at = 0
    for line in target:
        speaker = line.speaker
        words: list[CaptionWord] = []
        left = len(parts[line.id])
        while left > 0:
            word, spoken_by = stream[at]
            if not words and line.id not in old:
                speaker = spoken_by
            left -= len(without_space(word.text))
            words.extend(words_spoken_by((word,), spoken_by, speaker))
            at += 1
        units = [unit for word in words for unit in word_units(word.text)]
        if left < 0 or units != word_units(texts.get(line.id, line.text)):
            return None
        moved = tuple(words)
        new = replace(line, words=moved, speaker=speaker)
        flowed[line.id] = new if moved == line.words else retimed(new, new.start_ms, new.end_ms)
    return flowed
