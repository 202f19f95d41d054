"""Rules on the times of a line: reading speed, duration, gaps, shot changes and the sound."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from pipelines.captions.quality.findings import Circumstances, Finding, Rule, Severity, Value
from pipelines.captions.quality.profile import RED_SHARE
from pipelines.captions.texts.measure import half_widths
from pipelines.messages.lines import CaptionLine

CUT_ZONE_MS = 500
"""Edges closer to a cut than this belong at the cut: half a second in Netflix's timing guidelines."""
CUT_TOLERANCE_MS = 21
"""Half a frame at 24 frames a second: times in milliseconds cannot hit a frame better."""


def time_findings(line: CaptionLine, following: CaptionLine | None, about: Circumstances) -> Iterator[Finding]:
    yield from _speed(line, about)
    yield from _duration(line, about)
    if following is not None:
        yield from _gap(line, following, about)
    if about.profile.follows_cuts and about.cuts_ms:
        yield from _cuts(line, about)
    yield from _sound(line, about)


def _speed(line: CaptionLine, about: Circumstances) -> Iterator[Finding]:
    profile = about.profile
    halves = half_widths(line.text, counts_half=profile.half_width)
    duration = max(1, line.duration_ms)
    if halves * 500 > profile.max_speed * duration:
        red = profile.red_speed if profile.red_speed is not None else profile.max_speed * RED_SHARE
        severity = Severity.ERROR if halves * 500 > red * duration else Severity.WARNING
        tenths = (halves * 10_000 + duration) // (2 * duration)
        yield Finding(Rule.TOO_FAST, severity, (line.id,), {"speed": tenths / 10, "limit": profile.max_speed})


def _duration(line: CaptionLine, about: Circumstances) -> Iterator[Finding]:
    least = least_duration(line, about)
    if line.duration_ms < least:
        values: dict[str, Value] = {"seconds": line.duration_ms / 1000, "limit": least / 1000}
        yield Finding(Rule.TOO_SHORT, Severity.WARNING, (line.id,), values)
    if line.duration_ms > about.profile.max_ms:
        values = {"seconds": line.duration_ms / 1000, "limit": about.profile.max_ms / 1000}
        yield Finding(Rule.TOO_LONG, Severity.WARNING, (line.id,), values)


def least_duration(line: CaptionLine, about: Circumstances) -> int:
    """The shortest duration that the profile allows for a line, by its words where the profile counts them."""
    profile = about.profile
    by_words = profile.word_ms * len(line.text.split()) if profile.word_ms else 0
    return min(max(profile.min_ms, by_words), profile.max_ms)


def _gap(line: CaptionLine, following: CaptionLine, about: Circumstances) -> Iterator[Finding]:
    gap, least = following.start_ms - line.end_ms, about.gap_ms
    both = (line.id, following.id)
    if gap < 0:
        yield Finding(Rule.OVERLAP, Severity.ERROR, both, {"ms": -gap})
    elif gap < least:
        yield Finding(Rule.SMALL_GAP, Severity.WARNING, both, {"ms": gap, "limit": least})
    elif least + CUT_TOLERANCE_MS < gap < about.profile.close_below_ms:
        yield Finding(Rule.OPEN_GAP, Severity.INFO, both, {"ms": gap, "limit": least})


def _cuts(line: CaptionLine, about: Circumstances) -> Iterator[Finding]:
    cut = cut_before_start(line, about.cuts_ms)
    if cut is not None:
        yield Finding(Rule.AFTER_CUT, Severity.WARNING, (line.id,), {"ms": line.start_ms - cut})
    cut = cut_near_end(line, about.cuts_ms, about.gap_ms)
    if cut is not None:
        yield Finding(Rule.BEFORE_CUT, Severity.WARNING, (line.id,), {"ms": abs(line.end_ms - cut)})


def cut_before_start(line: CaptionLine, cuts: Sequence[int]) -> int | None:
    """The cut to which the start of a line should move: the last one, less than half a second before it."""
    index = bisect_left(cuts, line.start_ms) - 1
    if index < 0 or not CUT_TOLERANCE_MS < line.start_ms - cuts[index] < CUT_ZONE_MS:
        return None
    return cuts[index]


def cut_near_end(line: CaptionLine, cuts: Sequence[int], gap_ms: int) -> int | None:
    """The cut before which a line should end with the profile's gap, if it ends elsewhere within half a second."""
    index = bisect_left(cuts, line.end_ms)
    near = [cut for cut in cuts[max(0, index - 1) : index + 1] if abs(cut - line.end_ms) < CUT_ZONE_MS]
    if not near:
        return None
    cut = min(near, key=lambda each: abs(each - line.end_ms))
    is_there = abs(line.end_ms - (cut - gap_ms)) <= CUT_TOLERANCE_MS
    return None if is_there or cut - gap_ms <= line.start_ms else cut


def _sound(line: CaptionLine, about: Circumstances) -> Iterator[Finding]:
    profile, sound = about.profile, sound_of(line)
    if sound is None:
        return
    first, last = sound
    if profile.early_ms is not None and first - line.start_ms > profile.early_ms:
        values = {"ms": first - line.start_ms, "limit": profile.early_ms}
        yield Finding(Rule.EARLY, Severity.INFO, (line.id,), values)
    if profile.late_ms is not None and line.start_ms - first > profile.late_ms:
        values = {"ms": line.start_ms - first, "limit": profile.late_ms}
        yield Finding(Rule.LATE, Severity.INFO, (line.id,), values)
    if profile.linger_ms is not None and line.end_ms > latest_end(line, last, about):
        values = {"ms": line.end_ms - last, "limit": profile.linger_ms}
        yield Finding(Rule.LINGERS, Severity.INFO, (line.id,), values)


def sound_of(line: CaptionLine) -> tuple[int, int] | None:
    """When the speech of a line begins and ends; None unless its first and last word were measured."""
    if not line.words or not line.words[0].is_measured or not line.words[-1].is_measured:
        return None
    return line.words[0].start_ms, line.words[-1].end_ms


def latest_end(line: CaptionLine, last_ms: int, about: Circumstances) -> int:
    """Until when a line may stay: a while after its last word, or as long as it needs to be read."""
    return max(last_ms + (about.profile.linger_ms or 0), line.start_ms + time_to_read(line, about))


def time_to_read(line: CaptionLine, about: Circumstances) -> int:
    """The shortest duration at which a line is neither too short nor too fast."""
    halves = half_widths(line.text, counts_half=about.profile.half_width)
    speed = about.profile.max_speed
    reading = int(halves * 500 / speed)
    if halves * 500 > speed * reading:
        reading += 1
    return max(reading, least_duration(line, about))
