"""Read a subtitle file of either format. Its first row tells which."""

from __future__ import annotations

from dataclasses import dataclass

from pipelines.captions.cues import UnreadableSubtitles
from pipelines.captions.encodings import decode
from pipelines.captions.fit import fit
from pipelines.captions.import_report import ImportReport
from pipelines.captions.lines import CaptionLine
from pipelines.captions.srt import read_srt
from pipelines.captions.vtt import read_vtt

RTF = "This is an RTF document. Save it as plain text (.srt or .vtt) and import that file."


@dataclass(frozen=True, slots=True)
class Imported:
    """Lines of a file, without words, and sentences on how they differ from it."""

    lines: tuple[CaptionLine, ...]
    notes: tuple[str, ...] = ()


def parse_subtitles(raw: bytes, language: str | None = None) -> Imported:
    """The captions of a SubRip or WebVTT file within our limits.

    Raises `UnreadableSubtitles` for text without caption times and for too many captions.
    """
    if raw.lstrip()[:5] == b"{\\rtf":
        raise UnreadableSubtitles(RTF)
    report = ImportReport()
    text = decode(raw, language, report).removeprefix("\ufeff").lstrip()
    lines = read_vtt(text, report) if text.startswith("WEBVTT") else read_srt(text, report)
    return Imported(tuple(fit(lines, report)), tuple(report.notes()))
