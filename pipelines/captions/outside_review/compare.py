"""Compare what came back with the lines as they are: by time where the file has times, else word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

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
    """The texts by line: of the row with its start, else of the nearest row that is left."""
    at = {line.start_ms: line.id for line in lines}
    texts: dict[str, str] = {}
    left: list[Row] = []
    for row in rows:
        line = at.get(row.start_ms) if row.start_ms is not None else None
        if line is None or line in texts:
            left.append(row)
        else:
            texts[line] = row.text
    unplaced: list[str] = []
    free = [line for line in lines if line.id not in texts]
    for row in left:
        start = row.start_ms
        near = None if start is None else min(free, key=lambda line: abs(line.start_ms - start), default=None)
        if near is None or start is None or abs(near.start_ms - start) > NEAR_MS:
            if row.text:
                unplaced.append(row.text)
            continue
        texts[near.id] = row.text
        free.remove(near)
    return texts, unplaced


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
    matcher = SequenceMatcher(None, list(map(_plain, old)), list(map(_plain, new)), autojunk=False)
    places: list[int] = []
    for kind, begin, end, first, last in matcher.get_opcodes():
        count = last - first
        if kind == "equal":
            places.extend(range(begin, end))
        elif kind == "replace":
            places.extend(begin + number * (end - begin) // count for number in range(count))
        elif kind == "insert":
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
