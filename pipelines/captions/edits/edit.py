"""Edits of captions, as pure functions.

Each takes lines in time order, without overlap in a lane. The touched lines and their neighbours are enough. It
returns an `EditResult`, the touched lines before and after, which can be saved, shown and undone. Lines of a lane never
overlap after an edit, and a word that the edit does not change keeps its times to the millisecond. An impossible edit
raises `EditRefused` with a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cluster.wording.message import Message
from pipelines.captions.edits.links import joined_links
from pipelines.captions.edits.realign import realign
from pipelines.captions.edits.split_line import split_line
from pipelines.captions.lanes import in_time
from pipelines.captions.limits import LINE_CHARS_MAX, TIME_MS_MAX
from pipelines.captions.spoken_by import words_of_both
from pipelines.captions.texts.dialogue import dialogue, without_dashes
from pipelines.captions.texts.script_breaks import grapheme_start
from pipelines.captions.texts.text import clean_text
from pipelines.captions.texts.word_times import spread, spread_text
from pipelines.messages.caption_rules import CaptionRules
from pipelines.messages.lines import CaptionLine, LinePlace, Origin

BACKWARDS = Message("pipelines.captions.backwards", "A line must end after it starts. Check the two times.")
LOCKED = Message(
    "pipelines.captions.edit_locked", "This line is locked. Unlock it first, from its menu or with its key."
)
OUTSIDE_CLOCK = Message("pipelines.captions.outside_clock", "A caption must lie between 00:00:00,000 and 99:59:59,999.")


class EditRefused(ValueError):
    """An impossible edit. The message is a sentence for the person who tried."""


@dataclass(frozen=True, slots=True)
class EditResult:
    """The lines an edit touched, before and after it. Both are empty when nothing changed."""

    before: tuple[CaptionLine, ...] = ()
    after: tuple[CaptionLine, ...] = ()

    @property
    def changed(self) -> tuple[CaptionLine, ...]:
        """New and changed lines, as they are after the edit."""
        return self.after

    @property
    def removed(self) -> tuple[str, ...]:
        """Ids of the lines that the edit removed."""
        remaining = {line.id for line in self.after}
        return tuple(line.id for line in self.before if line.id not in remaining)

    def undone(self) -> EditResult:
        """The edit that reverses this one."""
        return EditResult(self.after, self.before)


def apply(lines: Sequence[CaptionLine], result: EditResult) -> list[CaptionLine]:
    """All lines after the edit, in time order."""
    touched = {line.id for line in result.before} | {line.id for line in result.after}
    return sorted([line for line in lines if line.id not in touched] + list(result.after), key=in_time)


def edit_line(
    lines: Sequence[CaptionLine],
    line_id: str,
    *,
    text: str | None = None,
    start_ms: int | None = None,
    end_ms: int | None = None,
) -> EditResult:
    """Set a line's text, its times, or both. A time inside a neighbour is moved to the neighbour's edge."""
    old = _find(lines, line_id)
    new = old
    if start_ms is not None or end_ms is not None:
        start = old.start_ms if start_ms is None else start_ms
        end = old.end_ms if end_ms is None else end_ms
        if (start, end) != (old.start_ms, old.end_ms):
            others = [line for line in lines if line.id != line_id and line.lane is old.lane]
            new = retimed(new, *_fitted(others, start, end))
    if text is not None:
        cleaned = clean_text(text)
        if cleaned != old.text:
            new = replace(new, text=cleaned, words=realign(new, cleaned), doubts=())
    if new == old:
        return EditResult()
    _check_unlocked(old)
    return EditResult((old,), (new,))


def split_at(
    lines: Sequence[CaptionLine],
    line_id: str,
    at: int,
    *,
    new_id: str,
    rules: CaptionRules,
    text: str | None = None,
) -> EditResult:
    """Split a line at the caret, `at` characters into its text. The second part is a new line.

    `text` is what the editor shows when it holds unsaved changes. The parts meet at the true times of the words beside
    the caret. A caret inside a word splits the word, one inside a grapheme splits before that grapheme. At the dash of
    a dialogue, dashes that are left alone go.
    """
    old = _find(lines, line_id)
    _check_unlocked(old)
    line = old
    if text is not None:
        at = len(clean_text(text[:at])) + _space_at(text, at)
        edited = edit_line(lines, line_id, text=text)
        line = edited.after[0] if edited.after else old
    at = grapheme_start(line.text, at)
    if not line.text[:at].strip() or not line.text[at:].strip():
        raise EditRefused(
            Message(
                "pipelines.captions.split.outside",
                "A line can be split only inside its text. Put the caret between two words and try again.",
            )
        )
    if len(line.text) > LINE_CHARS_MAX:
        raise EditRefused(
            Message(
                "pipelines.captions.split.too_long",
                "This line has {length:,} characters. Shorten it to {limit:,} before you split it.",
                length=len(line.text),
                limit=LINE_CHARS_MAX,
            )
        )
    if line.duration_ms < 2:
        raise EditRefused(
            Message(
                "pipelines.captions.split.too_short",
                "This line is too short to be split. Make it longer and try again.",
            )
        )
    undashed, at = without_dashes(line.text, at)
    if undashed != line.text:
        line = replace(line, text=undashed, words=realign(line, undashed), doubts=())
    return EditResult((old,), split_line(line, at, new_id, rules))


def merge(
    lines: Sequence[CaptionLine], line_id: str, with_id: str | None = None, *, mark: str | None = None
) -> EditResult:
    """Join a line with the one beside it in its lane, the next one when `with_id` is None. Words keep their times.

    Texts are joined by a space. With the `mark` of a dialogue each becomes a row that begins with it, unless one is
    empty or has dashes already.
    """
    first = _find(lines, line_id)
    second = None if with_id is None else _find(lines, with_id)
    if second is not None and second.lane is not first.lane:
        raise EditRefused(
            Message(
                "pipelines.captions.merge.other_lane",
                "These lines stand in different parts of the picture. Only lines of one part can be merged.",
            )
        )
    row = [line for line in lines if line.lane is first.lane]
    index = row.index(first)
    other = index + 1 if second is None else row.index(second)
    if abs(other - index) != 1 or other >= len(row):
        raise EditRefused(
            Message("pipelines.captions.merge.no_next", "There is no next line to merge with.")
            if with_id is None
            else Message("pipelines.captions.merge.not_beside", "Only lines beside each other can be merged.")
        )
    left, right = row[min(index, other)], row[max(index, other)]
    _check_unlocked(left)
    _check_unlocked(right)
    text = " ".join(part for part in (left.text, right.text) if part)
    rows = None if mark is None else dialogue(left.text, right.text, mark)
    if len(rows or text) > LINE_CHARS_MAX:
        raise EditRefused(
            Message(
                "pipelines.captions.merge.too_long",
                "These two lines together would be longer than {limit:,} characters.",
                limit=LINE_CHARS_MAX,
            )
        )
    doubts = tuple(dict.fromkeys(left.doubts + right.doubts))
    speaker, words = words_of_both(left, right)
    link = joined_links((left, right))
    place = left.place or right.place
    merged = replace(left, end_ms=right.end_ms, text=text, words=words, doubts=doubts, speaker=speaker, link=link)
    merged = replace(merged, place=place)
    if rows is not None:
        merged = replace(merged, text=rows, words=realign(merged, rows))
    return EditResult((left, right), (merged,))


def delete(lines: Sequence[CaptionLine], line_id: str) -> EditResult:
    """Remove a line."""
    line = _find(lines, line_id)
    _check_unlocked(line)
    return EditResult((line,), ())


def add(
    lines: Sequence[CaptionLine],
    *,
    new_id: str,
    start_ms: int,
    end_ms: int,
    text: str,
    place: LinePlace | None = None,
) -> EditResult:
    """Insert a line. Where it overlaps its neighbours in its lane it is cut at their edges."""
    line = CaptionLine(new_id, start_ms, end_ms, clean_text(text), place=place)
    start, end = _fitted([each for each in lines if each.lane is line.lane], start_ms, end_ms)
    words = spread_text(line.text, start, end, Origin.HUMAN)
    return EditResult((), (replace(line, start_ms=start, end_ms=end, words=words),))


def _find(lines: Iterable[CaptionLine], line_id: str) -> CaptionLine:
    for line in lines:
        if line.id == line_id:
            return line
    raise EditRefused(
        Message(
            "pipelines.captions.line_gone",
            "This line is no longer there. Somebody may have deleted or merged it.",
        )
    )


def _check_unlocked(line: CaptionLine) -> None:
    if line.locked:
        raise EditRefused(LOCKED)


def _space_at(text: str, at: int) -> int:
    """1 when the caret follows white space that cleaning keeps, so that the caret stays behind it."""
    behind = text[:at]
    return int(bool(behind.strip()) and behind[-1:].isspace() and bool(text[at:].strip()))


def _fitted(others: Sequence[CaptionLine], start_ms: int, end_ms: int) -> tuple[int, int]:
    """The span, cut at the edges of the lines it overlaps."""
    if start_ms < 0 or end_ms > TIME_MS_MAX:
        raise EditRefused(OUTSIDE_CLOCK)
    if end_ms <= start_ms:
        raise EditRefused(BACKWARDS)
    start, end = start_ms, end_ms
    for line in others:
        if line.start_ms <= start_ms < line.end_ms:
            start = max(start, line.end_ms)
        elif start_ms < line.start_ms < end_ms:
            end = min(end, line.start_ms)
    if end <= start:
        raise EditRefused(
            Message(
                "pipelines.captions.time_taken",
                "There is another line at that time. Choose a free place or move the other line first.",
            )
        )
    return start, end


def retimed(line: CaptionLine, start_ms: int, end_ms: int) -> CaptionLine:
    """The line with new edges. Words stay with the sound. If none was measured, they follow the line instead."""
    words = line.words
    if not any(word.is_measured for word in words):
        moved = spread([word.text for word in words], start_ms, end_ms, Origin.HUMAN)
        words = tuple(
            replace(word, start_ms=place.start_ms, end_ms=place.end_ms)
            for word, place in zip(words, moved, strict=True)
        )
    return replace(line, start_ms=start_ms, end_ms=end_ms, words=words)
