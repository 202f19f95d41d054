"""Times and places of translated lines: they move along with the source's, and no two of a lane overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipelines.captions.edits.edit import EditResult
from pipelines.captions.edits.links import sources_of
from pipelines.captions.lanes import by_lane
from pipelines.captions.texts.word_times import spread_text
from pipelines.messages.lines import CaptionLine, CaptionWord, Origin


def moved_along(
    change: EditResult, linked: Sequence[CaptionLine], followed: Sequence[CaptionLine]
) -> list[CaptionLine]:
    """Edges, places and forced ones that were as in the source stay as there."""
    before = {line.id: line for line in change.before}
    after = {line.id: line for line in change.after}
    old = {line.id: line for line in linked}
    timed = []
    for line in followed:
        was = old.get(line.id)
        if was is None:
            timed.append(line)
            continue
        first, last = before.get(sources_of(was)[0].id), before.get(sources_of(was)[-1].id)
        new_first, new_last = after.get(sources_of(line)[0].id), after.get(sources_of(line)[-1].id)
        start, end = line.start_ms, line.end_ms
        if first and new_first and line.start_ms == first.start_ms:
            start = new_first.start_ms
        if last and new_last and line.end_ms == last.end_ms:
            end = new_last.end_ms
        stays = sources_of(was)[0].id == sources_of(line)[0].id
        if stays and first and new_first and new_last and (end <= new_first.start_ms or start >= new_last.end_ms):
            # A person gave the line times of its own, and the source has moved away from them.
            by = new_first.start_ms - first.start_ms
            start, end = max(0, line.start_ms + by), line.end_ms + by
        if first and new_first and line.place == first.place:
            line = replace(line, place=new_first.place)
        if first and new_first and line.forced == first.forced:
            line = replace(line, forced=new_first.forced)
        timed.append(spanning(line, start, end) if end > start else line)
    return timed


def apart(changed: Sequence[CaptionLine], others: Sequence[CaptionLine]) -> list[CaptionLine] | None:
    """The changed lines, cut where they overlap each other or another line of their lane. None when one has no room."""
    fixed = {line.id for line in others}
    fitted: list[CaptionLine] = []
    for row in by_lane(sorted([*changed, *others], key=lambda line: (line.start_ms, line.end_ms))):
        for index in range(1, len(row)):
            left, right = row[index - 1], row[index]
            if left.end_ms <= right.start_ms:
                continue
            if left.id not in fixed and right.start_ms > left.start_ms:
                row[index - 1] = spanning(left, left.start_ms, right.start_ms)
            elif right.id not in fixed and left.end_ms < right.end_ms:
                row[index] = spanning(right, left.end_ms, right.end_ms)
            else:
                return None
        fitted += [line for line in row if line.id not in fixed]
    return sorted(fitted, key=lambda line: (line.start_ms, line.end_ms))


def in_order(lines: Sequence[CaptionLine], changed: Sequence[CaptionLine], others: Sequence[CaptionLine]) -> bool:
    """Whether the lines that there were stand in the order that they had, in each lane."""
    place = {line.id: index for index, line in enumerate(lines)}
    for row in by_lane(sorted([*changed, *others], key=lambda line: line.start_ms)):
        places = [place[line.id] for line in row if line.id in place]
        if places != sorted(places):
            return False
    return True


def spanning(line: CaptionLine, start_ms: int, end_ms: int) -> CaptionLine:
    if (start_ms, end_ms) == (line.start_ms, line.end_ms):
        return line
    return spread_anew(replace(line, start_ms=start_ms, end_ms=end_ms), line.words)


def spread_anew(line: CaptionLine, old: Sequence[CaptionWord]) -> CaptionLine:
    """The line with its words spread over its time. They look as `old` did, where those are the same words."""
    words = spread_text(line.text, line.start_ms, line.end_ms, Origin.HUMAN)
    if [word.text for word in words] == [word.text for word in old]:
        words = tuple(
            replace(word, styles=was.styles, speaker=was.speaker) for word, was in zip(words, old, strict=True)
        )
    return replace(line, words=words)
