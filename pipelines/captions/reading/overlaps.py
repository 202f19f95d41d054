"""Put imported lines in order, with never two at once in one lane and no text lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from pipelines.captions.lanes import lane_by_lane
from pipelines.captions.limits import TIME_MS_MAX
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.texts.styled_text import ink_of_line, words_of_ink
from pipelines.messages.lines import CaptionLine


def untangle(lines: Sequence[CaptionLine], report: ImportReport) -> list[CaptionLine]:
    """The lines in time order, without overlap in a lane, under ids in that order. No text is lost.

    `report` counts the changes.

    A line ends at the latest where the next of its lane begins. Those that begin together become one line, one below
    the other. A line without duration gets up to two seconds.
    """
    # Those that start at once in two lanes stay in the order of the file.
    numbered = [replace(line, id=f"{number:06}") for number, line in enumerate(lines)]
    return lane_by_lane(numbered, lambda lane: _untangled(lane, report))


def _untangled(lines: Sequence[CaptionLine], report: ImportReport) -> list[CaptionLine]:
    ordered = sorted(lines, key=lambda line: line.start_ms)
    merged = [_join(list(group), report) for _, group in groupby(ordered, key=lambda line: line.start_ms)]
    untangled: list[CaptionLine] = []
    for index, line in enumerate(merged):
        has_duration = line.end_ms > line.start_ms
        end = line.end_ms if has_duration else min(line.start_ms + 2_000, TIME_MS_MAX)
        if index + 1 < len(merged) and end > merged[index + 1].start_ms:
            end = merged[index + 1].start_ms
            report.shortened += has_duration
        report.without_end += not has_duration
        untangled.append(replace(line, end_ms=end))
    return untangled


def _join(group: list[CaptionLine], report: ImportReport) -> CaptionLine:
    first = group[0]
    if len(group) == 1:
        return first
    report.joined += len(group) - 1
    report.displaced += sum(line.place != first.place for line in group)
    joined = replace(
        first,
        text="\n".join(line.text for line in group if line.text),
        words=(),
        end_ms=max(line.end_ms for line in group),
        speaker=next((line.speaker for line in group if line.speaker), None),
    )
    if not any(line.words or line.speaker != joined.speaker for line in group):
        return joined
    return replace(joined, words=words_of_ink(joined, [ink for line in group for ink in ink_of_line(line)]))
