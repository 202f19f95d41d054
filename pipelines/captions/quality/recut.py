"""Cut captions again by other rules. Every word stays, with its times, style and speaker."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from pipelines.captions.edits.edit import EditResult
from pipelines.captions.lanes import lane_by_lane
from pipelines.captions.line_builder import lines_from_words
from pipelines.captions.spoken_by import words_spoken_by
from pipelines.captions.texts.marks import dash_of
from pipelines.captions.texts.text import without_space
from pipelines.messages.caption_rules import CaptionRules
from pipelines.messages.lines import CaptionLine, CaptionWord

OFF_SOUND_MS = 1_000
"""A line whose words lie further outside it than this was moved off its sound by a person."""


def recut(lines: Sequence[CaptionLine], rules: CaptionRules, language: str, new_id: Callable[[], str]) -> EditResult:
    """The lines cut again by `rules`. A new line keeps the id of the line its first word comes from, if that is free.

    Lines that people arranged stay as they are: dialogues with dashes, lines with a place of their own, and
    lines that were moved off their sound.
    """
    after: list[CaptionLine] = []
    used: set[str] = {line.id for line in lines if _stays(line)}
    for block in _blocks(lines):
        if _stays(block[0]):
            after.extend(block)
        else:
            after.extend(_cut(block, rules, language, used, new_id))
    fitted = _apart(after, rules)
    old = {line.id: line for line in lines}
    new = {line.id: line for line in fitted}
    return EditResult(
        tuple(line for line in lines if new.get(line.id) != line),
        tuple(line for line in fitted if old.get(line.id) != line),
    )


def _stays(line: CaptionLine) -> bool:
    if (
        line.place is not None
        or not line.words
        or "".join(word.text for word in line.words) != without_space(line.text)
    ):
        return True
    if "\n" in line.text and any(dash_of(row) for row in line.text.split("\n")):
        return True
    starts = [word.start_ms for word in line.words]
    is_off = starts[0] < line.start_ms - OFF_SOUND_MS or line.words[-1].end_ms > line.end_ms + OFF_SOUND_MS
    return is_off or starts != sorted(starts)


def _blocks(lines: Sequence[CaptionLine]) -> Iterator[list[CaptionLine]]:
    """Lines that are cut together, and lines that stay, each by itself."""
    block: list[CaptionLine] = []
    for line in lines:
        apart = _stays(line) or (block and line.words[0].start_ms < block[-1].words[-1].start_ms)
        if apart and block:
            yield block
            block = []
        if _stays(line):
            yield [line]
        else:
            block.append(line)
    if block:
        yield block


def _cut(
    block: Sequence[CaptionLine], rules: CaptionRules, language: str, used: set[str], new_id: Callable[[], str]
) -> Iterator[CaptionLine]:
    words: list[CaptionWord] = []
    owners: list[CaptionLine] = []
    for line in block:
        words.extend(words_spoken_by(line.words, line.speaker, None))
        owners.extend([line] * len(line.words))
    index = 0
    for line in lines_from_words(words, rules, language):
        sources = owners[index : index + len(line.words)]
        index += len(line.words)
        doubts = tuple(dict.fromkeys(doubt for source in sources for doubt in source.doubts))
        first = sources[0]
        name = first.id if first.id not in used else new_id()
        used.add(name)
        if line.text == first.text and all(source is first for source in sources) and len(sources) == len(first.words):
            # Nothing but its edges could change, and a person may have set those.
            yield first
            continue
        yield replace(line, id=name, doubts=doubts)


def _apart(lines: Sequence[CaptionLine], rules: CaptionRules) -> list[CaptionLine]:
    """The lines in order, each ending before the next one of its lane begins."""
    return lane_by_lane(sorted(lines, key=lambda line: line.start_ms), lambda lane: _apart_in_lane(lane, rules))


def _apart_in_lane(ordered: Sequence[CaptionLine], rules: CaptionRules) -> list[CaptionLine]:
    result: list[CaptionLine] = []
    for line in ordered:
        if result and line.start_ms < result[-1].end_ms:
            before = result[-1]
            end = max(before.start_ms + 1, line.start_ms - rules.gap_ms)
            result[-1] = replace(before, end_ms=min(end, before.end_ms))
            if line.start_ms < result[-1].end_ms:
                start = result[-1].end_ms
                line = replace(line, start_ms=start, end_ms=max(line.end_ms, start + 1))
        result.append(line)
    return result
