"""Detects translations that cannot be meant: empty ones, loops, and runaways."""

from __future__ import annotations

from serve.core.text.loops import has_loop

LONGEST_RATIO = 3.0
"""Target tokens for each source token; longer translations are almost always loops."""
SPARE_TOKENS = 16
"""Short lines may grow by more: one word can become a phrase."""
MAX_LOOP_CHARACTERS = 4


def max_tokens(source_tokens: int) -> int:
    """How many tokens the translation of a source of this length may have."""
    return round(LONGEST_RATIO * source_tokens) + SPARE_TOKENS


def is_broken(source: str, target: str) -> bool:
    """Whether a translation is empty, or repeats itself where the source does not."""
    if not target.strip():
        return True
    return _loops(target) and not _loops(source)


def _loops(text: str) -> bool:
    words = text.split()
    if has_loop(words):
        return True
    # Languages without spaces have one long word.
    return any(len(word) > 4 * MAX_LOOP_CHARACTERS and has_loop([*word]) for word in words)


def has_text(text: str) -> bool:
    """Whether there is anything to translate: a letter or a digit."""
    return any(character.isalnum() for character in text)
