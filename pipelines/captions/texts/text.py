"""Caption text as rows and words, also for scripts that put no space between words."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Sequence

from pipelines.captions.texts.measure import half_widths

LINE_ENDS = re.compile(r"(?<!\r)\r++\n|[\r\n\u2028\u2029\x0b\x0c\x85]")
"""Every line end found in caption files: Unix, Windows (also doubled by a bad copy), old Mac, Unicode.

A run of returns is tried once, from its beginning: `\r*\n` needs quadratic time for a file of nothing but returns.
"""

# Characters no caption shows: controls, noncharacters, and lone surrogates that no encoding can write.
_UNSHOWN = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")
# Only these collapse: no-break and ideographic spaces are typed on purpose.
_SPACES = re.compile(r"[ \t]+")

# Thai, Lao, Burmese, Khmer, kana, Han: scripts written without spaces.
UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff"
)
# Marks and closing signs that stay with the character before them.
_ATTACHED = (
    r"\u0e2f\u0e31\u0e33-\u0e3a\u0e45-\u0e4e\u0eb1\u0eb3-\u0ebc\u0ec6-\u0ece\u102b-\u103e\u17b4-\u17d3\u17d7"
    r"\u3001\u3002\u3005\u3009\u300b\u300d\u300f\u3011\u3015\u3099-\u309e\u30fb-\u30fe"
    r"\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f\uff3d\uff5d…‥”’\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef"
)
# Signs that stay with the character after them: brackets, and the vowels of Thai and Lao that are written first.
_OPENING = r"\u3008\u300a\u300c\u300e\u3010\u3014\uff08\uff3b\uff5b“‘"
_VOWELS_FIRST = r"\u0e40-\u0e44\u0ec0-\u0ec4"
# Khmer and Burmese consonants that stand below another one.
_STACKED = r"\u17d2[\u1780-\u17a2]|\u1039[\u1000-\u102a]"
# The counts are bounded so that a run of brackets takes linear time.
_UNIT = re.compile(
    rf"[{_OPENING}]{{0,4}}[{_VOWELS_FIRST}]{{0,2}}[{UNSPACED}](?:{_STACKED}|[{_ATTACHED}!?,.:;])*"
    rf"|(?:(?![{_OPENING}]{{1,4}}[{UNSPACED}])[^\s{UNSPACED}])+"
)
_STARTS_UNSPACED = re.compile(rf"[{UNSPACED}{_OPENING}{_ATTACHED}!?,.:;]")
_ENDS_UNSPACED = re.compile(
    rf"[{UNSPACED}][{_ATTACHED}]*$|[\u3001\u3002\u3008-\u3011\u3014\u3015\uff01\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]$"
)
_WHITE = re.compile(r"\s+")


def clean_text(text: str) -> str:
    """The text as a line stores it: single newlines, no empty row, no doubled or edge space, no control character.

    No-break, narrow and ideographic spaces inside a row stay as they are.
    """
    rows = (_SPACES.sub(" ", _UNSHOWN.sub("", row)).strip() for row in LINE_ENDS.split(text))
    return "\n".join(row for row in rows if row)


def word_units(text: str) -> list[str]:
    """The smallest units that can have a time: words, or single characters in scripts without spaces."""
    return _UNIT.findall(text)


def join_words(words: Sequence[str]) -> str:
    """Join words to one row, with a space between words but not between characters of a script without spaces."""
    if not words:
        return ""
    parts = [words[0]]
    for left, right in itertools.pairwise(words):
        together = _ENDS_UNSPACED.search(left) and _STARTS_UNSPACED.match(right)
        parts.append("" if together or is_torn(left, right) else " ")
        parts.append(right)
    return "".join(parts)


def is_torn(left: str, right: str) -> bool:
    """Whether two texts are parts of one grapheme, such as a letter and its mark or the halves of a joined picture."""
    first = right[:1]
    return (
        left[-1:] in _LINKS
        or first in _LINKS
        or _SKIN[0] <= first <= _SKIN[1]
        or (first > "\u02ff" and unicodedata.category(first) in ("Mn", "Mc", "Me"))
    )


# The zero-width joiner, and the signs of Khmer and Burmese that put the next consonant below this one.
_LINKS = ("\u200d", "\u17d2", "\u1039")
_SKIN = ("\U0001f3fb", "\U0001f3ff")


def without_space(text: str) -> str:
    return _WHITE.sub("", text)


def shown_length(text: str) -> int:
    """The number of characters of raw text that `clean_text` keeps and that are not white space."""
    return len(_WHITE.sub("", _UNSHOWN.sub("", text)))


def visible_length(text: str) -> int:
    """The number of characters a reader sees, without tags, marks and line breaks; joined pictures are one.

    The editor counts by the same rule (`visibleLength` in `ui/src/domain/captions/times.ts`).
    """
    return half_widths(text, counts_half=False) // 2


def same_word(text: str) -> str:
    """The word without case and punctuation: equal for `hello` and `Hello,`."""
    bare = "".join(character for character in text.casefold() if character.isalnum())
    return bare or text


def word_spans(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """The start and stop index of each word in the text."""
    spans: list[tuple[int, int]] = []
    index = 0
    for word in words:
        while index < len(text) and text[index].isspace():
            index += 1
        start = index
        left = len(without_space(word))
        while index < len(text) and left:
            left -= not text[index].isspace()
            index += 1
        spans.append((start, index))
    return spans
