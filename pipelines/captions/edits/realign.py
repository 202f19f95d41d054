"""Give new text the times of the old words. Unchanged words keep theirs, changed words take the old word's room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pipelines.captions.limits import COMPARED_PAIRS_MAX
from pipelines.captions.texts.text import same_word, without_space, word_units
from pipelines.captions.texts.word_times import spread
from pipelines.messages.lines import NO_STYLES, CaptionLine, CaptionWord, Origin, WordStyle

# A person wrote the word, and its time is still the measured one.
_CERTAIN = 1.0

# One unchanged word is worth more than any number of similar words.
_UNCHANGED = COMPARED_PAIRS_MAX


@dataclass(frozen=True, slots=True)
class _Anchor:
    """Old word `word` matches the new units from `start` up to `stop`."""

    word: int
    start: int
    stop: int


def realign(line: CaptionLine, text: str, *, pairs_max: int = COMPARED_PAIRS_MAX) -> tuple[CaptionWord, ...]:
    """Words of the cleaned `text` for a line: kept, corrected in place, or spread over the room between kept words.

    Time and memory grow with the pairs of old and new words between the common beginning and the common end. Beyond
    `pairs_max` pairs, only that beginning and end are matched, and all words between them are spread.
    """
    units = word_units(text)
    old = line.words
    aligned: list[CaptionWord] = []
    old_index, new_index, free_from = 0, 0, line.start_ms
    for anchor in [*_anchors(old, units, pairs_max), _Anchor(len(old), len(units), len(units))]:
        fresh = units[new_index : anchor.start]
        dropped = old[old_index : anchor.word]
        free_to = old[anchor.word].start_ms if anchor.word < len(old) else max(line.end_ms, free_from)
        styles = _styles_of_fresh(old, old_index, anchor.word)
        aligned.extend(_fill(fresh, dropped, free_from, free_to, styles))
        if anchor.word < len(old):
            word = old[anchor.word]
            shown = "".join(units[anchor.start : anchor.stop])
            if shown != without_space(word.text):
                word = replace(word, text=shown, origin=Origin.HUMAN, confidence=_CERTAIN if word.is_measured else None)
            aligned.append(word)
            free_from = word.end_ms
        old_index, new_index = anchor.word + 1, anchor.stop
    return tuple(aligned)


def pairs_of(line: CaptionLine, text: str) -> int:
    """The most pairs of words that `realign` compares for this text."""
    return len(line.words) * len(word_units(text))


def _styles_of_fresh(old: Sequence[CaptionWord], start: int, stop: int) -> frozenset[WordStyle]:
    """The styles of words that take the place of the old ones from `start` up to `stop`, or stand between two.

    They are what all of these old words have: those that go, else those at both sides.
    """
    beside = old[start:stop] or old[max(0, start - 1) : start + 1]
    return frozenset.intersection(*(word.styles for word in beside)) if beside else NO_STYLES


def _fill(
    fresh: list[str],
    dropped: tuple[CaptionWord, ...],
    free_from: int,
    free_to: int,
    styles: frozenset[WordStyle],
) -> list[CaptionWord]:
    if not fresh:
        return []
    if len(fresh) == len(dropped):
        return [
            replace(word, text=text, origin=Origin.HUMAN, confidence=_CERTAIN if word.is_measured else None)
            for text, word in zip(fresh, dropped, strict=True)
        ]
    if dropped:
        free_from = max(free_from, dropped[0].start_ms)
        free_to = min(free_to, max(word.end_ms for word in dropped))
    words = spread(fresh, free_from, max(free_from, free_to), Origin.HUMAN)
    return [replace(word, styles=styles) for word in words] if styles else words


def _anchors(old: tuple[CaptionWord, ...], units: list[str], pairs_max: int) -> list[_Anchor]:
    """Old words that match, in order. A word of several units (scripts without spaces) matches only as a whole."""
    texts: list[str] = []
    first_of: list[int] = []
    for word in old:
        first_of.append(len(texts))
        texts.extend(word_units(word.text))
    first_of.append(len(texts))
    keys = [same_word(text) for text in texts]
    found = dict(_common(keys, texts, [same_word(unit) for unit in units], units, pairs_max))
    anchors: list[_Anchor] = []
    for index in range(len(old)):
        indexes = [found.get(key) for key in range(first_of[index], first_of[index + 1])]
        start = indexes[0] if indexes else None
        if start is None or indexes != list(range(start, start + len(indexes))):
            continue
        anchors.append(_Anchor(index, start, start + len(indexes)))
    return anchors


def _common(
    old_keys: list[str], old: list[str], new_keys: list[str], new: list[str], pairs_max: int
) -> Iterator[tuple[int, int]]:
    """Indexes of a longest common subsequence: as many unchanged words as possible, then as many similar ones."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        yield head, head
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
        yield len(old) - tail, len(new) - tail
    rows, columns = len(old) - tail - head, len(new) - tail - head
    if rows * columns > pairs_max:
        return
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            worth = max(best[i + 1][j], best[i][j + 1])
            if old_keys[head + i] == new_keys[head + j]:
                worth = max(worth, best[i + 1][j + 1] + _worth(old[head + i] == new[head + j]))
            best[i][j] = worth
    i = j = 0
    while i < rows and j < columns:
        alike = old_keys[head + i] == new_keys[head + j]
        if alike and best[i][j] == best[i + 1][j + 1] + _worth(old[head + i] == new[head + j]):
            yield head + i, head + j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1


def _worth(unchanged: bool) -> int:
    return _UNCHANGED if unchanged else 1
