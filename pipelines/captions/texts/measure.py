"""How much text a reader reads: graphemes without tags, in half widths."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

TAG = re.compile(r"</?[A-Za-z][^<>]{0,40}>|\{\\[^{}]{0,40}\}")
_UNSEEN = frozenset({"Mn", "Me", "Mc", "Cf"})
# Vowels and finals of Hangul written in parts, Thai and Lao am, half-width voice marks: letters that UAX 29 attaches.
_PARTS = re.compile("[\u1160-\u11ff\ud7b0-\ud7fb\u0e33\u0eb3\uff9e\uff9f]")
_JOINER = "\u200d"
# Han, kana, Hangul, their punctuation, full-width forms, and pictures.
_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6"
    "\U0001f300-\U0001faff\U00020000-\U0003fffd]"
)
_SKIN = ("\U0001f3fb", "\U0001f3ff")
_FLAG = ("\U0001f1e6", "\U0001f1ff")


@lru_cache(maxsize=8_192)
def half_widths(text: str, *, counts_half: bool) -> int:
    """The length of a text in half characters: 2 for each grapheme, or 1 for a narrow one where `counts_half`.

    Tags and line breaks count nothing. Marks, vowel signs, joined pictures, skin tones and the second letter of a flag
    belong to the grapheme before. The editor counts by the same rule (`ui/src/domain/captions/quality/measure.ts`).
    """
    if not counts_half and text.isascii() and "<" not in text and "{" not in text:
        return 2 * (len(text) - text.count("\n"))
    total = 0
    before, in_flag = "", False
    for character in TAG.sub("", text):
        is_flag = _FLAG[0] <= character <= _FLAG[1]
        attached = (
            before == _JOINER
            or _SKIN[0] <= character <= _SKIN[1]
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
