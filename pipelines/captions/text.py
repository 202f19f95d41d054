"""Caption text as rows and words, also for scripts that put no space between words."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Sequence

LINE_ENDS = re.compile(r"(?<!\r)\r++\n|[\r\n\u2028\u2029\x0b\x0c\x85]")
"""Every line end found in caption files: Unix, Windows (also doubled by a bad copy), old Mac, Unicode.

A run of returns is tried once, from its beginning: `\r*\n` needs quadratic time for a file of nothing but returns.
"""

# Characters no caption shows: controls, noncharacters, and lone surrogates that no encoding can write.
_UNSHOWN = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")
# Only these collapse: no-break and ideographic spaces are typed on purpose.
_SPACES = re.compile(r"[ \t]+")

# Thai, Lao, Burmese, Khmer, kana, Han: scripts written without spaces.
_UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff"
)
# Marks and closing signs that stay with the character before them.
_ATTACHED = (
    r"\u0e31\u0e34-\u0e3a\u0e45-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3"
    r"\u3001\u3002\u300d\u300f\u3011\u30fc\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f!?,.:;"
)
_UNIT = re.compile(rf"[{_UNSPACED}][{_ATTACHED}]*|[^\s{_UNSPACED}]+")
_STARTS_UNSPACED = re.compile(rf"[{_UNSPACED}{_ATTACHED}]")
_ENDS_UNSPACED = re.compile(rf"[{_UNSPACED}\u3001\u3002\u300d\u300f\u3011\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]$")
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
        parts.append("" if _ENDS_UNSPACED.search(left) and _STARTS_UNSPACED.match(right) else " ")
        parts.append(right)
    return "".join(parts)


def without_space(text: str) -> str:
    return _WHITE.sub("", text)


def shown_length(text: str) -> int:
    """The number of characters of raw text that `clean_text` keeps and that are not white space."""
    return len(_WHITE.sub("", _UNSHOWN.sub("", text)))


def visible_length(text: str) -> int:
    """The number of characters a reader sees, without tags, combining marks, joiners and line breaks.

    The editor counts by the same rule (`ui/src/features/captions/times.ts`).
    """
    return sum(character != "\n" and unicodedata.category(character) not in _UNSEEN for character in _TAG.sub("", text))


_UNSEEN = {"Mn", "Me", "Cf"}


_TAG = re.compile(r"</?[A-Za-z][^<>]{0,40}>|\{\\[^{}]{0,40}\}")


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
