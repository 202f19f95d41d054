"""Sentences of ours in a row: the code with its values, so that each reader gets them in a language of their own."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

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


class MessageText(TypeDecorator[str]):
    """A column of sentences: a `Message` comes back as one. In SQL, compare with `==` to a `Message` alone."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else stored_text(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else text_of(value)
