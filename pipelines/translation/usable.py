"""Reject what no reader should see: empty text, loops, text many times as long, and debris of JSON."""

from __future__ import annotations

import re

from pipelines.captions.texts.text import clean_text, word_units
from pipelines.translation.texts.markings import has_words
from pipelines.translation.texts.scripts import is_unspaced
from serve.core.text.loops import has_loop

_LENGTH_RATIO = 4
_LENGTH_FREE = 60
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
    """Whether a phrase, or in scripts without spaces a run of characters, follows itself over and over."""
    return has_loop(text.split()) or (is_unspaced(text) and has_loop(word_units(text)))
