"""Read LRC, the lyrics of music players: `[mm:ss.xx]text`, where a line lasts until the next one begins."""

from __future__ import annotations

import re

from pipelines.captions.forms.form import Source
from pipelines.captions.reading.cues import StyledCue, lines_of_cues
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.texts.styled_text import Run
from pipelines.captions.texts.text import LINE_ENDS
from pipelines.captions.timestamps import clock_ms
from pipelines.messages.lines import CaptionLine

_TIME = r"\[(\d{1,3}):(\d{1,2})(?:[.:](\d{1,3}))?\]"
_TAG = r"\[[a-zA-Z#][a-zA-Z_]{0,15}:[^\]\n]{0,300}\]"
BEGINS = re.compile(rf"\s*(?:{_TAG}\s*){{0,30}}{_TIME}", re.ASCII)
"""How a file of this form begins."""

_TIMES = re.compile(rf"\s*((?:{_TIME}\s*)+)(.*)", re.ASCII)
_ONE = re.compile(_TIME, re.ASCII)
_WORD_TIME = re.compile(r"<\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?>", re.ASCII)
_OFFSET = re.compile(r"\s*\[offset:\s*([+-]?\d{1,7})\s*\]\s*", re.ASCII | re.IGNORECASE)
_LAST_MS = 4_000


def read_lrc(source: Source, report: ImportReport) -> list[CaptionLine]:
    """The lines of a song in time order; one with several times comes several times. Rows of tags are left out."""
    timed: list[tuple[int, str]] = []
    offset = 0
    for number, row in enumerate(LINE_ENDS.split(source.text), 1):
        found = _TIMES.fullmatch(row)
        if found is None:
            named = _OFFSET.fullmatch(row)
            # A positive offset shows the text earlier.
            offset = int(named[1]) if named else offset
            if row.strip() and not re.fullmatch(rf"\s*{_TAG}\s*", row):
                report.unread_rows.append((number, row))
            continue
        text = _WORD_TIME.sub("", found[5])
        timed.extend((clock_ms(None, each[1], each[2], each[3]), text) for each in _ONE.finditer(found[1]))
    timed.sort(key=lambda each: each[0])
    ends = [start for start, _ in timed[1:]] + [timed[-1][0] + _LAST_MS for _ in timed[:1]]
    cues = (
        StyledCue(start - offset, end - offset, [Run(text)]) for (start, text), end in zip(timed, ends, strict=True)
    )
    return lines_of_cues(cues, report)
