"""Sentences and labels of ours: a code with values, which the edge renders in the reader's language.

`Wording("keys.too_many", "You have {count} API keys, and no more fit.")` declares one, `TOO_MANY(count=20)` says it.
`Message("keys.too_many", "You have {count} API keys, and no more fit.", count=20)` does both at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from cluster.wording.catalogue import ENGLISH, catalogue, english_of
from cluster.wording.values import rendered

Value = str | int | float | date
"""A value of a sentence. A `Message` is a `str`, and is rendered in the reader's language too."""


class Message(str):
    """A sentence with its values. As a `str` it is the English one, for logs, programs and comparisons."""

    code: str
    english: str
    """The form, with holes such as `{count}`."""
    values: Mapping[str, Value]

    def __new__(cls, code: str, english: str, /, **values: Value) -> Message:
        message = super().__new__(cls, rendered(english, values, ENGLISH) if values else english)
        message.code, message.english, message.values = code, english, values
        return message

    def __str__(self) -> str:
        """Itself, so that `str(error)` of an error that says it has its code too."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (partial(Message, **self.values), (self.code, self.english))

    def text(self, language: str) -> str:
        """In `language`, such as `is`; in English where its catalogue lacks the code."""
        forms = None if language == ENGLISH else catalogue(language).get(self.code)
        if forms is None:
            return str(self)
        return rendered(forms, self.values, language)

    def as_json(self) -> dict[str, Any]:
        """`{"code", "values"}`. A day stands as `{"day": "2027-03-04"}`."""
        return {"code": self.code, "values": {name: _value_as_json(value) for name, value in self.values.items()}}


@dataclass(frozen=True)
class Wording:
    """The declaration of a sentence: a code that stays, and its English form.

    With `plural`, `english` is for a `count` of one. A sentence with several numbers, or with one word that follows
    its number, chooses inside a hole: `{lines:line|lines}`.
    """

    code: str
    english: str
    plural: str | None = None

    def __call__(self, **values: Value) -> Message:
        form = self.english if self.plural is None or values["count"] == 1 else self.plural
        return Message(self.code, form, **values)


def message_of(stored: Mapping[str, Any]) -> Message:
    """The message that `as_json` wrote. A code that no catalogue has any more shows as itself."""
    values = {name: _value_of(value) for name, value in stored["values"].items()}
    return Message(stored["code"], english_of(stored["code"], values.get("count")) or stored["code"], **values)


def in_language(text: str, language: str) -> str:
    """A text for a reader: a message in the language, anything else as it is."""
    return text.text(language) if isinstance(text, Message) else text


def replaced(text: str, old: str, new: str) -> str:
    """The text with `new` for `old`, in a message wherever it stands in a value. It stays a message."""
    if not isinstance(text, Message):
        return new if text == old else text.replace(old, new)
    values = {
        name: replaced(value, old, new) if isinstance(value, str) else value for name, value in text.values.items()
    }
    return Message(text.code, text.english, **values)


def _value_as_json(value: Value) -> Any:
    if isinstance(value, Message):
        return value.as_json()
    return {"day": value.isoformat()} if isinstance(value, date) else value


def _value_of(value: Any) -> Value:
    match value:
        case {"code": _, "values": _}:
            return message_of(value)
        case {"day": day}:
            return date.fromisoformat(day[:10])
    return value  # type: ignore[no-any-return]
