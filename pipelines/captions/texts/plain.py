"""Captions as plain text, without times."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.captions.texts.text import clean_text, join_words
from pipelines.messages.lines import CaptionLine

_PARAGRAPH_PAUSE_MS = 2_000


def format_plain(lines: Sequence[CaptionLine]) -> str:
    """The text as paragraphs. A new one begins after a silence of two seconds."""
    paragraphs: list[list[str]] = []
    spoken_until: int | None = None
    for line in lines:
        rows = clean_text(line.text).split("\n")
        if spoken_until is None or line.start_ms - spoken_until >= _PARAGRAPH_PAUSE_MS:
            paragraphs.append([])
        paragraphs[-1].extend(row for row in rows if row)
        spoken_until = line.end_ms
    return "\n\n".join(join_words(paragraph) for paragraph in paragraphs if paragraph) + "\n" if lines else ""
