"""Dashes of dialogues and labels of speakers at the beginning of rows."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.captions.quality.profile import SpeakerLabel

# Two dashes in a row are an interruption, not a speaker.
DASH = re.compile(r"^([-‐‑–—])(?![-‐‑–—])([ \u00a0]?)(?=\S)")
_BRACKETS = re.compile(r"^\[([^\[\]]{1,40})\](?=\s\S)")
_PARENTHESES = re.compile(r"^\(([^()]{1,40})\)(?=\s\S)")
# Only capitals: `Note: ...` is text.
_COLON = re.compile(r"^([A-ZÀ-ÖØ-Þ][A-ZÀ-ÖØ-Þ0-9 .'-]{1,38}):(?=\s\S)")


@dataclass(frozen=True, slots=True)
class Label:
    """Who speaks a row, as its text says. `style` is None for a label in round brackets, which no profile wants."""

    name: str
    shown: str
    style: SpeakerLabel | None


def dash_of(row: str) -> str | None:
    """The dash that begins a row with its space, such as `- `."""
    found = DASH.match(row)
    return None if found is None else found[1] + (" " if found[2] else "")


def label_of(row: str) -> Label | None:
    for pattern, style in (
        (_BRACKETS, SpeakerLabel.BRACKETS),
        (_PARENTHESES, None),
        (_COLON, SpeakerLabel.COLON),
    ):
        found = pattern.match(row)
        if found is not None:
            return Label(found[1], found[0], style)
    return None
