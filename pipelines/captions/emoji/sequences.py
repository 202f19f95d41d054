"""Which characters of a text are emoji: one, or several that make one picture, such as a flag or a family."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.captions.emoji.artwork import emoji_at

EMOJI_FAMILY = "Noto Emoji"
"""The bundled font that draws emoji as letters."""
_AS_EMOJI, _AS_TEXT = "\ufe0f", "\ufe0e"
_PICTURES = re.compile("[\U0001f000-\U0001ffff]")
"""Almost all of these that have a picture are presented as emoji."""
_PRESENTED = frozenset(
    "⌚⌛⏩⏪⏫⏬⏰⏳◽◾☔☕♈♉♊♋♌♍♎♏♐♑♒♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛎⛔⛪⛲⛳⛵⛺⛽✅✊✋✨❌❎❓❔❕❗➕➖➗➰➿⬛⬜⭐⭕"
)
"""Those before that are too: `Emoji_Presentation` of Unicode's emoji-data.txt."""
_SIGNS = _PRESENTED | {_AS_EMOJI}


def emoji_starts(text: str, families: Sequence[str | None]) -> list[int | None]:
    """For each character where its emoji begins; None for all others. `families` are the fonts of the characters.

    Where the chosen font has the character too, it is an emoji if Unicode presents it as one, such as ⭐, or the sign
    behind it says so, as in ©️ (https://unicode.org/reports/tr51/#Presentation_Style).
    """
    starts: list[int | None] = [None] * len(text)
    if EMOJI_FAMILY not in families and _SIGNS.isdisjoint(text) and not _PICTURES.search(text):
        return starts
    index = 0
    while index < len(text):
        found = emoji_at(text, index)
        is_emoji = found is not None and (families[index] == EMOJI_FAMILY or _is_emoji(found))
        length = len(found) if found is not None and is_emoji else 1
        if is_emoji and text[index + length : index + length + 1] != _AS_TEXT:
            starts[index : index + length] = [index] * length
        index += length
    return starts


def _is_emoji(emoji: str) -> bool:
    return _PICTURES.match(emoji) is not None or emoji[0] in _PRESENTED or len(emoji) > 1
