"""Words of a text in any script, for comparing texts without a model."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Thai, Lao, Burmese, Khmer, Japanese and Chinese write no spaces between words."""


def words(text: str) -> list[str]:
    """The words in lower case. Scripts without spaces give pairs of neighbouring characters instead."""
    found: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFC", text)):
        if _UNSPACED.search(word):
            found += [word[at : at + 2] for at in range(max(1, len(word) - 1))]
        else:
            found.append(word.casefold().replace("’", "'"))
    return found


def written_words(text: str) -> list[str]:
    """The words as they are written, with their punctuation. Scripts without spaces give their characters."""
    found: list[str] = []
    for part in text.split():
        if not is_unspaced(part):
            found.append(part)
            continue
        begun = len(found)
        for character in part:
            if len(found) > begun and (not character.isalnum() or not is_unspaced(found[-1] + character)):
                found[-1] += character
            else:
                found.append(character)
    return found


def is_unspaced(text: str) -> bool:
    """Whether the text is in a script without spaces between words."""
    return _UNSPACED.search(text) is not None


def stem(word: str) -> str:
    """A crude stem: endings of inflected languages differ after the first letters."""
    return word if len(word) <= 4 or is_unspaced(word) else word[: max(4, len(word) * 2 // 3)]


def content_stems(text: str) -> set[str]:
    """Stems of the words that carry meaning: of four letters and more, which leaves out most articles and pronouns."""
    return {stem(word) for word in words(text) if len(word) >= 4 or is_unspaced(word)}


def with_capital_i(word: str) -> str:
    """A lower-case English word as it is written: the pronoun, alone or shortened, has a capital."""
    return "I" + word[1:] if word == "i" or word.startswith("i'") else word
