"""Which Windows code page of another script a text is in: Hebrew, Cyrillic, Greek or Arabic.

In these no word mixes its letters with A to Z, while words of Latin alphabets consist of little else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_SCRIPTS = {
    # Most bytes of one are letters of the next too, so the stricter come first. Russian has letters that Hebrew lacks,
    # and Greek has accents where Cyrillic has capitals.
    "cp1255": "HEBREW LETTER",
    "cp1251": "CYRILLIC",
    "cp1253": "GREEK",
    "cp1256": "ARABIC",
}
_WORD = re.compile(rb"[A-Za-z\xa1-\xff]{2,}")
_LATIN = re.compile(rb"[A-Za-z]")
_LETTERS_MIN = 8
_DIFFERENT_MIN = 5
"""Fewer may be a name or a cry."""
_SHARE_MIN = 0.9
_SIGNS = "«»¿¡؟،؛·\u00ad"
"""What stands beside words in these pages."""


def script_page(raw: bytes) -> str | None:
    """The code page in which the words beyond A to Z are words of one script; None for Latin alphabets."""
    words = [word for word in _WORD.findall(raw) if any(code > 0x7F for code in word)]
    whole = [word for word in words if not _LATIN.search(word)]
    if sum(map(len, whole)) < max(_LETTERS_MIN, _SHARE_MIN * sum(map(len, words))):
        return None
    if len(set(b"".join(whole))) < _DIFFERENT_MIN:
        return None
    return next((page for page, script in _SCRIPTS.items() if _share(whole, page, script) >= _SHARE_MIN), None)


def _share(words: Sequence[bytes], page: str, script: str) -> float:
    """The share of the words that are written in this script, with capitals where words have them."""
    return sum(_is_word(word.decode(page, "replace"), script) for word in words) / len(words)


def _is_word(text: str, script: str) -> bool:
    word = text.strip(_SIGNS)
    if word not in (word.lower(), word.upper(), word.capitalize()):
        return False
    return bool(word) and all(unicodedata.name(letter, "").startswith(script) for letter in word)
