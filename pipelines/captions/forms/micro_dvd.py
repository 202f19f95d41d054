"""Read MicroDVD, `{start}{end}text` in frames, and MPL2, `[start][end]text` in tenths of a second."""

from __future__ import annotations

import re

from pipelines.captions.forms.form import Source
from pipelines.captions.reading.cues import StyledCue, lines_of_cues
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.reading.markup import read_markup
from pipelines.captions.texts.text import LINE_ENDS
from pipelines.messages.lines import CaptionLine

FRAMES_BEGIN = re.compile(r"\s*(?:\{DEFAULT\}[^\n]{0,200}\n\s*)?\{\d{1,7}\}\{\d{0,7}\}", re.ASCII | re.IGNORECASE)
TENTHS_BEGIN = re.compile(r"\s*\[\d{1,7}\]\[\d{0,7}\]", re.ASCII)
"""How files of these forms begin."""

_FRAMES = re.compile(r"\s*\{(\d{1,9})\}\{(\d{0,9})\}(.*)", re.ASCII)
_TENTHS = re.compile(r"\s*\[(\d{1,9})\]\[(\d{0,9})\](.*)", re.ASCII)
_RATE = re.compile(r"\s*(\d{1,3}(?:[.,]\d{1,6})?)\s*", re.ASCII)
_USUAL_RATE = 24_000 / 1_001
"""Frames per second of most films on DVD, and what ffmpeg takes."""
_CODE = re.compile(r"\{([a-zA-Z]):([^{}]{0,100})\}")
_MARKS = frozenset("ibu")


def read_micro_dvd(source: Source, report: ImportReport) -> list[CaptionLine]:
    """The captions of a file, with italics, bold and underlining.

    Frames are those that the person chose, else those that the first row gives, else 23.976 a second, which `report`
    says.
    """
    rate = source.reading.fps
    cues: list[StyledCue] = []
    for number, row in enumerate(LINE_ENDS.split(source.text), 1):
        found = _FRAMES.fullmatch(row)
        if found is None:
            if row.strip() and not row.strip().upper().startswith("{DEFAULT}"):
                report.unread_rows.append((number, row))
            continue
        named = _RATE.fullmatch(found[3]) if not cues and found[1] in ("0", "1") and found[1] == found[2] else None
        if named is not None and 10 <= (fps := float(named[1].replace(",", "."))) <= 240:
            rate = rate or fps
            continue
        cues.append(_cue(found, 1000 / (rate or _USUAL_RATE), report))
    report.has_no_rate = rate is None
    return lines_of_cues(cues, report)


def read_mpl2(source: Source, report: ImportReport) -> list[CaptionLine]:
    """The captions of a file, with italics, bold and underlining."""
    cues: list[StyledCue] = []
    for number, row in enumerate(LINE_ENDS.split(source.text), 1):
        found = _TENTHS.fullmatch(row)
        if found is not None:
            cues.append(_cue(found, 100.0, report))
        elif row.strip():
            report.unread_rows.append((number, row))
    return lines_of_cues(cues, report)


def _cue(found: re.Match[str], unit_ms: float, report: ImportReport) -> StyledCue:
    start, end = (round(int(each) * unit_ms) if each else None for each in found.group(1, 2))
    read = read_markup("\n".join(_tagged(found[3])))
    report.formatted += read.has_more
    return StyledCue(start or 0, end, read.runs, read.place)


def _tagged(text: str) -> list[str]:
    """The rows with tags for their codes. `{y:i}` and a slash count for a row, `{Y:i}` for it and those after it."""
    rows = []
    for row in text.split("|"):
        tags = ["i"] if row.lstrip().startswith("/") else []
        plain = row.lstrip().removeprefix("/") if tags else row

        def take(code: re.Match[str], tags: list[str] = tags) -> str:
            if code[1] in "yY":
                marks = [mark for mark in re.split(r"[,\s]+", code[2].lower()) if mark in _MARKS]
                tags.extend(marks)
                return "".join(f"<{mark}>" for mark in marks)
            return "<font>"

        plain = _CODE.sub(take, plain)
        is_whole = "{Y:" in row
        opened = "<i>" if row.lstrip().startswith("/") else ""
        rows.append(opened + plain + ("" if is_whole else "".join(f"</{tag}>" for tag in reversed(tags))))
    return rows
