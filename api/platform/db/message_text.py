"""Sentences of ours in a row: the code with its values, so that each reader gets them in a language of their own."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from cluster.stored_sentences import stored_text, text_of


class MessageText(TypeDecorator[str]):
    """A column of sentences: a `Message` comes back as one. In SQL, compare with `==` to a `Message` alone."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else stored_text(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else text_of(value)
