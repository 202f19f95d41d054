"""All rules on the lines of a track."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipelines.captions.lanes import by_lane
from pipelines.captions.quality.findings import Circumstances, Finding, Rule, Severity
from pipelines.captions.quality.text_rules import text_findings
from pipelines.captions.quality.time_rules import time_findings
from pipelines.messages.lines import CaptionLine


def find_at(lines: Sequence[CaptionLine], index: int, about: Circumstances) -> Iterator[Finding]:
    """What is wrong with one line of a lane, without fixes."""
    line = lines[index]
    if not line.text.strip():
        yield Finding(Rule.EMPTY, Severity.ERROR, (line.id,))
        return
    following = lines[index + 1] if index + 1 < len(lines) else None
    yield from text_findings(line, about)
    yield from time_findings(line, following, about)


def find_all(lines: Sequence[CaptionLine], about: Circumstances) -> list[Finding]:
    """What is wrong with lines in time order, without fixes."""
    place = {line.id: index for index, line in enumerate(lines)}
    findings = [
        finding for lane in by_lane(lines) for index in range(len(lane)) for finding in find_at(lane, index, about)
    ]
    return sorted(findings, key=lambda finding: place[finding.line_ids[0]])
