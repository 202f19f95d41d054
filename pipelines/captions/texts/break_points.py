"""Rate the places between words as breaks, both between the rows of a line and between lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise

from pipelines.captions.texts.function_words import ABBREVIATIONS, leaning_in, links_in
from pipelines.captions.texts.script_breaks import places_in
from pipelines.captions.texts.text import join_words, same_word, visible_length, word_spans, word_units

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
    INSIDE = 5
    """Between two characters of one word, in a script without spaces."""
    FORBIDDEN = 6
    """Where the script allows no break: before a closing bracket, inside a grapheme, at a no-break space."""


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
_ROW_COST = {
    Break.SENTENCE: 0.0,
    Break.CLAUSE: 1.0,
    Break.LINK: 2.5,
    Break.PLAIN: 4.0,
    Break.LEANING: 12.0,
    Break.INSIDE: 16.0,
}


def breaks_between(text: str, spans: Sequence[tuple[int, int]], language: str = "") -> list[Break]:
    """Rate each place between two words of one row of text, whose words lie at `spans`."""
    places = places_in(text)
    ratings: list[Break] = []
    for (start, stop), (following, after) in pairwise(spans):
        rating = break_after(text[start:stop], text[following:after], language)
        if places is not None and following not in places.allowed:
            rating = Break.FORBIDDEN
        elif places is not None and stop == following and following not in places.words and rating >= Break.LINK:
            rating = Break.INSIDE
        ratings.append(rating)
    return ratings


def rows_needed(lengths: Sequence[int], max_row: int, gaps: Sequence[int] | None = None) -> int:
    """The least number of rows for words of these `lengths`, with each row filled.

    `gaps` has the width of what stands after each word: 1 for a space (as without `gaps`), 0 for nothing; where no row
    may break, -1 less that.
    """
    rows, used, atom = 1, 0, 0
    space = 0
    for index, length in enumerate(lengths):
        gap = 1 if gaps is None else gaps[index]
        atom += length
        if gap < 0 and index + 1 < len(lengths):
            atom += -1 - gap
            continue
        if used and used + space + atom > max_row:
            rows, used = rows + 1, atom
        else:
            used += atom + (space if used else 0)
        atom, space = 0, max(0, gap)
    return rows


def wrap(words: list[str], max_row: int, max_rows: int, language: str = "") -> list[str] | None:
    """The words as at most `max_rows` rows of at most `max_row` characters, balanced and broken at good places.

    Uses as few rows as possible, and breaks none where the script forbids it. None when the words do not fit. A single
    word longer than a row is not cut.
    """
    text = join_words(words)
    return _wrapped(text, word_spans(text, words), max_row, max_rows, language)


def wrap_text(text: str, max_row: int, max_rows: int, language: str = "") -> list[str] | None:
    """The rows of a text wrapped anew, as by `wrap`. Every other space stays, also one that is not the usual one."""
    text = join_words(text.split("\n"))
    return _wrapped(text, word_spans(text, word_units(text)), max_row, max_rows, language)


def _wrapped(
    text: str, spans: Sequence[tuple[int, int]], max_row: int, max_rows: int, language: str
) -> list[str] | None:
    if visible_length(text) <= max_row or len(spans) < 2:
        return [text]
    ratings = breaks_between(text, spans, language)
    atoms = [spans[0]]
    costs: list[float] = []
    for rating, (start, stop) in zip(ratings, spans[1:], strict=True):
        if rating is Break.FORBIDDEN:
            atoms[-1] = (atoms[-1][0], stop)
        else:
            atoms.append((start, stop))
            costs.append(_ROW_COST[rating])
    for rows in range(2, max_rows + 1):
        best = _wrap_into(text, atoms, costs, max_row, rows)
        if best is not None:
            return best[1]
    return None


def _wrap_into(
    text: str, atoms: Sequence[tuple[int, int]], costs: Sequence[float], max_row: int, rows: int
) -> tuple[float, list[str]] | None:
    whole = text[atoms[0][0] : atoms[-1][1]]
    length = visible_length(whole)
    if rows == 1:
        return (0.0, [whole]) if length <= max_row or len(atoms) == 1 else None
    best: tuple[float, list[str]] | None = None
    goal = length / rows
    for cut in range(1, len(atoms) - rows + 2):
        head = text[atoms[0][0] : atoms[cut - 1][1]]
        length = visible_length(head)
        if length > max_row and cut > 1:
            break
        tail = _wrap_into(text, atoms[cut:], costs[cut:], max_row, rows - 1)
        if tail is None:
            continue
        cost = abs(length - goal) / 3 + costs[cut - 1] + tail[0]
        if best is None or cost < best[0]:
            best = (cost, [head, *tail[1]])
    return best
