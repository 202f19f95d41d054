"""Replace all lines by those of a subtitle file, and keep what the file cannot say."""

from __future__ import annotations

import uuid
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from pipelines.captions.edits.edit import EditResult
from pipelines.captions.edits.realign import pairs_of, realign
from pipelines.captions.forms.form import Kept
from pipelines.captions.imports.subtitles import Imported
from pipelines.captions.limits import COMPARED_PAIRS_MAX, IMPORT_PAIRS_MAX
from pipelines.captions.reading.cues import with_words
from pipelines.messages.lines import NO_STYLES, CaptionLine


def replacement(
    before: Sequence[CaptionLine], imported: Imported, labels: Mapping[str, str], *, has_speakers: bool = True
) -> EditResult:
    """Replace all lines by those of a file. A line that starts where an old one did keeps its id and its words.

    So a file that was downloaded, corrected elsewhere and imported again loses no word time, nor what its form cannot
    hold. At most `IMPORT_PAIRS_MAX` pairs of words are compared over all lines. `labels` has the speakers' labels in
    these captions by those in the file; without `has_speakers` the captions take theirs from elsewhere.
    """
    old = _OldLines(before)
    names_speakers = has_speakers and bool(imported.speakers)
    pairs_left = IMPORT_PAIRS_MAX
    after = []
    for read in imported.lines:
        line = _relabelled(read, labels if has_speakers else {})
        same = old.at(line)
        if same is None:
            after.append(with_words(replace(line, id=str(uuid.uuid4()))))
            continue
        moved = replace(same, end_ms=same.end_ms if _is_close(same.end_ms, line.end_ms) else line.end_ms)
        if Kept.WORDS in imported.keeps and line.words:
            moved = replace(moved, text=line.text, words=line.words, doubts=line.doubts)
        elif same.text != line.text:
            allowed = min(COMPARED_PAIRS_MAX, pairs_left)
            words = realign(moved, line.text, pairs_max=allowed)
            pairs_left -= min(allowed, pairs_of(same, line.text))
            moved = replace(moved, text=line.text, words=words, doubts=())
        after.append(_with_look(moved, line, imported.keeps, names_speakers=names_speakers))
    unchanged = set(before) & set(after)
    return EditResult(
        tuple(line for line in before if line not in unchanged),
        tuple(line for line in after if line not in unchanged),
    )


_FRAME_MS = 42
"""Forms that count frames or hundredths of a second round times by up to half of this."""


def _is_close(one_ms: int, other_ms: int) -> bool:
    return 2 * abs(one_ms - other_ms) <= _FRAME_MS


class _OldLines:
    """The lines before an import, found by their start. Each is found once."""

    def __init__(self, lines: Sequence[CaptionLine]) -> None:
        self._lines = sorted(lines, key=lambda line: line.start_ms)
        self._starts = [line.start_ms for line in self._lines]
        self._taken: set[str] = set()

    def at(self, read: CaptionLine) -> CaptionLine | None:
        """The line that starts with this one. One with the same text may start up to half a frame beside it."""
        first = bisect_left(self._starts, read.start_ms - _FRAME_MS)
        last = bisect_right(self._starts, read.start_ms + _FRAME_MS)
        near = [line for line in self._lines[first:last] if line.id not in self._taken]
        same = [line for line in near if line.start_ms == read.start_ms]
        # Of two that start at once, the one with these words, then the one that stands there.
        same.sort(key=lambda line: (line.text != read.text, line.lane is not read.lane))
        same += [line for line in near if line.text == read.text and _is_close(line.start_ms, read.start_ms)]
        if not same:
            return None
        self._taken.add(same[0].id)
        return same[0]


def _relabelled(line: CaptionLine, labels: Mapping[str, str]) -> CaptionLine:
    words = line.words
    if any(word.speaker for word in words):
        words = tuple(replace(word, speaker=labels.get(word.speaker or "")) for word in words)
    return replace(line, speaker=labels.get(line.speaker or ""), words=words)


def _with_look(line: CaptionLine, read: CaptionLine, keeps: Collection[Kept], *, names_speakers: bool) -> CaptionLine:
    """The line with what the file says of styles, place and speakers, as far as its form can say it."""
    words = line.words
    is_same_text = len(words) == len(read.words)
    if Kept.STYLES in keeps and (is_same_text or not read.words):
        styles = [word.styles for word in read.words] or [NO_STYLES] * len(words)
        words = tuple(
            word if word.styles == each else replace(word, styles=each)
            for word, each in zip(words, styles, strict=True)
        )
    if names_speakers and (is_same_text or not read.words):
        speakers = [word.speaker for word in read.words] or [None] * len(words)
        words = tuple(
            word if word.speaker == each else replace(word, speaker=each)
            for word, each in zip(words, speakers, strict=True)
        )
    return replace(
        line,
        words=words,
        place=read.place if Kept.PLACE in keeps else line.place,
        speaker=read.speaker if names_speakers else line.speaker,
        locked=line.locked or read.locked,
        forced=read.forced if Kept.FORCED in keeps else line.forced,
    )
