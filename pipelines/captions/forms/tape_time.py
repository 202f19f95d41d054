"""Times of a tape, whose programme starts at a full hour: 01:00:00 in America, 10:00:00 in Britain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pipelines.captions.forms.form import Document
from pipelines.captions.reading.cues import StyledCue
from pipelines.captions.reading.import_report import ImportReport
from pipelines.timecode import Counting, address_of

_HOUR_MS = 3_600_000


def start_frame(document: Document, counting: Counting) -> int:
    """The frame at which a document's programme starts, in the counting of a form."""
    start = address_of(document.programme_start)
    return 0 if start is None else start.at(counting, max(1, round(document.fps)))


def from_full_hour(
    cues: Sequence[StyledCue], report: ImportReport, *, hour_ms: float = _HOUR_MS
) -> Iterable[StyledCue]:
    """The cues from the full hour before the first of them, where a tape without a header starts.

    `hour_ms`: how long an hour of the tape's time code lasts. 30 numbers a second for 29.97 frames last longer.
    """
    # A cue on the hour may round to just before it.
    hours = int((min((cue.start_ms for cue in cues), default=0) + 1) // hour_ms)
    report.programme_start_ms = hours * _HOUR_MS
    start = round(hours * hour_ms)
    for cue in cues:
        yield replace(
            cue, start_ms=max(0, cue.start_ms - start), end_ms=None if cue.end_ms is None else cue.end_ms - start
        )
