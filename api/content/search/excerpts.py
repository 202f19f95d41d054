"""Cut a text into the parts that a page shows of it, with the hits marked."""

from __future__ import annotations

from api.content.search.schemas import Part
from api.platform.db.search_words import hits_in

EXCERPT_CHARS = 160
BEFORE_CHARS = 50
"""Of a longer text, at most this much stands before the first hit."""


def parts_of(text: str, keyword: str) -> list[Part]:
    """The whole text in parts."""
    return _parts(text, hits_in(text, keyword))


def excerpt_of(text: str, keyword: str) -> list[Part]:
    """A piece of the text around the first hit, in one row."""
    row = " ".join(text.split())
    hits = hits_in(row, keyword)
    if len(row) <= EXCERPT_CHARS:
        return _parts(row, hits)
    first = hits[0][0] if hits else 0
    start = 0 if first <= BEFORE_CHARS else row.find(" ", first - BEFORE_CHARS, first) + 1 or first - BEFORE_CHARS
    end = min(len(row), start + EXCERPT_CHARS)
    inside = [
        (max(begin, start) - start, min(stop, end) - start) for begin, stop in hits if begin < end and stop > start
    ]
    parts = _parts(row[start:end], inside)
    return [
        *([Part(text="… ", is_hit=False)] if start else []),
        *parts,
        *([Part(text=" …", is_hit=False)] if end < len(row) else []),
    ]


def _parts(text: str, hits: list[tuple[int, int]]) -> list[Part]:
    parts: list[Part] = []
    last = 0
    for start, end in hits:
        parts += [Part(text=text[last:start], is_hit=False), Part(text=text[start:end], is_hit=True)]
        last = end
    parts.append(Part(text=text[last:], is_hit=False))
    return [part for part in parts if part.text]
