"""Formatting inside the text of subtitle files: HTML tags and the override codes of ASS."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, replace

from pipelines.captions.texts.styled_text import Run, from_markup
from pipelines.messages.lines import BOTTOM_CENTRE, LinePlace

JOINER = "\u2060"
"""An invisible character without width. Inside text that looks like a code it keeps readers from taking it for one."""

_BREAK = re.compile(r"<br\s{0,9}/?>", re.IGNORECASE)
_OVERRIDE = re.compile(r"\{(\\[^{}]{0,300})\}")
"""`{\\an8}` and all other ASS codes, which many SRT files contain."""
_SWITCH = re.compile(r"([ibu])(\d{0,3})\s*")
_POSITION = re.compile(r"pos\(\s*(-?\d{1,5}(?:\.\d{0,6})?)\s*,\s*(-?\d{1,5}(?:\.\d{0,6})?)\s*\)\s*")
_ALIGN = re.compile(r"(an?)(\d{1,2})\s*")
_UNSEEN_TAG = re.compile(r"</?(?:s|font|span)(?:\s[^<>]{0,300})?/?>", re.IGNORECASE)
# `html.unescape` passes the digits to `int`, which refuses more than 4,300.
_LONG_REFERENCE = re.compile(r"&(?=#(?:\d{8}|[xX][0-9a-fA-F]{7}))", re.ASCII)
REFERENCE = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});", re.ASCII | re.IGNORECASE)
"""What could stand for a letter in HTML, such as `&amp;`."""
# What a player, or we, would take for a tag or a code.
_LIKE_CODE = re.compile(r"<(?=/?(?:i|b|u|s|em|strong|font|span|br)[\s/>])|\{(?=\\)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Markup:
    """A text with its codes read. `has_more`: it had formatting that lines cannot hold, such as colours."""

    runs: list[Run]
    place: LinePlace | None
    has_more: bool


def read_markup(text: str, *, width: float = 384, height: float = 288, references: bool = False) -> Markup:
    """The runs and the place of a text with HTML tags and ASS codes, as SRT players understand them.

    `width` and `height` are of the picture that positions count in, by default that of SRT players. Every other `<`
    and `{` is text. With `references`, `&amp;` and the like are read as well.
    """
    tagged, place, has_more = override_tags(text, width=width, height=height)
    has_more = has_more or _UNSEEN_TAG.search(tagged) is not None
    runs = from_markup(tagged)
    if references:
        runs = [replace(run, text=REFERENCE.sub(_letter, run.text)) for run in runs]
    return Markup([replace(run, text=unguarded(run.text)) for run in runs], place, has_more)


def override_tags(text: str, *, width: float = 384, height: float = 288) -> tuple[str, LinePlace | None, bool]:
    """The text with tags instead of ASS codes, the place they give, and whether they gave anything else."""
    codes = _Codes(width, height)
    tagged = _OVERRIDE.sub(codes.take, _BREAK.sub("\n", text))
    return tagged, codes.place(), codes.has_more


@dataclass(slots=True)
class _Codes:
    """Turns override codes into tags, and remembers where they put the line."""

    width: float
    height: float
    align: int = BOTTOM_CENTRE
    position: tuple[float, float] | None = None
    has_more: bool = False

    def take(self, found: re.Match[str]) -> str:
        return "".join(self._tag(code) for code in found[1].split("\\")[1:])

    def _tag(self, code: str) -> str:
        code = code.strip()
        switch = _SWITCH.fullmatch(code)
        if switch is not None:
            # `\\b700` is a weight; `\\i` alone returns to the style's, which is upright here.
            is_on = bool(switch[2]) and int(switch[2]) > 0
            return f"<{switch[1]}>" if is_on else f"</{switch[1]}>"
        align, position = _ALIGN.fullmatch(code), _POSITION.fullmatch(code)
        if align is not None:
            self.align = numpad(int(align[2])) if align[1] == "a" else int(align[2])
        elif position is not None:
            self.position = float(position[1]) / self.width, float(position[2]) / self.height
        elif code and code != "r":
            self.has_more = True
        return ""

    def place(self) -> LinePlace | None:
        align = self.align if 1 <= self.align <= 9 else BOTTOM_CENTRE
        if self.position is not None and all(0 <= share <= 1 for share in self.position):
            x, y = self.position
            return LinePlace(align, round(x, 4), round(y, 4))
        return None if align == BOTTOM_CENTRE else LinePlace(align)


def numpad(legacy: int) -> int:
    """The keypad's number for an alignment of SSA: 1 to 3 at the bottom, 5 to 7 at the top, 9 to 11 in the middle."""
    return {1: 1, 2: 2, 3: 3, 5: 7, 6: 8, 7: 9, 9: 4, 10: 5, 11: 6}.get(legacy, BOTTOM_CENTRE)


def guarded(text: str) -> str:
    """Text in which nothing is taken for a tag or a code: an invisible joiner stands behind its first character."""
    return _LIKE_CODE.sub(lambda found: found[0] + JOINER, text)


def unguarded(text: str) -> str:
    """The text before `guarded`."""
    return text.replace("<" + JOINER, "<").replace("{" + JOINER, "{").replace("&" + JOINER, "&")


def place_codes(place: LinePlace | None, *, width: float = 384, height: float = 288) -> str:
    """The override codes that put a line at its place; nothing for the bottom centre."""
    if place is None:
        return ""
    if place.x is None or place.y is None:
        return f"{{\\an{place.align}}}"
    return f"{{\\an{place.align}\\pos({_short(place.x * width)},{_short(place.y * height)})}}"


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def cut_out(text: str, begin: str, end: str) -> str:
    """The text without what stands between the two signs, such as comments. One that is not closed stays."""
    first, *others = text.split(begin)
    parts = (other.partition(end) for other in others)
    return first + "".join(after if closed else begin + before for before, closed, after in parts)


def _letter(found: re.Match[str]) -> str:
    """The letter of a reference; one that HTML does not know, or for no letter, is text."""
    letter = html.unescape(found[0])
    return found[0] if letter in ("", "\ufffd") else letter


def unescape(text: str) -> str:
    """Decode references such as `&amp;`. One that is longer than any character needs stays as it is."""
    return html.unescape(_LONG_REFERENCE.sub("&amp;", text))
