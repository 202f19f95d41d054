"""Words as the search compares them, with the same result on both databases.

Case and accents do not count ("hofn" finds "Höfn"); letters such as þ, ð and æ are letters of their own. Scripts that
put no space between words are cut into pairs of characters, so that any part of a sentence can be found.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy.engine.default import DefaultExecutionContext

WORD_CHARS_MAX = 60
"""Longer words are compared by their beginning."""

_IGNORED = "'’ʼ\u00ad\u200b\u200c\u200d"
"""Inside a word these say nothing: "don't" is found as "dont"."""

# Combining accents, and the vowel points of Hebrew and Arabic. Other marks are letters, as in Devanagari.
_POINTS = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]")

# Thai and Lao, Burmese, Khmer, and the scripts of Chinese and Japanese.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff"
)


def _marks() -> str:
    """The marks that spell a word and that `\\w` leaves out."""
    found = [code for code in range(0x0370, 0x1_0000) if unicodedata.category(chr(code)) in ("Mn", "Mc")]
    return "".join(chr(code) for code in found)


_WORD = re.compile(rf"[{_UNSPACED}]+|(?:(?![{_UNSPACED}])(?:[^\W_]|[{_marks()}]))+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_ASCII_WORD = re.compile("[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a search. `is_prefix`: longer words that begin with it match too."""

    word: str
    is_prefix: bool


def fold(text: str) -> str:
    """The text without case, accents and signs that do not count."""
    plain = text.casefold() if text.isascii() else _folded(text)
    return plain.translate(_DROPPED)


_DROPPED = {ord(sign): None for sign in _IGNORED}


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", _POINTS.sub("", unicodedata.normalize("NFKD", text.casefold())))


def runs_of(text: str) -> list[str]:
    """The words of a text in order; a passage without spaces of an unspaced script is one."""
    folded = fold(text)
    return (_ASCII_WORD if folded.isascii() else _WORD).findall(folded)


def search_text(text: str) -> str:
    """What the index holds of a text: its words, each once, with a space between them."""
    words: dict[str, None] = {}
    for run in runs_of(text):
        words.update(dict.fromkeys((*_pairs(run), run[-1]) if _IS_UNSPACED.match(run) else (run[:WORD_CHARS_MAX],)))
    return " ".join(words)


def terms_of(keyword: str) -> list[Term]:
    """What a text must contain, all of it, to be found. Empty when the keyword has no letters or digits.

    The last word may be the beginning of one, since people are still typing it. So may words of three letters and
    more: that finds the inflected forms that most languages have.
    """
    runs = runs_of(keyword)
    terms: dict[Term, None] = {}
    for index, run in enumerate(runs):
        if not _IS_UNSPACED.match(run):
            terms[Term(run[:WORD_CHARS_MAX], index == len(runs) - 1 or len(run) >= 3)] = None
        elif len(run) == 1:
            terms[Term(run, True)] = None
        else:
            terms.update(dict.fromkeys(Term(pair, False) for pair in _pairs(run)))
    return list(terms)


def hits_in(text: str, keyword: str) -> list[tuple[int, int]]:
    """Where a text says what was searched for: spans of its characters in order, without overlaps."""
    folded, origins = _with_origins(text)
    spans: list[tuple[int, int]] = []
    runs = runs_of(keyword)
    for index, run in enumerate(runs):
        is_prefix = index == len(runs) - 1 or len(run) >= 3
        spans += _unspaced_spans(folded, run) if _IS_UNSPACED.match(run) else _word_spans(folded, run, is_prefix)
    merged: list[tuple[int, int]] = []
    for start, end in sorted((origins[start], origins[end - 1] + 1) for start, end in spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def words_of_text(context: DefaultExecutionContext) -> str:
    """The default of a column that holds the search text of the column `text` in the same insert."""
    text: str = context.get_current_parameters()["text"]  # type: ignore[no-untyped-call]
    return search_text(text)


def _pairs(run: str) -> list[str]:
    return [run[index : index + 2] for index in range(len(run) - 1)]


def _with_origins(text: str) -> tuple[str, list[int]]:
    """The folded text, and for each of its characters the index of the one it came from."""
    folded: list[str] = []
    origins: list[int] = []
    for index, letter in enumerate(text):
        for plain in fold(letter):
            folded.append(plain)
            origins.append(index)
    return "".join(folded), origins


def _word_spans(folded: str, word: str, is_prefix: bool) -> Iterator[tuple[int, int]]:
    for found in _WORD.finditer(folded):
        if found.group() == word or (is_prefix and found.group().startswith(word)):
            yield found.start(), found.start() + len(word)


def _unspaced_spans(folded: str, run: str) -> Iterator[tuple[int, int]]:
    for part in (run,) if run in folded else _pairs(run):
        for found in re.finditer(re.escape(part), folded):
            yield found.span()
