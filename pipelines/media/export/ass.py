"""Writes captions as the script that ffmpeg turns into a subtitle track."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable

from pipelines.captions.picture.ass_text import escape_for_track
from pipelines.captions.reading.fit import split_long
from pipelines.captions.reading.markup import guarded, place_codes
from pipelines.captions.texts.styled_text import TAG_OF, Run, runs_of
from pipelines.captions.timestamps import ass_time
from pipelines.messages.lines import CaptionLine, WordStyle

_HEAD = """[Script Info]
ScriptType: v4.00+
PlayResX: 384
PlayResY: 288
WrapStyle: 0

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BackColour, BorderStyle, Outline, Shadow, Alignment, \
MarginL, MarginR, MarginV, Encoding
Style: Captions,Arial,16,&H00FFFFFF,&H00000000,&H80000000,1,3,1,2,10,10,10,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""
"""Font and size are what ffmpeg takes for SRT's own: any other would stand in a tag around each caption."""


def track_script(lines: Iterable[CaptionLine], *, as_html: bool = False) -> str:
    """The script that ffmpeg turns into a subtitle track, with italics, bold, underlining and the lines' places.

    `as_html`: for WebVTT, whose text ffmpeg writes as it stands, so that `<` must be a reference. Each kind of track
    keeps what it has a form for; players draw the rest their own way from these plain defaults.
    """
    parts = (part for line in lines if line.text.strip() for part in split_long(line))
    safe = _reference if as_html else guarded
    return _HEAD + "".join(_event(part, safe) for part in parts)


def _event(line: CaptionLine, safe: Callable[[str], str]) -> str:
    times = f"{ass_time(line.start_ms)},{ass_time(line.end_ms)}"
    text = "".join(_text(run, safe) for run in runs_of(line))
    return f"Dialogue: 0,{times},Captions,,0,0,0,,{place_codes(line.place)}{text}\n"


def _text(run: Run, safe: Callable[[str], str]) -> str:
    # Players of SRT would take `<i>` in the text itself for a tag.
    text = escape_for_track(safe(run.text))
    tags = [TAG_OF[style] for style in WordStyle if style in run.styles]
    on, off = "".join(f"\\{tag}1" for tag in tags), "".join(f"\\{tag}0" for tag in tags)
    return f"{{{on}}}{text}{{{off}}}" if tags else text


def _reference(text: str) -> str:
    return html.escape(text, quote=False)
