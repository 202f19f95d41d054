"""The characters that fonts can draw, and their widths: the bundled font first, then the system's fonts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from fontTools.ttLib import TTFont

from pipelines.media.fontconfig import drawable

FONTS_DIR = Path(__file__).with_name("fonts")
_FILE = FONTS_DIR / "DejaVuSans.ttf"
_OTHER_WIDTH = 0.9
"""Width of a character from another font, in font sizes. Han and kana are widest: 0.69 (Noto) to 0.86 (WenQuanYi)."""
_NEVER_DRAWN = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp", "Cs"})


@dataclass(frozen=True, slots=True)
class _OwnFont:
    """The width of each character in font sizes, as libass scales: ascent plus descent of the font is one size."""

    widths: dict[str, float]


@lru_cache
def _own_font() -> _OwnFont:
    with TTFont(_FILE, lazy=True) as font:
        table = font["OS/2"]
        height = table.usWinAscent + table.usWinDescent
        advances = font["hmtx"]
        names = font.getBestCmap()
        return _OwnFont({chr(code): advances[name][0] / height for code, name in names.items()})


def width_of(character: str) -> float:
    """The width of a character in font sizes; 0 for marks that sit on the character before."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    return _own_font().widths.get(character, _OTHER_WIDTH)


def missing_characters(texts: Iterable[str]) -> list[str]:
    """The characters that no font of this machine can draw, which would show as boxes, in code point order."""
    own = _own_font().widths
    foreign = {
        character
        for character in set().union(*texts)
        if character not in own
        and unicodedata.category(character) not in _NEVER_DRAWN
        and not _is_variation_selector(character)
    }
    return sorted(foreign - drawable(foreign)) if foreign else []


def _is_variation_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


_LISTED_MAX = 40


def boxes_sentence(missing: list[str]) -> str:
    """The sentence for people about characters that no font can draw."""
    more = f" and {len(missing) - _LISTED_MAX:,} more" if len(missing) > _LISTED_MAX else ""
    return (
        f"No font on this server can draw these characters: {' '.join(missing[:_LISTED_MAX])}{more}. They would show "
        "as boxes in the picture. Export with a subtitle track instead, or export anyway."
    )
