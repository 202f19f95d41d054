"""Compare what came back with the lines as they are: by time where the file has times, else word by word."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipelines.captions.limits import LINE_CHARS_MAX
from pipelines.captions.outside_review.rows import Row, texts_of

NEAR_MS = 500
"""A row whose time a reader's program rounded to seconds still belongs to its line."""
_ENDS = ".?!…"
_SIGNS = f"{_ENDS},;:-–—'\"‘’“”„«»()[]¿¡"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the captions as they are."""

    id: str
    start_ms: int
    text: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """Another text for a line."""

    line: str
    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """`unplaced` are texts of rows that belong to no line, or that no line may be as long as."""

    proposals: list[Proposal]
    unplaced: list[str]


def compare(lines: Sequence[Line], rows: Sequence[Row]) -> Comparison:
    """Proposals for lines whose text came back different. A text that was emptied changes nothing."""
    timed = any(row.start_ms is not None for row in rows)
    texts, unplaced = _by_time(lines, rows) if timed else (_by_words(lines, rows), [])
    proposals: list[Proposal] = []
    for line in lines:
        text = texts.get(line.id, "")
        if len(text) > LINE_CHARS_MAX:
            unplaced.append(text)
        elif text and text.split() != line.text.split():
            proposals.append(Proposal(line.id, text))
        elif text and timed and text != line.text:
            # The same words in other rows.
            proposals.append(Proposal(line.id, text))
    return Comparison(proposals, unplaced)


def _by_time(lines: Sequence[Line], rows: Sequence[Row]) -> tuple[dict[str, str], list[str]]:
    """The texts by line, and those of rows without one.

    A row first claims a line near its time that has its words, then the line that starts at its time, then the nearest
    one: another program may have rounded the times, and two lines may start at once.
    """
    timeline = sorted(lines, key=lambda line: line.start_ms)
    starts = [line.start_ms for line in timeline]
    texts: dict[str, str] = {}

    def claim(row: Row, fits: Callable[[Row, Line], bool]) -> bool:
        at = row.start_ms
        if at is None:
            return False
        near = timeline[bisect_left(starts, at - NEAR_MS) : bisect_right(starts, at + NEAR_MS)]
        free = [line for line in near if line.id not in texts and fits(row, line)]
        if free:
            texts[min(free, key=lambda line: abs(line.start_ms - at)).id] = row.text
        return bool(free)

    left = list(rows)
    for fits in (_has_its_words, _starts_then, _is_near):
        left = [row for row in left if not claim(row, fits)]
    return texts, [row.text for row in left if row.text]


def _has_its_words(row: Row, line: Line) -> bool:
    return line.text.split() == row.text.split()


def _starts_then(row: Row, line: Line) -> bool:
    return line.start_ms == row.start_ms


def _is_near(_row: Row, _line: Line) -> bool:
    return True


def _by_words(lines: Sequence[Line], rows: Sequence[Row]) -> dict[str, str]:
    """The words of a text without times, each in the line of the word that it is or replaces."""
    old = [(at, word) for at, line in enumerate(lines) for word in line.text.split()]
    new = texts_of(rows).split()
    if not old:
        return {}
    places = _places([word for _, word in old], new)
    taken: dict[int, list[tuple[str, int]]] = {}
    for word, place in zip(new, places, strict=True):
        taken.setdefault(old[place][0], []).append((word, place))
    firsts = {at: place for place, (at, _) in reversed(list(enumerate(old)))}
    return {lines[at].id: _rows(lines[at].text, words, firsts[at]) for at, words in taken.items()}


def _places(old: Sequence[str], new: Sequence[str]) -> list[int]:
    """For each new word the index of the old word that it is, replaces, or stands beside."""
    # Only the child process compares; difflib takes 15 s for the words of a film, this 0.02.
    from rapidfuzz.distance import Levenshtein

    places: list[int] = []
    for code in Levenshtein.opcodes(list(map(_plain, old)), list(map(_plain, new))):
        begin, end, last = code.src_start, code.src_end, code.dest_end
        count = last - code.dest_start
        if code.tag == "equal":
            places.extend(range(begin, end))
        elif code.tag == "replace":
            places.extend(begin + number * (end - begin) // count for number in range(count))
        elif code.tag == "insert":
            # What follows the end of a sentence begins the next one.
            follows = begin == 0 or (
                begin < len(old) and old[begin - 1][-1] in _ENDS and new[last - 1][-1] not in _ENDS
            )
            places.extend([min(begin, len(old) - 1) if follows else begin - 1] * count)
    return places


def _plain(word: str) -> str:
    """A word without what readers correct most: its first letter's case and the signs around it."""
    return word.casefold().strip(_SIGNS) or word


def _rows(text: str, words: Sequence[tuple[str, int]], first: int) -> str:
    """The words in rows that break where the line did."""
    breaks: list[int] = []
    for row in text.split("\n")[:-1]:
        breaks.append((breaks[-1] if breaks else first) + len(row.split()))
    rows: list[list[str]] = [[]]
    for word, place in words:
        if breaks and place >= breaks[0]:
            breaks.pop(0)
            if rows[-1]:
                rows.append([])
        rows[-1].append(word)
    return "\n".join(" ".join(row) for row in rows)
