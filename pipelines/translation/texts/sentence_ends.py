"""Where sentences end, also in scripts that the line builder does not meet: Arabic, Devanagari, Ethiopic, Khmer ..."""

from __future__ import annotations

import re

from pipelines.captions.texts.break_points import Break, break_after
from pipelines.captions.texts.text import word_units

_CLOSING = r"[\"'”’»)\]」』）】]*"
_TERMINATOR = re.compile(rf"[.!?…。！？؟۔।॥։።፧។៕။༎‼⁇⁈⁉]{_CLOSING}$")
_CLAUSE = re.compile(rf"[,;:،؛、，；：]{_CLOSING}$")
_NO = re.compile(r"\W*no\.\W*", re.IGNORECASE)
_ELLIPSIS = re.compile(rf"(?:…|\.\.\.){_CLOSING}$")


def break_between(word: str, following: str | None) -> Break:
    """Rate the place between two words, by `break_after` and the punctuation of further scripts."""
    if following is not None and _ELLIPSIS.search(word) and following[:1].islower():
        # Speech that trails off and goes on.
        return Break.CLAUSE
    if _NO.fullmatch(word) and not (following or "")[:1].isdigit():
        # An answer, not the abbreviation of "number".
        return Break.SENTENCE
    rated = break_after(word, following)
    if rated in (Break.SENTENCE, Break.CLAUSE):
        return rated
    # A full stop that `break_after` did not take for an end stands in an abbreviation.
    if _TERMINATOR.search(word) and not word.endswith("."):
        return Break.SENTENCE
    return Break.CLAUSE if _CLAUSE.search(word) else rated


def ends_sentence(text: str, following: str) -> bool:
    """Whether a cue's text ends its sentence. `following` is the text of the next cue."""
    words = word_units(text)
    if not words:
        return True
    if not _TERMINATOR.search(words[-1]):
        return False
    after = word_units(following)
    return break_between(words[-1], after[0] if after else "") is Break.SENTENCE


def sentences(text: str) -> list[str]:
    """The sentences of one row of text. Nothing but the white space between them is lost."""
    parts: list[str] = []
    start = 0
    for match in re.finditer(rf"[.!?…。！？؟۔।॥።។။]{_CLOSING}(?:\s+|(?<=[。！？])(?=\S))", text):
        if ends_sentence(text[start : match.end()].strip(), text[match.end() :]):
            parts.append(text[start : match.end()].strip())
            start = match.end()
    rest = text[start:].strip()
    return [*parts, rest] if rest else parts
