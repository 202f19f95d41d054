"""The script with which a browser draws captions as an export would."""

from __future__ import annotations

import re

from api.content.styles.schemas import FontOut, ScriptOut, ScriptRequest
from pipelines.captions.fonts.font_files import FONT_FILES, font_digest
from pipelines.captions.fonts.glyphs import unbundled_characters
from pipelines.captions.picture.ass_document import write_ass
from pipelines.media.export.card import card_style
from pipelines.messages.caption_style import CHOSEN_FAMILIES

_FAMILY = re.compile(r"\\fn([^\\}]{1,60})")
_EMOJI_BYTES = 1_000_000
"""About 170 emoji. Reading one from the font takes 10 ms, arms on a flag 0.3 s, in the process that serves all."""
FONTS_PATH = "/api/caption-styles/fonts"


def preview_script(request: ScriptRequest) -> ScriptOut:
    """The lines of a preview as a script, with the fonts it names. The text of lines cannot name any: it is escaped."""
    style = card_style(request.style, has_cover=False) if request.is_card else request.style
    lines = [line.to_line(number) for number, line in enumerate(request.lines) if line.end_ms > line.start_ms]
    ass = write_ass(lines, style, request.width, request.height, emoji_bytes=_EMOJI_BYTES)
    families = dict.fromkeys([style.font, *_FAMILY.findall(ass)])
    missing = sorted(unbundled_characters((line.text for line in lines), style.font))
    return ScriptOut(ass=ass, fonts=[font_of(family) for family in families], missing=missing)


def fonts() -> list[FontOut]:
    """The fonts that captions can have."""
    return [font_of(family) for family in CHOSEN_FAMILIES]


def font_of(family: str) -> FontOut:
    return FontOut(family=family, urls=[font_address(name) for name in FONT_FILES[family]])


def font_address(name: str) -> str:
    """Where browsers get a bundled font. They keep it, so the address changes with its content."""
    return f"{FONTS_PATH}/{name}?v={version_of(name)}"


def version_of(name: str) -> str:
    return font_digest(name)[:12]
