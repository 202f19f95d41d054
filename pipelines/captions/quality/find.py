"""Find what is wrong with captions by a profile, with the safe fix of each finding."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pipelines.captions.lanes import by_lane
from pipelines.captions.quality.findings import Circumstances, Finding, Severity
from pipelines.captions.quality.fixes import with_fix
from pipelines.captions.quality.profile import QualityProfile
from pipelines.captions.quality.rules import find_all
from pipelines.messages.lines import CaptionLine


def find_findings(
    lines: Sequence[CaptionLine],
    profile: QualityProfile,
    *,
    language: str = "",
    shots: Sequence[int] = (),
    fps: float | None = None,
    undrawable: Collection[str] = frozenset(),
) -> list[Finding]:
    """What is wrong with lines in time order, each finding with its fix where one is safe.

    `shots` are the times of shot changes in milliseconds, in order; `undrawable` are characters without a font.
    """
    about = Circumstances(profile, language, shots, fps, frozenset(undrawable))
    return with_fixes(lines, about)


def with_fixes(lines: Sequence[CaptionLine], about: Circumstances) -> list[Finding]:
    place = {line.id: (lane, index) for lane in by_lane(lines) for index, line in enumerate(lane)}
    return [with_fix(finding, *place[finding.line_ids[0]], about) for finding in find_all(lines, about)]


def open_findings(lines: Sequence[CaptionLine], about: Circumstances) -> list[Finding]:
    """The findings that keep captions from being clean: warnings and errors, without fixes."""
    return [finding for finding in find_all(lines, about) if finding.is_open]


def count_by_severity(findings: Iterator[Finding] | Sequence[Finding]) -> dict[Severity, int]:
    counts = dict.fromkeys(Severity, 0)
    for finding in findings:
        counts[finding.severity] += 1
    return counts
