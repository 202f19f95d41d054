"""Captions as an ASS script, the one form that the preview, the burned picture and the download draw from.

The script's own picture (PlayRes) is the video's, so a length in it is a pixel of the video.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pipelines.captions.emoji.drawing import BYTES_MAX, EmojiDrawings
from pipelines.captions.fonts.font_files import font_face
from pipelines.captions.picture.ass_text import (
    COMMA,
    MADE_BY,
    NEXT_WORD,
    Appearance,
    Run,
    owners_of,
    plain,
    runs_of,
    written,
)
from pipelines.captions.reading.fit import split_long
from pipelines.captions.texts.word_turns import Turn, turns_of
from pipelines.captions.timestamps import ass_time
from pipelines.messages.caption_style import DEFAULT_FAMILY, BoxKind, CaptionStyle, Karaoke
from pipelines.messages.lines import CaptionLine

SHORT_SIDE = 1080
"""The shorter side of the picture in which styles give lengths."""
_LETTER_WIDTH = 0.55
"""Room for an average letter of the default font, in font sizes: 42 of them then always fit into a row."""
_NARROW_WIDTH = 1_280
"""Pictures narrower than this have less room for a row than one of 4:3, where each style has its full size."""
_NARROW_FIT = 25
"""Letters of a row in 9:16: BBC Subtitle Guidelines, as the profile "BBC 9:16" has it."""
_POP = 1.14
_ANY_DIRECTION = -1
"""Each caption takes the direction of its first strong letter; 1 would draw Arabic and Hebrew from left to right."""
_OUTLINE, _EACH_ROW, _WHOLE_EVENT = 1, 3, 4
"""Border styles: an outline, a box for each row, and libass's own for one box behind all rows."""


