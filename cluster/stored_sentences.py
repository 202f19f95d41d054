"""Sentences of ours outside a process: as text in rows, as values in JSON. What stays is the code with its values."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any

from cluster.wording.message import Message, Wording, message_of

_CODED = '{"code":'
"""How every stored message begins, and nothing else."""

VERBATIM = Wording("stored.verbatim", "{text}")
"""A text of somebody else's that looks like one of our messages."""


def stored_text(text: str) -> str:
    """A message as a row has it. A text without a code stays as it is."""
    if isinstance(text, Message):
        return json.dumps(text.as_json(), ensure_ascii=False, separators=(",", ":"))
    return stored_text(VERBATIM(text=text)) if text.startswith(_CODED) else text


def text_of(stored: str) -> str:
    """What `stored_text` wrote. Rows of versions that stored English hold text without a code."""
    return message_of(json.loads(stored)) if stored.startswith(_CODED) else stored


def sentence_as_json(text: str) -> Any:
    """A message as a value in JSON. A text without a code stays as it is."""
    return text.as_json() if isinstance(text, Message) else text


def sentence_of_json(value: Any) -> str:
    """What `sentence_as_json` wrote."""
    return message_of(value) if _is_coded(value) else str(value)


def _is_coded(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"code", "values"}


class _Sentence:
    """What pydantic does with such a field: of itself it would make a plain string of a message.

    pydantic is imported when a model has such a field, as engines are measured where it is not installed.
    """

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_wrap_validator_function(
            _kept,
            handler(source),
            serialization=core_schema.plain_serializer_function_ser_schema(sentence_as_json, when_used="json"),
        )


def _kept(value: Any, as_text: Callable[[Any], str]) -> str:
    if isinstance(value, Message):
        return value
    return message_of(value) if _is_coded(value) else as_text(value)


SentenceText = Annotated[str, _Sentence()]
"""A field with a sentence of ours, in values that cross processes as JSON. A text without a code stays one."""
