"""Sentences of answers in the language that the page asks for: English, or Icelandic of `api/http/icelandic`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from api.http.icelandic import SENTENCES, WORDS
from api.http.openai_errors import OPENAI_PREFIX

_ENGLISH_ALWAYS = (OPENAI_PREFIX, "/api/v1/")
"""Programs read the answers of these calls."""

_LENGTH_MAX = 2_000
"""A longer sentence holds something of the request, and stays as it is."""

_OURS = {
    "label",
    "language",
    "source",
    "first",
    "second",
    "wanted",
    "who",
    "advice",
    "people",
    "more",
    "day",
    "problem",
}
"""What stands in these holes is a word of ours, not what a person wrote."""

_HOLE = re.compile(r"\{(\w+)\}")


def wants_icelandic(accept_language: str | None) -> bool:
    """Whether this `Accept-Language` prefers Icelandic. Pages send the tag of the language that they are in."""
    return (accept_language or "").strip().lower().startswith("is")


def in_language_of_page(body: dict[str, Any], path: str, accept_language: str | None) -> dict[str, Any]:
    """The body of an error with its sentences in the language of the page that called `path`."""
    if not wants_icelandic(accept_language) or path.startswith(_ENGLISH_ALWAYS):
        return body
    translated = {**body, "message": icelandic(body["message"])}
    if "errors" in body:
        translated["errors"] = {field: [icelandic(one) for one in many] for field, many in body["errors"].items()}
    return translated


def icelandic(sentence: str) -> str:
    """The sentence in Icelandic; as it is where the catalogue does not have it."""
    known = SENTENCES.get(sentence) or WORDS.get(sentence)
    if known is not None or len(sentence) > _LENGTH_MAX:
        return known or sentence
    for template in _templates():
        values = template.values_in(sentence)
        if values is not None:
            return template.icelandic.format_map(
                {name: icelandic(value) if name in _OURS else value for name, value in values.items()}
            )
    return sentence


@dataclass(frozen=True)
class _Template:
    """A sentence with holes such as `{count}`, which stand for values."""

    english: str
    icelandic: str

    @cached_property
    def pieces(self) -> list[str]:
        """What stands around and between the holes."""
        return _HOLE.split(self.english)[::2]

    @cached_property
    def names(self) -> list[str]:
        return _HOLE.findall(self.english)

    def values_in(self, sentence: str) -> Mapping[str, str] | None:
        """The values by name if the sentence has this form; each ends where the next piece occurs first."""
        first, *middle, last = self.pieces
        if not (sentence.startswith(first) and sentence.endswith(last)):
            return None
        place, end = len(first), len(sentence) - len(last)
        values: list[str] = []
        for piece in middle:
            found = sentence.find(piece, place, end)
            if found < 0:
                return None
            values.append(sentence[place:found])
            place = found + len(piece)
        if place >= end or not all(values):
            return None
        return dict(zip(self.names, [*values, sentence[place:end]], strict=True))


@cache
def _templates() -> list[_Template]:
    """Those with the most words of their own first, because they say most exactly what is meant."""
    entries = {**WORDS, **SENTENCES}.items()
    templates = [_Template(english, text) for english, text in entries if _HOLE.search(english)]
    return sorted(templates, key=lambda template: -sum(map(len, template.pieces)))
