"""A subtitle file of either form, told apart by its first row."""

from __future__ import annotations

from pipelines.captions.encodings import decode
from pipelines.captions.lines import CaptionLine
from pipelines.captions.srt import parse_srt
from pipelines.captions.vtt import parse_vtt


def parse_subtitles(raw: bytes, language: str | None = None) -> list[CaptionLine]:
    """The captions of a SubRip or WebVTT file. Raises `UnreadableSubtitles` for text without caption times."""
    text = decode(raw, language).removeprefix("\ufeff")
    is_vtt = text.lstrip().startswith("WEBVTT")
    # A file that calls itself WebVTT but holds none of its cues may still be readable as SubRip.
    return (parse_vtt(text.lstrip()) if is_vtt else []) or parse_srt(text)
