"""Brings texts of any language to one form before their words are compared, so that only what was said differs.

1. NFKC; text in brackets, which describes sounds, is removed; lower case, for Turkish and Azerbaijani by their rules.
2. Apostrophes inside words stay and are written `'`. All other punctuation and symbols part words.
3. Letters keep their accents (á and a are different letters in Icelandic). Only Arabic, Persian, Urdu and Hebrew lose
   vowel signs, which hardly anybody writes.
4. Points, commas and spaces between groups of digits are removed: 1.000 is 1000. Number words stay words.
5. Chinese, Japanese, Thai, Lao, Khmer and Burmese write no spaces: each character counts as a word, as is usual.
   Traditional and simplified characters are different.
"""

from __future__ import annotations

import re
import unicodedata

from serve.core.text.words import is_unspaced

_BRACKETS = re.compile(r"[<\[(][^>\])]*[>\])]")
_GROUPS = re.compile(r"(?<=\d)[.,\u00a0\u202f ](?=\d{3}(?!\d))")
_APOSTROPHES = re.compile(r"[’‘ʼ`´]")
_LONE_APOSTROPHE = re.compile(r"(?<![^\W_])'|'(?![^\W_])")
_TURKIC = frozenset({"tr", "az"})
_UNVOWELED = frozenset({"ar", "fa", "fa-AF", "ur", "he"})
_TATWEEL = "ـ"


def plain_words(text: str, language: str) -> list[str]:
    """By the rules for any language, which look at one word at a time: a word's parts do not depend on the others."""
    text = _BRACKETS.sub(" ", _APOSTROPHES.sub("'", unicodedata.normalize("NFKC", text)))
    if language in _TURKIC:
        text = text.replace("I", "ı").replace("İ", "i")
    text = _GROUPS.sub("", text.casefold())
    if language in _UNVOWELED:
        text = "".join(
            char
            for char in unicodedata.normalize("NFD", text)
            if char != _TATWEEL and unicodedata.category(char) != "Mn"
        )
    text = unicodedata.normalize("NFC", text)
    # Invisible characters, such as a soft hyphen, are inside words.
    text = "".join(char for char in text if unicodedata.category(char) != "Cf")
    kept = "".join(char if char == "'" or unicodedata.category(char)[0] not in "PSCZ" else " " for char in text)
    kept = _LONE_APOSTROPHE.sub(" ", kept)
    return "".join(f" {char} " if is_unspaced(char) else char for char in kept).split()


def characters_of(words: list[str]) -> str:
    """The text whose characters are counted: words with a space between them, except between unspaced characters."""
    text = " ".join(words)
    return text.replace(" ", "") if any(is_unspaced(word) for word in words) else text
