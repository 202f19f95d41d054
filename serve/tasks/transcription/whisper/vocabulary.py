"""Names and terms that Whisper reads before it decodes a window, as faster-whisper's `hotwords`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_SIGNS = re.compile(r"[^\w]+")


def hotwords(terms: Sequence[str]) -> str | None:
    """The terms in the form of faster-whisper's `hotwords`; it cuts them after 223 tokens, half of the decoder's."""
    return ", ".join(terms) or None


def repeats_terms(text: str, terms: Sequence[str]) -> bool:
    """Whether a text recites the terms instead of what is spoken: one alone, or two in the order they were given.

    Whisper may continue its prompt where it makes out little speech.
    """
    words = f" {_words(text)} "
    bare = [word for term in terms if (word := _words(term))]
    return words.strip() in bare or any(f" {first} {second} " in words for first, second in pairwise(bare))


def _words(text: str) -> str:
    return _SIGNS.sub(" ", text.casefold()).strip()
