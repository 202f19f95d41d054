"""Reject what no reader should see: empty text, loops, text many times as long, and debris of JSON."""

from __future__ import annotations

import re

from pipelines.captions.text import clean_text, same_word, word_units
from pipelines.translation.markings import has_words

_LENGTH_RATIO = 4
_LENGTH_FREE = 60
_REPEATS = 4
_LOOP_WORDS = 12
_DEBRIS = re.compile(r"^\s*[\[{]\s*\"|</?s>|<unk>|<pad>|<\|[a-z_]+\|>|\ufffd", re.IGNORECASE)


def cleaned(text: str) -> str:
    """The text of a hypothesis in one row."""
    return clean_text(text).replace("\n", " ")


def is_usable(text: str, source: str) -> bool:
    """Whether the cleaned text can be a translation of the source at all. It may still be a bad one."""
    if not text or (has_words(source) and not any(character.isalnum() for character in text)):
        return False
    if len(text) > _LENGTH_RATIO * len(source) + _LENGTH_FREE or (_DEBRIS.search(text) and not _DEBRIS.search(source)):
        return False
    return not _loops(text) or _loops(source)


def _loops(text: str) -> bool:
    """Whether one to three words follow themselves over and over."""
    words = [same_word(word) for word in word_units(text)]
    for size in (1, 2, 3):
        repeats = 1
        for start in range(size, len(words) - size + 1, size):
            repeats = repeats + 1 if words[start : start + size] == words[start - size : start] else 1
            if repeats * size >= max(_REPEATS * size, _LOOP_WORDS // 2):
                return True
    return False
