"""Sentences of answers in the language that the page asks for: English, or Icelandic of `icelandic/`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from api.platform.http.icelandic import NAMES, SENTENCES
from api.platform.http.openai_errors import OPENAI_PREFIX
from cluster.wording.catalogue import ENGLISH, languages
from cluster.wording.message import Message, Value

ICELANDIC = "is"
"""The tag of the language, as `User.locale` has it."""

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
    "work",
    "because",
    "engine",
    "rest",
}
"""What stands in these holes is a word of ours, not what a person wrote."""

_HOLE = re.compile(r"\{(\w+)\}")
_END = re.compile(r"(?:(?<=[.?!])|(?<=:S)) (?=[A-ZÁÉÍÓÚÝÞÆÖ“])")
"""Between two sentences. Some of ours end with `:S`."""
_PIECES_MAX = 8
_AMOUNT = re.compile(r"(\d{1,3}(?:,\d{3})*|\d+)(?:\.(\d+))?( (?:min|s|MB|GB))?")
"""A number, perhaps with its unit, as English sentences have it."""
_UNITS = {" min": " mín."}
_SINGULAR = re.compile(r"(^|[^1])1$")
"""CLDR's rule for Icelandic whole numbers: 1, 21 and 101 are singular, 11 and 111 are not."""


def wants_icelandic(accept_language: str | None) -> bool:
    """Whether this `Accept-Language` prefers Icelandic. Pages send the tag of the language that they are in."""
    return _preferred(accept_language) == ICELANDIC


def _preferred(accept_language: str | None) -> str:
    return (accept_language or "").strip().lower()[:2]


def language_of_page(path: str, accept_language: str | None) -> str:
    """The language in which a call to `path` is answered, such as `is`. English where we have no other."""
    language = _preferred(accept_language)
    return language if language in languages() and not path.startswith(_ENGLISH_ALWAYS) else ENGLISH


def in_language_of_page(body: dict[str, Any], path: str, accept_language: str | None) -> dict[str, Any]:
    """The body of an error with its sentences in the language of the page that called `path`."""
    language = language_of_page(path, accept_language)
    if language == ENGLISH:
        return body
    translated = {**body, "message": shown(body["message"], language)}
    if "errors" in body:
        translated["errors"] = {field: [shown(one, language) for one in many] for field, many in body["errors"].items()}
    return translated


def shown(text: str, language: str) -> str:
    """A sentence or label of ours as a reader of `language` gets it."""
    if isinstance(text, Message):
        return _with_known_words(text).text(language) if language == ICELANDIC else text.text(language)
    return icelandic(text) if language == ICELANDIC else text


def _with_known_words(message: Message) -> Message:
    """With the words of ours among the values in Icelandic, as long as they come as finished English."""
    values = {name: _known(name, value) for name, value in message.values.items()}
    return Message(message.code, message.english, **values)


def _known(name: str, value: Value) -> Value:
    if isinstance(value, Message) or not isinstance(value, str):
        return value
    return filled(f"{{{name}}}", {name: value})


def icelandic(sentence: str) -> str:
    """The sentence, or the several, in Icelandic; as it is where the catalogue does not have it."""
    if isinstance(sentence, Message):
        return shown(sentence, ICELANDIC)
    known = _one(sentence)
    if known is not None or len(sentence) > _LENGTH_MAX:
        return known or sentence
    return _several(sentence) or _by_template(sentence, across=True) or sentence


def _one(sentence: str) -> str | None:
    return SENTENCES.get(sentence) or _by_template(sentence, across=False)


def _by_template(sentence: str, *, across: bool) -> str | None:
    """By the most exact template. Unless `across`, no value may hold the end of one sentence and another one."""
    if len(sentence) > _LENGTH_MAX:
        return None
    for template in _templates():
        values = template.values_in(sentence)
        if values is not None and (across or not any(map(_END.search, values.values()))):
            return filled(template.icelandic, values)
    return None


def _several(sentences: str) -> str | None:
    """Sentences after one another, each by itself; a template may stand for two of them. None if one is unknown."""
    pieces = _END.split(sentences)
    if not 1 < len(pieces) <= _PIECES_MAX:
        return None
    translated: list[str] = []
    while pieces:
        count, known = _first(pieces)
        if known is None:
            return None
        translated.append(known)
        pieces = pieces[count:]
    return " ".join(translated)


def _first(pieces: list[str]) -> tuple[int, str | None]:
    """How many pieces the first sentence takes, and the sentence in Icelandic. A name in it may look like an end."""
    for count in range(len(pieces), 0, -1):
        known = _one(" ".join(pieces[:count]))
        if known is not None:
            return count, known
    for count in range(2, len(pieces)):
        known = _by_template(" ".join(pieces[:count]), across=True)
        if known is not None:
            return count, known
    return 0, None


def filled(form: str, values: Mapping[str, str]) -> str:
    """An Icelandic sentence with its values: `{count}` as it is, `{count:lína|línur}` the word that fits the number."""
    return form.format_map(
        {name: _Value(icelandic(value) if name in _OURS else _with_our_names(value)) for name, value in values.items()}
    )


def _with_our_names(value: str) -> str:
    """A value whose sentence names a part of the installation."""
    for english, name in NAMES.items():
        value = value.replace(english, name)
    return value


class _Value(str):
    """A value of a sentence. Numbers have Icelandic separators and units, and choose between `one|many`."""

    def __format__(self, spec: str) -> str:
        one, bar, many = spec.partition("|")
        if bar:
            return one if _SINGULAR.search(self) else many
        amount = _AMOUNT.fullmatch(self)
        return str(self) if amount is None else _amount(*amount.groups())


def _amount(whole: str, decimals: str | None, unit: str | None) -> str:
    number = whole.replace(",", ".") + (f",{decimals}" if decimals else "")
    return f"{number}{_UNITS.get(unit or '', unit or '')}"


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
    entries = SENTENCES.items()
    templates = [_Template(english, text) for english, text in entries if _HOLE.search(english)]
    return sorted(templates, key=lambda template: -sum(map(len, template.pieces)))
