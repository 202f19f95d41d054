"""Fits caption text into the width of a picture, and bounds the time it takes to draw."""

from __future__ import annotations

import math
import re
import unicodedata
from functools import lru_cache

from pipelines.captions.emoji.sequences import EMOJI_FAMILY
from pipelines.captions.fonts.font_files import family_of
from pipelines.captions.fonts.glyphs import width_of
from pipelines.messages.caption_style import DEFAULT_FAMILY

_RUN = re.compile(r"[^ \n]+")
_MARKS_MAX = 8
"""Marks drawn on one character. No language needs as many, and libass lays out each one separately."""
_BREAK_BEHIND = frozenset("/-–—_.?&=,;:!+#%)]}|\\。、，．！？；：」』）】")
_NOT_FIRST = frozenset("/-–—_.?&=,;:!+#%)]}|\\。、，．！？；：」』）】ー々ゝぁぃぅぇぉっゃゅょァィゥェォッャュョ")
_JOINER = "\u200d"
_SKIN_TONES = frozenset("🏻🏼🏽🏾🏿")
_FLAG_LETTERS = re.compile("[\U0001f1e6-\U0001f1ff]")
_ROOM_FOR_BREAK = 0.75
"""Break after a sign only when at least this share of the row is filled."""


def fit_rows(text: str, size: float, room: float, family: str = DEFAULT_FAMILY, *, row_end: str = "\n") -> str:
    """The text with `row_end` in each run without spaces that is wider than `room` at this font size (both in pixels).

    Scripts without spaces form such runs: libass breaks rows only at spaces.
    """
    return _RUN.sub(lambda run: _broken(run[0], room / size, family, row_end), without_piles(text))


# Texts repeat their words: of a megabyte of them this takes a tenth of the time.
@lru_cache(maxsize=4096)
def _broken(run: str, room: float, family: str, row_end: str) -> str:
    clusters = _clusters(run)
    widths = [_width(cluster, family) for cluster in clusters]
    whole = sum(widths)
    if whole <= room:
        return run
    # Rows of about equal length, instead of full ones and a short last one.
    goal = min(room, whole / math.ceil(whole / room) * 1.1)
    rows: list[list[str]] = [[]]
    used = 0.0
    for cluster, width in zip(clusters, widths, strict=True):
        behind_sign = bool(rows[-1]) and rows[-1][-1] in _BREAK_BEHIND and used >= goal * _ROOM_FOR_BREAK
        too_wide = used + width > room or (used + width > goal and cluster not in _NOT_FIRST)
        if rows[-1] and (too_wide or (behind_sign and cluster not in _NOT_FIRST)):
            rows.append([])
            used = 0.0
        rows[-1].append(cluster)
        used += width
    return row_end.join("".join(row) for row in rows)


def _width(cluster: str, family: str) -> float:
    is_emoji = len(cluster) > 1 and family_of(cluster[0], family) == EMOJI_FAMILY
    # Several characters are one picture, as wide as any other.
    return sum(width_of(character, family) for character in (cluster[0] if is_emoji else cluster))


def _clusters(run: str) -> list[str]:
    """Characters together with the marks and joined characters that follow them."""
    clusters: list[str] = []
    for character in run:
        joined = unicodedata.category(character) in ("Mn", "Me", "Mc", "Cf") or character in _SKIN_TONES
        if clusters and (joined or clusters[-1][-1] == _JOINER or _is_half_flag(clusters[-1], character)):
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters


def _is_half_flag(cluster: str, character: str) -> bool:
    """Whether both are letters of a flag, which has two."""
    return len(cluster) == 1 and all(_FLAG_LETTERS.fullmatch(each) for each in (cluster, character))


def without_piles(text: str) -> str:
    """The text with at most as many marks on one character as are drawn."""
    if text.isascii():
        return text
    kept: list[str] = []
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks <= _MARKS_MAX:
            kept.append(character)
    return "".join(kept)
