"""Writes captions as a script for libass that shows every character as written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pipelines.captions.fit import split_long
from pipelines.captions.lines import CaptionLine
from pipelines.media.rows import fit_rows

FONT = "DejaVu Sans"
"""Bundled, so every machine renders alike; libass takes missing glyphs (CJK, Indic) from the system's fonts."""

_SHORT_SIDE = 1080
_MARGIN = 60
_LARGEST = 56
_CHARACTERS = 42
_WIDTH_OF_SIZE = 0.55
"""Width of an average letter in font sizes: 42 of them fit between the margins."""

_ANY_DIRECTION = -1
"""Each caption takes the direction of its first strong letter; 1 would draw Arabic and Hebrew from left to right."""
_JOINER = "\u2060"
"""Has no width and is never drawn: after a backslash or brace it prevents readers from seeing a code."""
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f\x85\u2028\u2029\ufffe\uffff]")
"""Controls and two noncharacters: ffmpeg drops a whole line because of one U+FFFE."""

_HEAD = """[Script Info]
ScriptType: v4.00+
PlayResX: {width}
PlayResY: {height}
WrapStyle: 0
ScaledBorderAndShadow: yes

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BackColour, BorderStyle, Outline, Shadow, Alignment, \
MarginL, MarginR, MarginV, Encoding
Style: Captions,{font},{size},&H00FFFFFF,&H00000000,&H80000000,1,3,1,{alignment},{margin},{margin},{margin},{encoding}

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""


@dataclass(frozen=True, slots=True)
class Screen:
    """The picture under the captions; `centred` puts them in its middle instead of at the bottom."""

    width: int
    height: int
    centred: bool = False


def picture_script(lines: Iterable[CaptionLine], screen: Screen) -> str:
    """The script that libass draws over a picture.

    Raises `UnreadableSubtitles` for a line with more text than its time can show.
    """
    scale = _SHORT_SIDE / min(screen.width, screen.height)
    width, height = round(screen.width * scale), round(screen.height * scale)
    size = min(_LARGEST, round((width - 2 * _MARGIN) / (_CHARACTERS * _WIDTH_OF_SIZE)))
    head = _HEAD.format(
        width=width,
        height=height,
        font=FONT,
        size=size,
        margin=_MARGIN,
        alignment=5 if screen.centred else 2,
        encoding=_ANY_DIRECTION,
    )
    room = width - 2 * _MARGIN
    return head + _events(lines, lambda text: escape_for_libass(fit_rows(_plain(text), size, room)))


def track_script(lines: Iterable[CaptionLine]) -> str:
    """The script that ffmpeg turns into a subtitle track; players draw it their own way from these plain defaults."""
    head = _HEAD.format(width=384, height=288, font="Arial", size=18, margin=10, alignment=2, encoding=1)
    return head + _events(lines, escape_for_track)


def escape_for_libass(text: str) -> str:
    """Escape `{` and `}`. A backslash has no escape, so nothing may follow it directly."""
    safe = _plain(text).replace("\\", "\\" + _JOINER).replace("{", "\\{").replace("}", "\\}")
    return safe.replace("\n", "\\N")


def escape_for_track(text: str) -> str:
    """ffmpeg's own reader has no escapes, only the codes `{\\` and `\\N`, and keeps everything else."""
    safe = re.sub(r"\{(?=\\)", "{" + _JOINER, _plain(text))
    return re.sub(r"\\(?=[nN])", lambda _: "\\" + _JOINER, safe).replace("\n", "\\N")


def _plain(text: str) -> str:
    return _CONTROL.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))


def _events(lines: Iterable[CaptionLine], escape: Callable[[str], str]) -> str:
    return "".join(
        f"Dialogue: 0,{_time(part.start_ms)},{_time(part.end_ms)},Captions,,0,0,0,,{escape(part.text)}\n"
        for line in lines
        if line.text.strip()
        for part in split_long(line)
    )


def _time(ms: int) -> str:
    """`h:mm:ss.cc`: the format has no milliseconds, so both ends are rounded down."""
    seconds, hundredths = divmod(max(0, ms) // 10, 100)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{hundredths:02}"
