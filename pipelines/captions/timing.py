"""When lines leave the screen: long enough to read, a gap before the next one, never two at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from pipelines.captions.import_report import ImportReport
from pipelines.captions.limits import TIME_MS_MAX
from pipelines.captions.lines import CaptionLine
from pipelines.captions.rules import CaptionRules
from pipelines.captions.text import visible_length


def space_out(lines: Sequence[CaptionLine], rules: CaptionRules) -> list[CaptionLine]:
    """The lines, in order, each stretched to its reading time where there is room, with the gap kept between them.

    Starts stay where they are. Only when two lines start closer than the gap itself is the second one moved.
    """
    spaced: list[CaptionLine] = []
    earliest = 0
    for index, line in enumerate(lines):
        start = max(line.start_ms, earliest)
        limit = lines[index + 1].start_ms - rules.gap_ms if index + 1 < len(lines) else None
        reading = round(visible_length(line.text) * 1000 / rules.warn_speed)
        end = max(line.end_ms, start + max(rules.min_ms, min(reading, rules.max_ms)))
        if limit is not None:
            end = min(end, limit)
        end = max(end, start + 1)
        spaced.append(replace(line, start_ms=start, end_ms=end))
        earliest = end + rules.gap_ms
    return spaced


def untangle(lines: Sequence[CaptionLine], report: ImportReport) -> list[CaptionLine]:
    """Lines from elsewhere in time order and without overlap; no text is lost. `report` counts what was changed.

    A line ends at the latest where the next begins. Lines that begin together share one line, one below the other.
    A line without duration gets up to two seconds.
    """
    ordered = sorted(lines, key=lambda line: line.start_ms)
    merged = [_joined(list(group), report) for _, group in groupby(ordered, key=lambda line: line.start_ms)]
    untangled: list[CaptionLine] = []
    for index, line in enumerate(merged):
        has_duration = line.end_ms > line.start_ms
        end = line.end_ms if has_duration else min(line.start_ms + 2_000, TIME_MS_MAX)
        if index + 1 < len(merged) and end > merged[index + 1].start_ms:
            end = merged[index + 1].start_ms
            report.shortened += has_duration
        untangled.append(replace(line, end_ms=end))
    return untangled


def _joined(group: list[CaptionLine], report: ImportReport) -> CaptionLine:
    first = group[0]
    if len(group) == 1:
        return first
    report.joined += len(group) - 1
    return replace(
        first,
        text="\n".join(line.text for line in group if line.text),
        words=tuple(word for line in group for word in line.words),
        end_ms=max(line.end_ms for line in group),
    )
