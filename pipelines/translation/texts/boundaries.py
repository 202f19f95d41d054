"""Where a translation may be cut, in every script, and what a cut there costs.

Spaced text is cut between words, rated like the ends of lines. Text without spaces is cut where ICU allows a row break
(`captions/texts/script_breaks.py`), and best between words and where a run of kana ends: there a phrase of Japanese
usually ends too.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from pipelines.captions.texts.break_points import Break
from pipelines.captions.texts.script_breaks import places_in
from pipelines.captions.texts.text import word_spans, word_units
from pipelines.translation.texts.sentence_ends import break_between

# As the line builder rates the ends of lines.
_COST = {Break.SENTENCE: 0.0, Break.CLAUSE: 2.0, Break.PLAIN: 5.0, Break.LEANING: 11.0}

_FULL_STOPS = frozenset("。！？!?")
_CLAUSE_MARKS = frozenset("、，；：,;:")

_AFTER_KANA = 4.0
_PHRASE = 6.0
_CHARACTER = 9.0
_INTO_KANA = 11.0
_INSIDE_KATAKANA = 16.0
_INSIDE_WORD = 12.0


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of text that is never cut: `text[start:stop]`. `cost` is that of a cut after it."""

    start: int
    stop: int
    cost: float


def units_of(text: str) -> list[Unit]:
    """The uncut pieces of one row of text in order; together they hold all its characters but white space."""
    words = word_units(text)
    spans = word_spans(text, words)
    places = places_in(text)
    units: list[Unit] = []
    begin = 0
    for index, ((_, stop), word) in enumerate(zip(spans, words, strict=True), 1):
        if index == len(words):
            units.append(Unit(spans[begin][0], stop, 0.0))
            break
        following = words[index]
        start = spans[index][0]
        if places is not None and start not in places.allowed:
            continue
        if stop < start:
            cost = _COST[break_between(word, following)]
        else:
            cost = _unspaced_cost(word[-1], following[0])
            if places is not None and start not in places.words:
                cost = max(cost, _INSIDE_WORD)
        units.append(Unit(spans[begin][0], stop, cost))
        begin = index
    return units


def _unspaced_cost(left: str, right: str) -> float:
    if left in _FULL_STOPS:
        return _COST[Break.SENTENCE]
    if left in _CLAUSE_MARKS:
        return _COST[Break.CLAUSE]
    before, after = _kind(left), _kind(right)
    if before == after == "KATAKANA":
        return _INSIDE_KATAKANA
    if before == "HIRAGANA":
        return _CHARACTER if after == "HIRAGANA" else _AFTER_KANA
    if after == "HIRAGANA":
        return _INTO_KANA
    return _CHARACTER if before == after else _PHRASE


def _kind(character: str) -> str:
    return unicodedata.name(character, "").split(" ")[0]
