"""Sentences of ours outside a process: as text in rows, as values in JSON. What stays is the code with its values."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import PlainSerializer, ValidatorFunctionWrapHandler, WrapValidator

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


def _kept(value: Any, as_text: ValidatorFunctionWrapHandler) -> str:
    """Pydantic would make a plain string of a message."""
    if isinstance(value, Message):
        return value
    return message_of(value) if _is_coded(value) else as_text(value)


SentenceText = Annotated[str, WrapValidator(_kept), PlainSerializer(sentence_as_json, when_used="json")]
"""A field with a sentence of ours, in values that cross processes as JSON. A text without a code stays one."""
