"""Make text from people and clients safe to store and show, by one set of rules for every schema and path."""

from __future__ import annotations

import unicodedata
from typing import Any

from pydantic import BeforeValidator


def clean_line(text: str) -> str:
    """One line in NFC, without control and direction characters, trimmed.

    PostgreSQL refuses NUL, terminals obey escapes, and direction marks make a name look like another.
    """
    return "".join(letter if letter.isprintable() else " " for letter in unicodedata.normalize("NFC", text)).strip()


def _clean(value: Any) -> Any:
    return clean_line(value) if isinstance(value, str) else value


CLEAN_LINE = BeforeValidator(_clean)
"""Use as `Annotated[str, StringConstraints(...), CLEAN_LINE]`. Length limits apply to the cleaned text."""
