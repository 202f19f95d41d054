"""Rate the places between words as breaks, both between the rows of a line and between lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache

from pipelines.captions.function_words import ABBREVIATIONS, leaning_in, links_in
from pipelines.captions.text import join_words, same_word, visible_length

_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*$")
_QUOTES = "\"'“”„‘’‚«»‹›()[]¿¡-–—"
_INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_])*")
_CLAUSE_END = re.compile(r"[,;:–—、，；：][\"'”’»)\]]*$|^[-–—]$")


class Break(IntEnum):
    """From the best place for a break to the worst."""

    SENTENCE = 0
    CLAUSE = 1
    LINK = 2
    """Before a conjunction or preposition."""
    PLAIN = 3
    LEANING = 4


@lru_cache(maxsize=65_536)
def break_after(word: str, following: str | None, language: str = "") -> Break:
    """Rate the place between a word and the next one (None: the text ends).

    With a language, given as a code without a region, also by Netflix's rules on line treatment: before conjunctions
    and prepositions, never between first and last name, number and noun, or subject pronoun and verb.
    """
    if following is None:
        return Break.SENTENCE
    if _SENTENCE_END.search(word):
        bare = word.strip(_QUOTES).rstrip(".").casefold()
        # A stop ends no sentence before a small letter (`3. maí`) or after an abbreviation or initial (`J. Smith`).
        stops = word[-1:] == "." and (
            following[:1].islower() or bare in ABBREVIATIONS or _INITIALS.fullmatch(bare) is not None
        )
        return Break.PLAIN if stops else Break.SENTENCE
    if _CLAUSE_END.search(word):
        return Break.CLAUSE
    if same_word(word) in leaning_in(language):
        return Break.LEANING
    if not language:
        return Break.PLAIN
    if _is_name(word, following, language) or (word.isdecimal() and following[:1].islower()):
        return Break.LEANING
    return Break.LINK if following in links_in(language) else Break.PLAIN


def _is_name(word: str, following: str, language: str) -> bool:
    """Whether two words in capitals are first and last name. German writes every noun so."""
    capitals = _CAPITAL.match(word) is not None and _CAPITAL.match(following) is not None
    return capitals and language != "de"


_CAPITAL = re.compile(r"[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]")
_ROW_COST = {Break.SENTENCE: 0.0, Break.CLAUSE: 1.0, Break.LINK: 2.5, Break.PLAIN: 4.0, Break.LEANING: 12.0}


def rows_needed(lengths: Sequence[int], max_row: int) -> int:
    """The least number of rows for words of these `lengths`, with each row filled."""
    rows, used = 1, 0
    for length in lengths:
        if used and used + 1 + length > max_row:
            rows, used = rows + 1, length
        else:
            used += length + (1 if used else 0)
    return rows


def wrap(words: list[str], max_row: int, max_rows: int, language: str = "") -> list[str] | None:
    """The words as at most `max_rows` rows of at most `max_row` characters, balanced and broken at good places.

    Uses as few rows as possible. None when the words do not fit. A single word longer than a row is not cut.
    """
    whole = join_words(words)
    if visible_length(whole) <= max_row or len(words) == 1:
        return [whole]
    for rows in range(2, max_rows + 1):
        best = _wrap_into(words, max_row, rows, language)
        if best is not None:
            return best[1]
    return None


def _wrap_into(words: list[str], max_row: int, rows: int, language: str) -> tuple[float, list[str]] | None:
    whole = join_words(words)
    if rows == 1:
        return (0.0, [whole]) if visible_length(whole) <= max_row or len(words) == 1 else None
    best: tuple[float, list[str]] | None = None
    goal = visible_length(whole) / rows
    for cut in range(1, len(words) - rows + 2):
        head = join_words(words[:cut])
        length = visible_length(head)
        if length > max_row and cut > 1:
            break
        tail = _wrap_into(words[cut:], max_row, rows - 1, language)
        if tail is None:
            continue
        place = break_after(words[cut - 1], words[cut], language)
        cost = abs(length - goal) / 3 + _ROW_COST[place] + tail[0]
        if best is None or cost < best[0]:
            best = (cost, [head, *tail[1]])
    return best
