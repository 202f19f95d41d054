"""How much text a reader reads: graphemes without tags, in half widths.

The editor counts at each key by the same rule, also without a network (`ui/src/domain/captions/quality/measure.ts`).
Both read the kinds of characters from `characters.json`, and `test_quality_model.py` compares what they count.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from importlib import resources


def _one_of(ranges: list[str]) -> re.Pattern[str]:
    ends = (each.split("-") for each in ranges)
    return re.compile("[" + "".join(f"{chr(int(first, 16))}-{chr(int(last, 16))}" for first, last in ends) + "]")


_CHARACTERS = json.loads(resources.files("pipelines.captions.texts").joinpath("characters.json").read_text("utf-8"))
TAG = re.compile(_CHARACTERS["tag"])
_UNSEEN = frozenset({"Mn", "Me", "Mc", "Cf"})
_PARTS = _one_of(_CHARACTERS["parts"])
"""Vowels and finals of Hangul written in parts, Thai and Lao am, half-width voice marks: UAX 29 attaches them."""
_JOINER = "\u200d"
_WIDE = _one_of(_CHARACTERS["wide"])
"""Han, kana, Hangul, their punctuation, full-width forms, and pictures."""
_SKIN = _one_of(_CHARACTERS["skin"])
_FLAG = _one_of(_CHARACTERS["flag"])


@lru_cache(maxsize=8_192)
def half_widths(text: str, *, counts_half: bool) -> int:
    """The length of a text in half characters: 2 for each grapheme, or 1 for a narrow one where `counts_half`.

    Tags and line breaks count nothing. Marks, vowel signs, joined pictures, skin tones and the second letter of a flag
    belong to the grapheme before.
    """
    if not counts_half and text.isascii() and "<" not in text and "{" not in text:
        return 2 * (len(text) - text.count("\n"))
    total = 0
    before, in_flag = "", False
    for character in TAG.sub("", text):
        is_flag = _FLAG.match(character) is not None
        attached = (
            before == _JOINER
            or _SKIN.match(character) is not None
            or (is_flag and in_flag)
            or unicodedata.category(character) in _UNSEEN
            or _PARTS.match(character) is not None
        )
        in_flag = is_flag and not in_flag
        before = character
        if attached or character == "\n":
            continue
        total += 1 if counts_half and not _WIDE.match(character) else 2
    return total
