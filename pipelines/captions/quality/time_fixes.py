"""Proposals that move an edge of a line. No line is moved onto another one, and no measured word is cut off."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.captions.quality.findings import Circumstances, Finding, Fix, Rule
from pipelines.captions.quality.time_rules import (
    cut_before_start,
    cut_near_end,
    latest_end,
    sound_of,
    time_to_read,
)
from pipelines.messages.lines import CaptionLine


def time_fix(finding: Finding, lines: Sequence[CaptionLine], index: int, about: Circumstances) -> Fix | None:
    """The proposal for a finding on times, before it is checked."""
    line = lines[index]
    earliest = lines[index - 1].end_ms + about.gap_ms if index else 0
    latest = lines[index + 1].start_ms - about.gap_ms if index + 1 < len(lines) else None
    match finding.rule:
        case Rule.TOO_FAST | Rule.TOO_SHORT:
            return _longer(line, latest, about)
        case Rule.TOO_LONG:
            return _shorter(line, line.start_ms + about.profile.max_ms, "too_long")
        case Rule.OVERLAP | Rule.SMALL_GAP if latest is not None:
            return _ending(line, latest, "gap", about.gap_ms)
        case Rule.OPEN_GAP if latest is not None:
            return _ending(line, latest, "open_gap", about.gap_ms)
        case Rule.AFTER_CUT:
            cut = cut_before_start(line, about.cuts_ms)
            return _starting(line, cut, earliest, "after_cut")
        case Rule.BEFORE_CUT:
            cut = cut_near_end(line, about.cuts_ms, about.gap_ms)
            return None if cut is None else _at_cut(line, cut, about)
        case Rule.EARLY | Rule.LATE:
            sound = sound_of(line)
            return _starting(line, None if sound is None else sound[0], earliest, "sound")
        case Rule.LINGERS:
            sound = sound_of(line)
            return None if sound is None else _shorter(line, latest_end(line, sound[1], about), "lingers")
    return None


def _longer(line: CaptionLine, latest: int | None, about: Circumstances) -> Fix | None:
    end = line.start_ms + time_to_read(line, about)
    if end <= line.end_ms or (latest is not None and end > latest):
        return None
    return Fix(line.id, "longer", end_ms=end, values={"ms": end - line.end_ms})


def _shorter(line: CaptionLine, end: int, reason: str) -> Fix | None:
    sound = sound_of(line)
    if end >= line.end_ms or (sound is not None and sound[1] > end):
        return None
    return Fix(line.id, reason, end_ms=end, values={"ms": line.end_ms - end})


def _ending(line: CaptionLine, end: int, reason: str, gap_ms: int) -> Fix | None:
    return None if end <= line.start_ms else Fix(line.id, reason, end_ms=end, values={"limit": gap_ms})


def _starting(line: CaptionLine, start: int | None, earliest: int, reason: str) -> Fix | None:
    if start is None or start < earliest or start >= line.end_ms:
        return None
    return Fix(line.id, reason, start_ms=start, values={"ms": abs(start - line.start_ms)})


def _at_cut(line: CaptionLine, cut: int, about: Circumstances) -> Fix | None:
    sound, end = sound_of(line), cut - about.gap_ms
    if sound is not None and sound[1] > cut:
        return None
    return Fix(line.id, "before_cut", end_ms=end, values={"ms": abs(end - line.end_ms)})
