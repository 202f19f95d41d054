"""Rate the places between words as breaks, both between the rows of a line and between lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache

from pipelines.captions.function_words import ABBREVIATIONS, LEANING
from pipelines.captions.text import join_words, same_word, visible_length

_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*$")
_QUOTES = "\"'“”„‘’‚«»‹›()[]¿¡-–—"
_INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_])*")
_CLAUSE_END = re.compile(r"[,;:–—、，；：][\"'”’»)\]]*$|^[-–—]$")


class Break(IntEnum):
    """From the best place for a break to the worst."""

    SENTENCE = 0
    CLAUSE = 1
    PLAIN = 2
    LEANING = 3


@lru_cache(maxsize=65_536)
def break_after(word: str, following: str | None) -> Break:
    """Rate the place between a word and the next one (None: the text ends)."""
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
    return Break.LEANING if same_word(word) in LEANING else Break.PLAIN


_ROW_COST = {Break.SENTENCE: 0.0, Break.CLAUSE: 1.0, Break.PLAIN: 4.0, Break.LEANING: 12.0}


def rows_needed(lengths: Sequence[int], max_row: int) -> int:
    """The least number of rows for words of these `lengths`, with each row filled."""
    rows, used = 1, 0
    for length in lengths:
        if used and used + 1 + length > max_row:
            rows, used = rows + 1, length
        else:
            used += length + (1 if used else 0)
    return rows


def wrap(words: list[str], max_row: int, max_rows: int) -> list[str] | None:
    """The words as at most `max_rows` rows of at most `max_row` characters, balanced and broken at good places.

    Uses as few rows as possible. None when the words do not fit. A single word longer than a row is not cut.
    """
    whole = join_words(words)
    if visible_length(whole) <= max_row or len(words) == 1:
        return [whole]
    for rows in range(2, max_rows + 1):
        best = _wrap_into(words, max_row, rows)
        if best is not None:
            return best[1]
    return None


def _wrap_into(words: list[str], max_row: int, rows: int) -> tuple[float, list[str]] | None:
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
        tail = _wrap_into(words[cut:], max_row, rows - 1)
        if tail is None:
            continue
        cost = abs(length - goal) / 3 + _ROW_COST[break_after(words[cut - 1], words[cut])] + tail[0]
        if best is None or cost < best[0]:
            best = (cost, [head, *tail[1]])
    return best
