"""The characters that fonts can draw, and their widths: the bundled fonts first, then the system's."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from cluster.wording.message import Wording
from pipelines.captions.fonts.font_files import bundled_fonts, family_of, font_face
from pipelines.captions.fonts.fontconfig import drawable, installed_fonts
from pipelines.messages.caption_style import DEFAULT_FAMILY

_OTHER_WIDTH = 0.9
"""Width of a character from a font of the system, in font sizes. The widest we measured is 0.86 (WenQuanYi)."""
_NEVER_DRAWN = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp", "Cs"})


def width_of(character: str, family: str = DEFAULT_FAMILY) -> float:
    """The width of a character in sizes of the chosen font; 0 for marks that sit on the character before.

    Bundled fonts that stand in for the chosen one are drawn with the same em.
    """
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    drawn_by = family_of(character, family)
    return _OTHER_WIDTH if drawn_by is None else font_face(drawn_by).widths[character] * font_face(family).em


def missing_characters(texts: Iterable[str], family: str = DEFAULT_FAMILY) -> list[str]:
    """The characters that no font of this machine can draw, which would show as boxes, in code point order."""
    foreign = unbundled_characters(texts, family)
    return sorted(foreign - drawable(foreign)) if foreign else []


def fonts_of(texts: Iterable[str], family: str = DEFAULT_FAMILY) -> list[str]:
    """What identifies the fonts that draw these texts. Those of the machine count only where the bundled do not do."""
    return [bundled_fonts(), *(installed_fonts() if unbundled_characters(texts, family) else ())]


def unbundled_characters(texts: Iterable[str], family: str = DEFAULT_FAMILY) -> set[str]:
    """The characters that no bundled font draws."""
    return {
        character
        for character in set().union(*texts)
        if unicodedata.category(character) not in _NEVER_DRAWN
        and not _is_variation_selector(character)
        and family_of(character, family) is None
    }


def _is_variation_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


_LISTED_MAX = 40


_BOXES = Wording(
    "captions.fonts.boxes",
    "No font on this server can draw these characters: {characters}. They would show as boxes in the picture. Export "
    "with a subtitle track instead, or export anyway. An administrator can install a font that has them, such as the "
    "Debian packages fonts-noto-core and fonts-noto-extra.",
)
_AND_MORE = Wording("captions.fonts.and_more", "{characters} and {count:,} more", "{characters} and {count:,} more")


def boxes_sentence(missing: list[str]) -> str:
    """The sentence for people about characters that no font can draw."""
    characters, more = " ".join(missing[:_LISTED_MAX]), len(missing) - _LISTED_MAX
    return _BOXES(characters=_AND_MORE(characters=characters, count=more) if more > 0 else characters)
