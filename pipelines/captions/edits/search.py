"""Find text or a pattern in caption lines and replace it. The editor does the same (`ui/src/features/captions/find`).

Patterns run on RE2, whose time grows with the text and no faster, whatever the pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import re2

from cluster.wording.message import Message, Wording
from pipelines.captions.edits.bulk import BulkChange, LineChange, change_lines
from pipelines.captions.edits.edit import EditRefused, EditResult
from pipelines.captions.limits import BULK_LINES_MAX, LINE_CHARS_MAX
from pipelines.messages.lines import CaptionLine

PATTERN_BYTES_MAX = 2_000_000
"""Memory of one compiled pattern. `(a{1000}){1000}` would take gigabytes."""

TOO_LONG = Wording(
    "pipelines.captions.too_long",
    "Some lines would have more than {limit:,} characters after this. Use a shorter replacement.",
)
TOO_MANY = Wording(
    "pipelines.captions.too_many",
    "More than {limit:,} lines would change. Replace in a part of the file, in its editor.",
)

_REFERENCE = re.compile(r"\$([$&\d])")
_IN_WORD = re.compile(r"\w")


class BadPattern(ValueError):
    """The pattern cannot be used. The message is a sentence for the person."""


class _Found(Protocol):
    def span(self) -> tuple[int, int]: ...

    def groups(self) -> tuple[Any, ...]: ...

    def group(self) -> str: ...


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """What to look for, as `SearchTerms` in the editor."""

    query: str
    match_case: bool = False
    whole_word: bool = False
    is_pattern: bool = False


class Replacement:
    """Replaces what the terms find. Raises `BadPattern`."""

    def __init__(self, terms: SearchTerms, replacement: str) -> None:
        self._terms = terms
        self._replacement = replacement
        self._expression = _compiled(terms)

    def of(self, text: str) -> tuple[str, int]:
        """The text with every match replaced, and how many there were."""
        parts: list[str] = []
        at = 0
        count = 0
        for found in self._matches(text):
            start, end = found.span()
            parts += [text[at:start], self._replacement_for(found)]
            at = end
            count += 1
        return ("".join([*parts, text[at:]]), count) if count else (text, 0)

    def _matches(self, text: str) -> Iterator[_Found]:
        for found in self._expression.finditer(text):
            start, end = found.span()
            if end > start and not (self._terms.whole_word and _is_in_word(text, start, end)):
                yield found

    def _replacement_for(self, found: _Found) -> str:
        if not self._terms.is_pattern:
            return self._replacement
        groups = (found.group(), *found.groups())

        def referred(sign: re.Match[str]) -> str:
            if sign[1] == "$":
                return "$"
            number = 0 if sign[1] == "&" else int(sign[1])
            return (groups[number] or "") if number < len(groups) else ""

        return _REFERENCE.sub(referred, self._replacement)


def _compiled(terms: SearchTerms) -> Any:
    if not terms.is_pattern:
        return re.compile(re.escape(terms.query), 0 if terms.match_case else re.IGNORECASE)
    options = re2.Options()
    options.case_sensitive = terms.match_case
    options.max_mem = PATTERN_BYTES_MAX
    options.log_errors = False
    try:
        return re2.compile(terms.query, options)
    except re2.error as error:
        raise BadPattern(_sentence(error)) from error


def _sentence(error: re2.error) -> str:
    """RE2 says what is wrong in English, then where, after a colon: `missing ]: [`, as bytes."""
    said = error.args[0] if error.args else ""
    said = said.decode(errors="replace") if isinstance(said, bytes) else str(said)
    _, _, place = said.partition(": ")
    if not place:
        return Message(
            "pipelines.captions.pattern.bad",
            "This pattern cannot be used. Correct it, or search for plain text.",
        )
    return Message(
        "pipelines.captions.pattern.bad_at",
        "This pattern cannot be used because of “{place}”. Correct it, or search for plain text.",
        place=place,
    )


def _is_in_word(text: str, start: int, end: int) -> bool:
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    return bool(_IN_WORD.match(before) or _IN_WORD.match(after))


def replace_text(lines: Sequence[CaptionLine], replacement: Replacement) -> tuple[EditResult, int]:
    """The change, and how many matches there were. Locked lines stay. Raises `EditRefused`."""
    texts = [(line, *replacement.of(line.text)) for line in lines if not line.locked]
    found = [(line, text) for line, text, count in texts if count and text != line.text]
    if len(found) > BULK_LINES_MAX:
        raise EditRefused(TOO_MANY(limit=BULK_LINES_MAX))
    if any(len(text) > LINE_CHARS_MAX for _, text in found):
        raise EditRefused(TOO_LONG(limit=LINE_CHARS_MAX))
    result = change_lines(lines, BulkChange([LineChange(line.id, text) for line, text in found]))
    return result, sum(count for _, _, count in texts)
