"""Which words a person corrected: the words that a new text of a line has in place of others."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from pipelines.messages.lines import CaptionLine

WORDS_MAX = 3
"""Words in a row that count as one correction. A longer passage was rewritten, not corrected."""
COMPARED_WORDS_MAX = 200
"""Words of a line that are compared. A line on screen has about 12."""
LIKENESS_MIN = 0.4
"""Share of letters that a wrong and a right spelling have in common at least. Other words are another wording."""
OF_ONE_CHANGE_MAX = 200
"""Corrections that one change records; a replacement in a whole file has more, and says no more."""

Correction = tuple[uuid.UUID, str, str]
"""A line, and the wrong and the right word."""

_EDGES = re.compile(r"^[^\w]+|[^\w]+$")


def corrections(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Pairs of wrong and right words, without the signs around them, as in (`Husavik`, `Húsavík`)."""
    old, new = before.split()[:COMPARED_WORDS_MAX], after.split()[:COMPARED_WORDS_MAX]
    for tag, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "replace" or max(old_to - old_from, new_to - new_from) > WORDS_MAX:
            continue
        if old_to - old_from == new_to - new_from:
            pairs = [([old[old_from + at]], [new[new_from + at]]) for at in range(old_to - old_from)]
        else:
            pairs = [(old[old_from:old_to], new[new_from:new_to])]
        for one, other in pairs:
            wrong, right = _EDGES.sub("", " ".join(one)), _EDGES.sub("", " ".join(other))
            if wrong != right and _is_spelling(wrong, right):
                yield wrong, right


def _is_spelling(wrong: str, right: str) -> bool:
    if len(wrong) < 2 or len(right) < 2 or not any(map(str.isalpha, right)):
        return False
    return SequenceMatcher(None, wrong.casefold(), right.casefold(), autojunk=False).ratio() >= LIKENESS_MIN


def corrected(before: Iterable[CaptionLine], after: Iterable[CaptionLine]) -> list[Correction]:
    """The corrections in the lines that a change rewrote."""
    old = {line.id: line.text for line in before}
    found: list[Correction] = []
    for line in after:
        text = old.get(line.id)
        if text is None or text == line.text:
            continue
        found += [(uuid.UUID(line.id), wrong, right) for wrong, right in corrections(text, line.text)]
        if len(found) >= OF_ONE_CHANGE_MAX:
            break
    return found[:OF_ONE_CHANGE_MAX]
