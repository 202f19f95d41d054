"""Cues of a subtitle file before they become lines: times may overlap, be missing or be out of range."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from pipelines.captions.import_report import ImportReport
from pipelines.captions.limits import TIME_MS_MAX
from pipelines.captions.lines import CaptionLine, Origin
from pipelines.captions.overlaps import untangle
from pipelines.captions.timestamps import format_time
from pipelines.captions.word_times import spread_text


class UnreadableSubtitles(ValueError):
    """A subtitle file that cannot be imported. The message is a sentence for the person who sent it."""


@dataclass(slots=True)
class Cue:
    """`end_ms` is None when the file gives none. `rows` are first the rows of the file, then one cleaned text."""

    start_ms: int
    end_ms: int | None
    rows: list[str] = field(default_factory=list)


def lines_of_cues(cues: Iterable[tuple[int, int | None, str]], report: ImportReport) -> list[CaptionLine]:
    """Lines without words, in time order, without overlap, numbered from `1`. `report` counts the changes.

    Drop cues without text, and give cues without an end one. Raises `UnreadableSubtitles` for one that starts after
    the last time there is.
    """
    lines: list[CaptionLine] = []
    for start, end, text in cues:
        if not text:
            continue
        if start >= TIME_MS_MAX:
            raise UnreadableSubtitles(
                f"A caption of this file starts after {format_time(TIME_MS_MAX)}, the latest time there is "
                f"(“{text[:40]}”). Correct its time and import the file again."
            )
        report.before_zero += (start < 0) + (end is not None and end < 0)
        report.cut_end += end is not None and end > TIME_MS_MAX
        start = max(0, start)
        lines.append(CaptionLine("", start, min(max(0, end), TIME_MS_MAX) if end is not None else start, text))
    return [replace(line, id=str(number)) for number, line in enumerate(untangle(lines, report), 1)]


def with_words(line: CaptionLine) -> CaptionLine:
    """The line with its words spread over its time."""
    return replace(line, words=spread_text(line.text, line.start_ms, line.end_ms, Origin.HUMAN))
