"""Remove formatting codes from subtitle text."""

from __future__ import annotations

import html
import re

_TAG = re.compile(r"</?(?:i|b|u|s|em|strong|font|span)(?:\s[^<>]{0,300})?/?>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s{0,9}/?>", re.IGNORECASE)
_OVERRIDE = re.compile(r"\{\\[^{}]{0,300}\}")
"""`{\\an8}` and all other ASS codes, which many SRT files contain."""
# `html.unescape` passes the digits to `int`, which refuses more than 4,300.
_LONG_REFERENCE = re.compile(r"&(?=#(?:\d{8}|[xX][0-9a-fA-F]{7}))", re.ASCII)


def without_formatting(text: str) -> str:
    """The text without the HTML tags and ASS codes that SRT players understand. Every other `<` and `{` stays."""
    return _OVERRIDE.sub("", _TAG.sub("", _BREAK.sub("\n", text)))


def unescape(text: str) -> str:
    """Decode references such as `&amp;`. One that is longer than any character needs stays as it is."""
    return html.unescape(_LONG_REFERENCE.sub("&amp;", text))
