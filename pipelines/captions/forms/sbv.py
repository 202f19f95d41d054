"""SBV, YouTube's own form: times as `0:00:01.000,0:00:02.000`, then the text."""

from __future__ import annotations

import re

from cluster.wording.message import Message
from pipelines.captions.forms.form import Document, Source
from pipelines.captions.reading.cues import StyledCue, UnreadableSubtitles, lines_of_cues
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.texts.speaker_names import with_speakers
from pipelines.captions.texts.styled_text import Run
from pipelines.captions.texts.text import LINE_ENDS, clean_text
from pipelines.captions.timestamps import clock_ms, format_time
from pipelines.messages.lines import CaptionLine

_CLOCK = r"(\d{1,3}):(\d{1,2}):(\d{1,2})\.(\d{1,9})"
_TIMING = re.compile(rf"\s*{_CLOCK}\s*,\s*{_CLOCK}\s*", re.ASCII)
_JOINER = "\u2060"

BEGINS = re.compile(rf"\s*{_CLOCK}\s*,\s*{_CLOCK}\s*(?:[\r\n]|$)", re.ASCII)
"""How a file of this form begins."""


def write_sbv(document: Document) -> bytes:
    """The captions in UTF-8. A row that looks like a time begins with an invisible joiner."""
    cues = []
    for line in with_speakers(document.lines, document.names, document.speakers):
        text = clean_text(line.text)
        if text:
            rows = (f"{_JOINER}{row}" if _TIMING.fullmatch(row) else row for row in text.split("\n"))
            cues.append(f"{_time(line.start_ms)},{_time(line.end_ms)}\n" + "\n".join(rows) + "\n")
    return "\n".join(cues).encode()


def _time(moment_ms: int) -> str:
    return format_time(moment_ms, ".").removeprefix("0")


def read_sbv(source: Source, report: ImportReport) -> list[CaptionLine]:
    """The captions of a file; rows before the first time become a caption of their own."""
    preamble: list[str] = []
    cues: list[tuple[int, int, list[str]]] = []
    for row in LINE_ENDS.split(source.text):
        found = _TIMING.fullmatch(row)
        if found is not None:
            start, end = clock_ms(*found.group(1, 2, 3, 4)), clock_ms(*found.group(5, 6, 7, 8))
            cues.append((start, end, []))
        else:
            (cues[-1][2] if cues else preamble).append(row.removeprefix(_JOINER).replace("[br]", "\n"))
    before = clean_text("\n".join(preamble))
    if before and not cues:
        raise UnreadableSubtitles(
            Message(
                "pipelines.captions.sbv.no_times",
                "No caption times were found in this file. It needs rows like 0:00:01.000,0:00:04.000.",
            )
        )
    if before:
        report.has_preamble = True
        cues.insert(0, (0, max(0, min(start for start, _, _ in cues)), [before]))
    return lines_of_cues((StyledCue(start, end, [Run("\n".join(rows))]) for start, end, rows in cues), report)
