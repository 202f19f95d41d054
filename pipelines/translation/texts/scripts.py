"""Scripts: which text is written without spaces, and which texts share a script."""

from __future__ import annotations

import re
import unicodedata

_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff]"
)


def base_language(code: str) -> str:
    """`is-IS` -> `is`."""
    return code.replace("_", "-").split("-")[0].lower()


def is_unspaced(text: str) -> bool:
    """Whether most letters belong to scripts written without spaces: Han, kana, Thai, Lao, Khmer, Burmese."""
    letters = sum(character.isalpha() for character in text)
    return letters > 0 and 2 * len(_UNSPACED.findall(text)) > letters


def script_of(text: str) -> str:
    """The script of the first letter as Unicode names it (`LATIN`, `CYRILLIC`); empty without letters."""
    for character in text:
        if character.isalpha():
            return unicodedata.name(character, "").split(" ")[0]
    return ""
