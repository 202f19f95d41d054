"""Captions as text files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from pipelines.captions.json_form import format_json
from pipelines.captions.lines import CaptionLine
from pipelines.captions.plain import format_plain
from pipelines.captions.speaker_names import SpeakerStyle, with_speakers
from pipelines.captions.srt import format_srt
from pipelines.captions.vtt import format_vtt


class CaptionFormat(StrEnum):
    SRT = "srt"
    VTT = "vtt"
    TXT = "txt"
    JSON = "json"


MEDIA_TYPES = {
    CaptionFormat.SRT: "application/x-subrip; charset=utf-8",
    CaptionFormat.VTT: "text/vtt; charset=utf-8",
    CaptionFormat.TXT: "text/plain; charset=utf-8",
    CaptionFormat.JSON: "application/json",
}


def caption_file(
    form: CaptionFormat, lines: Sequence[CaptionLine], language: str, names: Mapping[str, str], style: SpeakerStyle
) -> bytes:
    """The content of a file in UTF-8. `names` are those of the speakers. Only JSON needs the words of the lines."""
    match form:
        case CaptionFormat.SRT:
            text = format_srt(with_speakers(lines, names, style))
        case CaptionFormat.VTT if style is SpeakerStyle.LABELS:
            text = format_vtt(lines, language, voices=names)
        case CaptionFormat.VTT:
            text = format_vtt(with_speakers(lines, names, style), language)
        case CaptionFormat.TXT:
            text = format_plain(with_speakers(lines, names, style))
        case CaptionFormat.JSON:
            text = format_json(lines, language, names)
    return text.encode()
