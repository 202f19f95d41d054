"""Brings reference and answer to one form before words are counted, so that only what was said differs.

English goes through Whisper's own rules (numbers, contractions, spelling; package whisper-normalizer), as in published
tables. Every other language, and English where words must keep their times, goes through ours (`compared_words.py`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from serve.core.text.compared_words import plain_words


def words_of(text: str, language: str) -> list[str]:
    """The words that count, in the form that is compared."""
    if language == "en":
        return str(_english()(text)).split()
    return plain_words(text, language)


@lru_cache
def _english() -> Any:
    from whisper_normalizer.english import EnglishTextNormalizer

    return EnglishTextNormalizer()
