"""The bundled fonts: which characters each one draws, how wide, and which one draws a character of a caption."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pipelines.captions.emoji.sequences import EMOJI_FAMILY
from pipelines.messages.caption_style import CHOSEN_FAMILIES, DEFAULT_FAMILY

FONTS_DIR = Path(__file__).with_name("files")
_SCRIPTS = (
    *("Arabic", "Hebrew", "Thai", "Devanagari", "Bengali", "Tamil", "Telugu", "Kannada", "Malayalam", "Gujarati"),
    *("Gurmukhi", "Sinhala", "Khmer", "Lao", "Myanmar", "Ethiopic"),
)
_FALLBACKS = {
    **{f"Noto Sans {script}": (f"NotoSans{script}-Regular.ttf",) for script in _SCRIPTS},
    EMOJI_FAMILY: ("NotoEmoji-Regular.ttf",),
    DEFAULT_FAMILY: CHOSEN_FAMILIES[DEFAULT_FAMILY],
    "Noto Sans CJK JP": ("NotoSansCJKJP-Regular.otf",),
}
"""What draws the characters that the chosen family lacks, in this order."""
FONT_FILES = {**CHOSEN_FAMILIES, **_FALLBACKS}

_LETTERS = "etaoinshrdlu "
_EMOJI_SIGN = "\ufe0f"


@dataclass(frozen=True, slots=True)
class FontFace:
    """What a family draws. libass scales a font so that ascent plus descent is one font size.

    `em`: font sizes per em. `widths`: the advance of each character in ems.
    """

    family: str
    em: float
    widths: dict[str, float]

    @property
    def letter(self) -> float:
        """The width of an average letter in font sizes."""
        return sum(self.widths[letter] for letter in _LETTERS) / len(_LETTERS) * self.em


@lru_cache
def font_face(family: str) -> FontFace:
    """The regular face of a bundled family. Raises `KeyError` for any other."""
    # Processes that list the families need not load it.
    from fontTools.ttLib import TTFont

    with TTFont(FONTS_DIR / FONT_FILES[family][0], lazy=True) as font:
        table, units = font["OS/2"], font["head"].unitsPerEm
        height = table.usWinAscent + table.usWinDescent
        advances = font["hmtx"]
        widths = {chr(code): advances[name][0] / units for code, name in font.getBestCmap().items()}
        return FontFace(family, units / height, widths)


@lru_cache
def font_digest(name: str) -> str:
    """A digest of a bundled font file: another version of the product may draw the same text otherwise."""
    return hashlib.sha256((FONTS_DIR / name).read_bytes()).hexdigest()


@lru_cache
def bundled_fonts() -> str:
    """A digest of all bundled fonts."""
    each = [f"{path.name} {font_digest(path.name)}" for path in sorted(FONTS_DIR.iterdir())]
    return hashlib.sha256("\n".join(each).encode()).hexdigest()


def family_of(character: str, family: str) -> str | None:
    """The bundled family that draws a character where `family` is chosen; None when none does."""
    if character in font_face(family).widths:
        return family
    return _fallback(character)


@lru_cache(maxsize=8192)
def _fallback(character: str) -> str | None:
    return next((family for family in _FALLBACKS if character in font_face(family).widths), None)


def families_of(text: str, family: str) -> list[str | None]:
    """The family of each character. Marks, joiners and spaces stay with the character before them where they can.

    None stands for characters that no bundled font draws: libass looks for them among the fonts of the machine.
    """
    found: list[str | None] = []
    for index, character in enumerate(text):
        before = found[-1] if found else family
        is_wide = before == EMOJI_FAMILY and character.isspace() and character != "\n"
        if character == "\n" or (_stays(character) and not is_wide and (before is None or _draws(before, character))):
            found.append(before)
        elif text[index + 1 : index + 2] == _EMOJI_SIGN and character not in font_face(family).widths:
            found.append(EMOJI_FAMILY if _draws(EMOJI_FAMILY, character) else _fallback(character))
        else:
            found.append(family_of(character, family))
    return found


def _stays(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me", "Mc", "Cf", "Zs")


def _draws(family: str, character: str) -> bool:
    return character in font_face(family).widths or unicodedata.category(character) == "Cf"
