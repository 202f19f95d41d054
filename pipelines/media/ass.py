"""Writes captions as the script that ffmpeg turns into a subtitle track."""

from __future__ import annotations

from collections.abc import Iterable

from pipelines.captions.ass_text import escape_for_track
from pipelines.captions.fit import split_long
from pipelines.captions.lines import CaptionLine
from pipelines.captions.timestamps import ass_time

_HEAD = """[Script Info]
ScriptType: v4.00+
PlayResX: 384
PlayResY: 288
WrapStyle: 0

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BackColour, BorderStyle, Outline, Shadow, Alignment, \
MarginL, MarginR, MarginV, Encoding
Style: Captions,Arial,18,&H00FFFFFF,&H00000000,&H80000000,1,3,1,2,10,10,10,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""


def track_script(lines: Iterable[CaptionLine]) -> str:
    """The script that ffmpeg turns into a subtitle track; players draw it their own way from these plain defaults."""
    parts = (part for line in lines if line.text.strip() for part in split_long(line))
    return _HEAD + "".join(map(_event, parts))


def _event(line: CaptionLine) -> str:
    times = f"{ass_time(line.start_ms)},{ass_time(line.end_ms)}"
    return f"Dialogue: 0,{times},Captions,,0,0,0,,{escape_for_track(line.text)}\n"
