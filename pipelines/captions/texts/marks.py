"""Dashes of dialogues and labels of speakers at the beginning of rows, and signs that may not stand at an edge."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from pipelines.captions.texts.text import UNSPACED, is_torn

# Two dashes in a row are an interruption, not a speaker.
DASH = re.compile(r"^([-‐‑–—])(?![-‐‑–—])([ \u00a0]?)(?=\S)")
_BRACKETS = re.compile(r"^\[([^\[\]]{1,40})\](?=\s\S)")
_PARENTHESES = re.compile(r"^\(([^()]{1,40})\)(?=\s\S)")
# Only capitals: `Note: ...` is text.
_COLON = re.compile(r"^([A-ZÀ-ÖØ-Þ][A-ZÀ-ÖØ-Þ0-9 .'-]{1,38}):(?=\s\S)")


class SpeakerLabel(StrEnum):
    """How a text says who speaks: `[John]` or `JOHN:`."""

    BRACKETS = "brackets"
    COLON = "colon"


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


# What no row begins or ends with, beside letters of scripts without spaces: closing and opening brackets, small kana,
# marks of length and repetition, full stops, and vowels of Thai and Lao. As UAX 14 has it, strict.
_NOT_FIRST = re.compile(
    "[、。，．・：；？！?!,.:;%…‥ー々ゝゞヽヾぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿ"
    "）」』】〉》〕］｝)\\]}”’｡､｣ｰﾞﾟ\u0e2f\u0e30\u0e32\u0e33\u0e45\u0e46\u0eb0\u0eb2\u0eb3\u0ec6\u17d4\u17d5\u17d6\u17d7]"
)
_NOT_LAST = re.compile("[「『（【〈《〔［｛｢“‘(\\[{\u0e40-\u0e44\u0ec0-\u0ec4]")
_UNSPACED_SIGN = re.compile(f"[{UNSPACED}\u3001-\u3015\uff01-\uff9f]")


def forbidden_break(upper: str, lower: str) -> tuple[str, str] | None:
    """The characters at the edges of two rows, if no row may break between them; else None.

    Less than UAX 14 knows, and without a dictionary, so that the editor can judge the same while a person types.
    """
    if not upper or not lower:
        return None
    last, first = upper[-1], lower[0]
    by_rule = (_UNSPACED_SIGN.match(last) and _NOT_FIRST.match(first)) or (
        _NOT_LAST.match(last) and _UNSPACED_SIGN.match(first)
    )
    return (last, first) if by_rule or is_torn(upper, lower) else None