_HEAD = """[Script Info]
{title}Original Script: {made_by}
ScriptType: v4.00+
PlayResX: {width}
PlayResY: {height}
WrapStyle: 0
ScaledBorderAndShadow: yes
YCbCr Matrix: None

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, \
StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Captions,{font},{size},{colour},{colour},{outline_colour},{back_colour},{bold},{italic},0,0,100,100,{spacing},0,\
{border},{outline},{shadow},{align},{margin_x},{margin_x},{margin_y},{encoding}

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""


def write_ass(
    lines: Iterable[CaptionLine],
    style: CaptionStyle,
    width: int,
    height: int,
    *,
    speakers: Mapping[str, str] | None = None,
    title: str = "",
    emoji_bytes: int = BYTES_MAX,
) -> str:
    """The script of `lines` over a picture of `width` by `height` pixels.

    All text is escaped, and each character names the bundled font that draws it, so that two machines draw alike.
    Emoji are drawings in their colours, of at most `emoji_bytes` in all, else letters in one colour.
    `speakers`: names by label, for the field of an event that says who speaks. Raises `UnreadableSubtitles` for a line
    with more text than its time can show.
    """
    scale = min(width, height) / SHORT_SIDE
    size = font_size(style, width / scale)
    base = Appearance(style.font, bold=style.bold, italic=style.italic, colour=style.colour)
    room = width / scale - 2 * style.margin_x
    names = speakers or {}
    face = font_face(style.font)
    drawings = EmojiDrawings(
        em=size * scale * face.em,
        space=face.widths["\u00a0"],
        has_boxes=style.box is BoxKind.ROWS,
        bytes_max=emoji_bytes,
    )
    events = []
    for line in lines:
        if not line.text.strip():
            continue
        own = style.speaker_colours.get(line.speaker or "", style.colour)
        start = _place(line, width, height)
        name = _field(names.get(line.speaker or "", line.speaker or ""))
        for part, runs in _parts(line, style, size, room):
            for number, turn in enumerate(turns_of(part, style.karaoke)):
                shown = [_appearance(base, run, own, turn, style) for run in runs]
                effect = NEXT_WORD if number else ""
                text = written(runs, shown, base, size * scale, drawings)
                times = f"{ass_time(turn.start_ms)},{ass_time(turn.end_ms)}"
                events.append(f"Dialogue: 0,{times},Captions,{name},0,0,0,{effect},{start}{text}\n")
    return _head(style, size, scale, width, height, title) + "".join(events)


def font_size(style: CaptionStyle, width: float) -> float:
    """The size in a picture whose shorter side is 1080 and which is `width` wide: less where `fit` letters need it.

    Upright and square pictures take shorter rows instead of small letters: a longer row wraps.
    """
    if style.fit == 0:
        return style.size
    fit = min(style.fit, _NARROW_FIT) if width < _NARROW_WIDTH else style.fit
    letter = _LETTER_WIDTH * font_face(style.font).letter / font_face(DEFAULT_FAMILY).letter
    room = max(1.0, width - 2 * style.margin_x)
    return min(style.size, round(room / (fit * (letter + style.spacing / style.size))))


def _parts(line: CaptionLine, style: CaptionStyle, size: float, room: float) -> Iterator[tuple[CaptionLine, list[Run]]]:
    """The parts of a line that are short enough to draw, each with the words that it shows."""
    owners = iter(owners_of(line, style))
    for part in split_long(line):
        runs = runs_of(line, part.text, owners, style=style, size=size, room=room)
        yield (part if part is line else CaptionLine(part.id, part.start_ms, part.end_ms, part.text, line.words)), runs


def _appearance(base: Appearance, run: Run, own: str, turn: Turn, style: CaptionStyle) -> Appearance:
    is_now = run.word is not None and run.word == turn.word
    is_past = run.word is not None and turn.word is not None and run.word < turn.word
    coloured = is_now or (is_past and style.karaoke is Karaoke.FILL)
    return Appearance(
        run.family or base.family,
        bold=run.bold,
        italic=run.italic,
        underline=run.underline,
        colour=style.karaoke_colour if coloured else own,
        scale=_POP if is_now and style.karaoke is Karaoke.POP else 1.0,
    )


def _head(style: CaptionStyle, size: float, scale: float, width: int, height: int, title: str) -> str:
    border, outline, shadow = _OUTLINE, style.outline, style.shadow
    outline_colour, back = _colour(style.outline_colour), _colour(style.shadow_colour, 0.5)
    if style.box is BoxKind.ROWS:
        border, outline, shadow = _EACH_ROW, style.box_padding, 0.0
        outline_colour = _colour(style.box_colour, style.box_opacity)
    elif style.box is BoxKind.BLOCK:
        # libass takes the padding of this box from the depth of the shadow.
        border, shadow, back = _WHOLE_EVENT, style.box_padding, _colour(style.box_colour, style.box_opacity)
    return _HEAD.format(
        title=f"Title: {_field(title)}\n" if _field(title) else "",
        made_by=MADE_BY,
        width=width,
        height=height,
        font=style.font,
        size=_number(size * scale),
        colour=_colour(style.colour),
        outline_colour=outline_colour,
        back_colour=back,
        bold=-1 if style.bold else 0,
        italic=-1 if style.italic else 0,
        spacing=_number(style.spacing * scale),
        border=border,
        outline=_number(outline * scale),
        shadow=_number(shadow * scale),
        align=style.align,
        margin_x=round(style.margin_x * scale),
        margin_y=round(style.margin_y * scale),
        encoding=_ANY_DIRECTION,
    )


def _place(line: CaptionLine, width: int, height: int) -> str:
    """The codes that put one line elsewhere than its style does."""
    place = line.place
    if place is None:
        return ""
    if place.x is None or place.y is None:
        return f"{{\\an{place.align}}}"
    return f"{{\\an{place.align}\\pos({_number(place.x * width)},{_number(place.y * height)})}}"


def _field(text: str) -> str:
    """Text for a field between commas."""
    return " ".join(plain(text).replace(",", COMMA).split())


def _colour(colour: str, opacity: float = 1.0) -> str:
    """`#rrggbb` as `&HAABBGGRR`, where AA is 00 for opaque."""
    red, green, blue = colour[1:3], colour[3:5], colour[5:7]
    return f"&H{round(255 * (1 - opacity)):02X}{blue}{green}{red}".upper()


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
