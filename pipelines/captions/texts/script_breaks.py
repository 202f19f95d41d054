"""Where the scripts of a text allow a row break, and where its graphemes begin.

ICU knows the rules of UAX 14 and UAX 29, with dictionaries for Thai, Lao, Khmer, Burmese, Chinese and Japanese.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pipelines.captions.texts.text import UNSPACED

# Everywhere else a row may break at each space, as UAX 14 has it, so ICU (0.1 ms a text) is not needed.
_SPECIAL = re.compile(
    rf"[{UNSPACED}\u00a0\u2000-\u200f\u202f\u205f\u2060\u3000-\u303f\ufe00-\ufe6f\uff00-\uffef]"
    r"|[(\[{«‹„¿¡] | [!?:;%»›)\]}/]"
)
_KANA = re.compile(r"[\u3041-\u30ff]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LINKS = "\u17d2\u1039"
"""The signs of Khmer and Burmese that put the next consonant below this one; UAX 29 separates the two."""


@dataclass(frozen=True, slots=True)
class Places:
    """Indexes of a text at which a row may begin, and those of them at which a word or phrase begins."""

    allowed: frozenset[int]
    words: frozenset[int]


@lru_cache(maxsize=4_096)
def places_in(text: str) -> Places | None:
    """Where rows of one row of text may begin; None where that is after every space."""
    if _SPECIAL.search(text) is None:
        return None
    # Loaded late: its tables take 44 MB, and most texts do without.
    from icu4py.breakers import LineBreaker, WordBreaker

    # Strict: no small kana and no mark of length begins a row.
    allowed = _starts(list(LineBreaker(text, "ja-u-lb-strict")))
    if _KANA.search(text):
        words = _starts(list(LineBreaker(text, "ja-u-lb-strict-lw-phrase")))
    elif _HAN.search(text):
        words = _starts(list(WordBreaker(text, "zh")))
    else:
        words = allowed
    return Places(allowed, allowed & words)


def _starts(pieces: list[str]) -> frozenset[int]:
    starts: set[int] = set()
    at = 0
    for piece in pieces:
        starts.add(at)
        at += len(piece)
    return frozenset(starts)


def grapheme_start(text: str, at: int) -> int:
    """The index nearest before `at`, or `at` itself, that lies inside no grapheme and above no stacked consonant."""
    if not 0 < at < len(text) or (text[at - 1].isascii() and text[at].isascii()):
        return at
    from icu4py.breakers import CharacterBreaker

    starts = sorted(_starts(list(CharacterBreaker(text, "en"))))
    place = max(start for start in starts if start <= at)
    while place and text[place - 1] in _LINKS:
        place = max(start for start in starts if start < place)
    return place
